// Passwords: what is accepted, and argon2id hashing off the event loop. The number of hashes that
// run at once is bounded, since each takes 19 MiB and some 30 ms of a core: without a bound, a
// flood of logins would starve everything else in the process. Never stores, logs or returns a
// password.
import { type Refusal, refuse } from './refusal.ts';

declare const brand: unique symbol;

/** An argon2id hash in PHC form; the type keeps a plain password out of the column for hashes. */
export type PasswordHash = string & { readonly [brand]: 'PasswordHash' };

const MIN_LENGTH = 8;
/** Leaves room for passphrases; beyond it a password is only a cost to hash. */
const MAX_LENGTH = 128;
/** OWASP's minimum for argon2id: 19 MiB, two passes. */
const ARGON2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
/** Two, so that hashing takes at most two of the pool's threads and 38 MiB. */
const AT_ONCE = 2;
/** About one second of work; whoever comes later is better told to come back. */
const MAX_WAITING = 64;

/** Too many hashes are waiting; the gateway answers 503 with Retry-After. */
export class PasswordsBusyError extends Error {
  override readonly name = 'PasswordsBusyError';
}

/** Refuses a password that is too short or too long; characters are counted, not bytes. */
export function checkPassword(password: string, field = 'password'): Refusal | undefined {
  const length = [...password.normalize('NFC')].length;
  if (length >= MIN_LENGTH && length <= MAX_LENGTH) return undefined;
  return refuse('invalid', field, `A password has ${MIN_LENGTH} to ${MAX_LENGTH} characters.`);
}

/** The hash of a password that checkPassword accepts. */
export function hashPassword(password: string): Promise<PasswordHash> {
  const refusal = checkPassword(password);
  if (refusal !== undefined) return Promise.reject(new RangeError(refusal.text));
  return inTurn(async () => (await Bun.password.hash(canonical(password), ARGON2)) as PasswordHash);
}

/**
 * Whether the password has this hash. Without a hash (unknown user, or one who has no password) it
 * takes the same time and answers false, so that the time does not tell who has an account.
 */
export async function verifyPassword(
  password: string,
  hash: PasswordHash | null,
): Promise<boolean> {
  if (checkPassword(password) !== undefined) return false;
  const against = hash ?? (await decoyHash());
  const matches = await inTurn(() => Bun.password.verify(canonical(password), against));
  return matches && hash !== null;
}

/** One password, one byte string: keyboards differ in how they compose an accent. */
function canonical(password: string): string {
  return password.normalize('NFC');
}

let decoy: Promise<PasswordHash> | undefined;

/** A hash of something unknowable, made once. */
function decoyHash(): Promise<PasswordHash> {
  decoy ??= hashPassword(Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex'));
  // A failed attempt (busy) must not be remembered as the answer.
  decoy.catch(() => {
    decoy = undefined;
  });
  return decoy;
}

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1;
  else if (waiting.length >= MAX_WAITING) throw new PasswordsBusyError('Too many logins at once.');
  // The one who finishes hands its place over, so `running` does not change in between.
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
