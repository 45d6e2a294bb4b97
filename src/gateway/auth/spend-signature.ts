// The signature of a login opens one connection. The core remembers it like that of a write: on all
// nodes of a cluster, after a restart, and whatever the clocks show.
import { Problem } from '../../contract/problem.ts';
import { submit } from '../door.ts';
import type { Services } from '../services.ts';
import type { SignedCaller } from './authenticate.ts';
import { isInWindow } from './signature.ts';

type Inside = Pick<Services, 'engine' | 'limits' | 'rejectedLogins'>;
type Login = Omit<SignedCaller, 'passed'>;

/**
 * Spends a signature that opens a session, or could open one. Null, or the Problem (signatureUsed,
 * signatureTooOld, signatureInvalid) that it opens none. Rejects with an EngineError.
 */
export async function spendSignature(services: Inside, login: Login): Promise<Problem | null> {
  const { key, signature } = login;
  if (services.rejectedLogins.has(key, signature)) return new Problem('signatureUsed');
  return journalSignature(services, login);
}

/** Remembers a valid signature whose request was rejected before it spent it: it opens nothing. */
export function rejectLogin(services: Inside, login: Login): void {
  const { timestamp } = login.signature;
  if (!services.rejectedLogins.add(login.key, login.signature)) return;
  if (!isInWindow(timestamp, services.engine.wall())) return;
  // An error of the engine leaves it to the memory of this process.
  void journalSignature(services, login).catch(() => undefined);
}

async function journalSignature(
  services: Inside,
  { key, signature }: Login,
): Promise<Problem | null> {
  const command = { type: 'spendSignature', uid: key.uid, signature, idempotency: null } as const;
  const { outcome } = await submit(services, command, key);
  if (!outcome.ok) {
    const isTooOld = outcome.reject.name === 'signatureTooOld';
    return new Problem(isTooOld ? 'signatureTooOld' : 'signatureUsed');
  }
  return key.revoked ? new Problem('signatureInvalid') : null;
}
