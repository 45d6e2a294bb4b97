// The trading status of a pair, in words and a colour.
import type { InstrumentStatus } from '../../../src/sdk/index.ts';
import { Mark, type Tone } from '../parts/facts.tsx';
import { STATUSES } from './instrument.ts';

const TONES: Readonly<Record<InstrumentStatus, Tone>> = {
  LIVE: 'good',
  POST_ONLY: 'warn',
  CANCEL_ONLY: 'warn',
  HALTED: 'bad',
};

export function StatusMark({ status }: { readonly status: InstrumentStatus }) {
  const { label } = STATUSES.find(({ value }) => value === status)!;
  return <Mark tone={TONES[status]}>{label}</Mark>;
}
