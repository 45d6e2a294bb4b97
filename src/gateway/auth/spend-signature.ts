// The signature of a login opens one connection. The core remembers it like that of a write: on all
// nodes of a cluster, after a restart, and whatever the clocks show.
import { Problem } from '../../contract/problem.ts';
import { submit } from '../door.ts';
import type { Services } from '../services.ts';
import type { SignedCaller } from './authenticate.ts';

/**
 * Spends a signature that opens a session, or could open one. Null, or the Problem (signatureUsed,
 * signatureTooOld, signatureInvalid) that it opens none. Rejects with an EngineError.
 */
export async function spendSignature(
  services: Pick<Services, 'engine' | 'limits'>,
  { key, signature }: Omit<SignedCaller, 'passed'>,
): Promise<Problem | null> {
  const command = { type: 'spendSignature', uid: key.uid, signature, idempotency: null } as const;
  const { outcome } = await submit(services, command, key);
  if (!outcome.ok) {
    const isTooOld = outcome.reject.name === 'signatureTooOld';
    return new Problem(isTooOld ? 'signatureTooOld' : 'signatureUsed');
  }
  return key.revoked ? new Problem('signatureInvalid') : null;
}
