// What a caller hears when more passwords are waiting to be hashed than there is room for: 503 with
// Retry-After, instead of a queue that grows.
import { Problem } from '../../contract/problem.ts';
import { PasswordsBusyError } from '../../identity/proofs/passwords.ts';

/** What the hashing comes to. Throws Problem overloaded where there was no room for it. */
export async function unlessBusy<T>(hashing: Promise<T>, retryAfterSeconds = 1): Promise<T> {
  try {
    return await hashing;
  } catch (error) {
    if (!(error instanceof PasswordsBusyError)) throw error;
    throw new Problem('overloaded', { headers: { 'Retry-After': String(retryAfterSeconds) } });
  }
}
