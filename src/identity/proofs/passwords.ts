// Passwords: argon2id hashing in a process of its own, one at a time, behind bounded queues: one for
// everybody, one for people who are where they have been before, whom a flood must not shut out. Each
// takes 64 MiB and some 130 ms of a core: without a bound, a flood of logins would starve everything
// else, and in the runtime's pool it would delay the syncs of the journal (password-process.ts). What
// may be chosen as a password is in password-rules.ts. Never stores, logs or returns a password.
import { join } from 'node:path';
import { hasPasswordLength, PASSWORD_LENGTH_TEXT } from './password-rules.ts';

export { checkPassword } from './password-rules.ts';

declare const brand: unique symbol;

/** An argon2id hash in PHC form; the type keeps a plain password out of the column for hashes. */
export type PasswordHash = string & { readonly [brand]: 'PasswordHash' };

/** Three times OWASP's minimum of memory: about 130 ms here, and expensive on a graphics card. */
const ARGON2 = { algorithm: 'argon2id', memoryCost: 65_536, timeCost: 3 } as const;
const CURRENT = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=1$`;
/** Of each queue. About two seconds of work; whoever comes later is better told to come back. */
const MAX_WAITING = 16;
/** Of so many turns one is for those whom nobody knows, however many others wait. */
const STRANGER_EVERY = 4;

/** What the process is asked; `against` null asks for a hash, otherwise for a comparison. */
export interface PasswordJob {
  readonly password: string;
  readonly against: string | null;
  readonly options: typeof ARGON2;
}

export type PasswordResult =
  | { readonly hash: string }
  | { readonly matches: boolean }
  | { readonly failed: string };

/** Too many hashes are waiting; the gateway answers 503 with Retry-After. */
export class PasswordsBusyError extends Error {
  override readonly name = 'PasswordsBusyError';
}

/**
 * Who asks, where they have shown that before, by a session or by the network that they are in; null
 * for anybody. Each has one place at a time among the known.
 */
export type KnownPerson = string | null;

/**
 * The hash of a password of an accepted length. Rejects with RangeError for another length, and
 * with PasswordsBusyError.
 */
export async function hashPassword(
  password: string,
  known: KnownPerson = null,
): Promise<PasswordHash> {
  if (!hasPasswordLength(password)) throw new RangeError(PASSWORD_LENGTH_TEXT);
  const job = { password: canonical(password), against: null, options: ARGON2 };
  const result = await inTurn(job, known);
  if (!('hash' in result)) throw new Error('The password could not be hashed.');
  return result.hash as PasswordHash;
}

/**
 * Whether the password has this hash. Without a hash (unknown user, or one who has no password) it
 * takes the same time and answers false, so that the time does not tell who has an account. Rejects
 * with PasswordsBusyError.
 */
export async function verifyPassword(
  password: string,
  hash: PasswordHash | null,
  known: KnownPerson = null,
): Promise<boolean> {
  if (!hasPasswordLength(password)) return false;
  const job = { password: canonical(password), against: hash ?? DECOY, options: ARGON2 };
  const result = await inTurn(job, known);
  return hash !== null && 'matches' in result && result.matches;
}

/** Whether a hash was made with other parameters than those of now: hash again after a login. */
export function needsRehash(hash: PasswordHash): boolean {
  return !hash.startsWith(CURRENT);
}

/** One password, one byte string: keyboards differ in how they compose an accent. */
function canonical(password: string): string {
  return password.normalize('NFC');
}

/** The hash of nothing: random bytes in its place, so comparing with it costs what any does. */
const DECOY = `${CURRENT}${randomText(16)}$${randomText(32)}`;

function randomText(bytes: number): string {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));
  return random.toString('base64').replaceAll('=', '');
}

interface Turn {
  readonly job: PasswordJob;
  readonly known: KnownPerson;
  readonly resolve: (result: PasswordResult) => void;
  readonly reject: (error: Error) => void;
}

type Hasher = Bun.Subprocess<'ignore', 'ignore', 'inherit'>;

/** A hash that takes so long gets no time: the machine is busy, and the login must go on all the same. */
const PATIENCE_MS = { idle: 500, low: 5_000 } as const;
/** How long a machine is taken for busy after that. */
const BUSY_MS = 30_000;

let hasher: Hasher | null = null;
let insistedAt: number | null = null;
let insistence: ReturnType<typeof setTimeout> | undefined;
let running: Turn | null = null;
const waiting: Turn[] = [];
const waitingKnown: Turn[] = [];
let turns = 0;

function inTurn(job: PasswordJob, known: KnownPerson): Promise<PasswordResult> {
  const queue = queueOf(known);
  if (running !== null && queue.length >= MAX_WAITING) {
    return Promise.reject(new PasswordsBusyError('Too many logins at once.'));
  }
  return new Promise((resolve, reject) => {
    queue.push({ job, known, resolve, reject });
    if (running === null) next();
  });
}

/** One person alone cannot fill the places of the known: the second place is anybody's. */
function queueOf(known: KnownPerson): Turn[] {
  if (known === null || waitingKnown.some((turn) => turn.known === known)) return waiting;
  return waitingKnown.length < MAX_WAITING ? waitingKnown : waiting;
}

function next(): void {
  clearTimeout(insistence);
  turns += 1;
  const [first, second] =
    turns % STRANGER_EVERY === 0 ? [waiting, waitingKnown] : [waitingKnown, waiting];
  running = first.shift() ?? second.shift() ?? null;
  if (running === null) {
    rest();
    return;
  }
  try {
    hasher ??= startHasher(priorityNow());
  } catch (error) {
    notStarted(running, error);
    return;
  }
  work(hasher, running.job);
}

/** Without descriptors or memory for a process, this login fails, and the next one tries again. */
function notStarted({ reject }: Turn, cause: unknown): void {
  running = null;
  reject(new PasswordsBusyError('The process that hashes passwords cannot be started.', { cause }));
  if (waiting.length + waitingKnown.length > 0) next();
}

const priorityNow = () => (insistedAt === null ? 'idle' : 'low');

/** While it works this process must not end; idle, the other one holds nobody up. */
function work(started: Hasher, job: PasswordJob): void {
  started.ref();
  started.send(job);
  insistence = setTimeout(insist, PATIENCE_MS[priorityNow()]);
}

function rest(): void {
  hasher?.unref();
  if (insistedAt === null || performance.now() - insistedAt < BUSY_MS) return;
  insistedAt = null;
  const done = hasher;
  hasher = null;
  done?.kill('SIGKILL');
}

/** Does what is running again, with a small share of the processor instead of what is left. */
function insist(): void {
  if (running === null) return;
  const starved = hasher;
  try {
    hasher = startHasher('low');
  } catch {
    insistence = setTimeout(insist, PATIENCE_MS[priorityNow()]);
    return;
  }
  insistedAt = performance.now();
  starved?.kill('SIGKILL');
  work(hasher, running.job);
}

function startHasher(priority: 'idle' | 'low'): Hasher {
  const started: Hasher = Bun.spawn({
    cmd: [process.execPath, join(import.meta.dir, 'password-process.ts'), priority],
    env: {},
    stdio: ['ignore', 'ignore', 'inherit'],
    // A session of its own, for whose share of the processor see there.
    detached: true,
    ipc(result: PasswordResult) {
      if (hasher !== started) return;
      running?.resolve(result);
      next();
    },
    // The next one in the queue gets a new one.
    onExit() {
      if (hasher !== started) return;
      hasher = null;
      running?.reject(new Error('The process that hashes passwords failed.'));
      next();
    },
  });
  return started;
}
