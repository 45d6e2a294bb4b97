// Whether somebody's identity is verified, in the same words wherever it is said.
import { Mark } from '../parts/facts.tsx';

export function KycMark({ kyc }: { readonly kyc: boolean }) {
  return <Mark tone={kyc ? 'good' : 'none'}>{kyc ? 'Verified' : 'Not verified'}</Mark>;
}
