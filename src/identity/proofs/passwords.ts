// Passwords: argon2id hashes, one at a time, in a process of its own behind two bounded queues. A
// hash takes 64 MiB and about 130 ms of a core, so an unbounded flood of logins would starve
// everything else, and in the runtime's pool it would delay the syncs of the journal
// (password-process.ts). password-rules.ts decides which passwords are accepted. Never stores, logs
// or returns a password.
import { join } from 'node:path';
import { type Result, refuse, success } from '../result.ts';
import { hasPasswordLength, PASSWORD_LENGTH_TEXT } from './password-rules.ts';

export { checkPassword } from './password-rules.ts';

declare const brand: unique symbol;

/** An argon2id hash in PHC form; the type keeps a plain password out of the column for hashes. */
export type PasswordHash = string & { readonly [brand]: 'PasswordHash' };

/** Three times OWASP's minimum of memory: about 130 ms here, and expensive on a graphics card. */
const ARGON2 = { algorithm: 'argon2id', memoryCost: 65_536, timeCost: 3 } as const;
const CURRENT = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=1$`;
/** The length of each queue: about two seconds of work. A later caller is refused. */
const MAX_WAITING = 16;
/** Every fourth turn is reserved for unknown users, so known ones cannot starve them. */
const UNKNOWN_EVERY = 4;

/** A job of the process: a hash where `against` is null, otherwise a comparison. */
export interface PasswordJob {
  readonly password: string;
  readonly against: string | null;
  readonly options: typeof ARGON2;
}

export type PasswordResult =
  | { readonly hash: string }
  | { readonly matches: boolean }
  | { readonly failed: string };

/** Too many hashes wait, or no process can be started; a later try can succeed. */
export class PasswordsBusyError extends Error {
  override readonly name = 'PasswordsBusyError';
}

/**
 * The result of a hash or comparison. Refusal: overloaded, where it rejects with
 * PasswordsBusyError.
 */
export async function refuseIfBusy<T>(
  hashing: Promise<T>,
  retryAfterMs = 1_000,
): Promise<Result<T>> {
  try {
    return success(await hashing);
  } catch (error) {
    if (error instanceof PasswordsBusyError) return refuse('overloaded', null, { retryAfterMs });
    throw error;
  }
}

/**
 * The name of a user whom a session or a known network identifies; null for an unknown caller. Each
 * has one place at a time in the queue of known users, which a flood of strangers cannot fill.
 */
export type KnownUser = string | null;

/**
 * The hash of a password of an accepted length. Rejects with RangeError for another length, and
 * with PasswordsBusyError.
 */
export async function hashPassword(
  password: string,
  known: KnownUser = null,
  hasher = sharedHasher,
): Promise<PasswordHash> {
  if (!hasPasswordLength(password)) throw new RangeError(PASSWORD_LENGTH_TEXT);
  const job = { password: canonical(password), against: null, options: ARGON2 };
  const result = await hasher.run(job, known);
  if (!('hash' in result)) throw new Error('The password could not be hashed.');
  return result.hash as PasswordHash;
}

/**
 * Whether the password has this hash. Without a hash (no such user, or no password) it takes the
 * same time and returns false, so the time does not show who has an account. Rejects with
 * PasswordsBusyError.
 */
export async function verifyPassword(
  password: string,
  hash: PasswordHash | null,
  known: KnownUser = null,
  hasher = sharedHasher,
): Promise<boolean> {
  if (!hasPasswordLength(password)) return false;
  const job = { password: canonical(password), against: hash ?? DECOY, options: ARGON2 };
  const result = await hasher.run(job, known);
  return hash !== null && 'matches' in result && result.matches;
}

/** Whether a hash has outdated parameters, so that the next login should replace it. */
export function needsRehash(hash: PasswordHash): boolean {
  return !hash.startsWith(CURRENT);
}

/** One byte string for one password: keyboards compose accents differently. */
function canonical(password: string): string {
  return password.normalize('NFC');
}

/** The hash of no password; a comparison with it costs as much as with a real one. */
const DECOY = `${CURRENT}${randomText(16)}$${randomText(32)}`;

function randomText(bytes: number): string {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));
  return random.toString('base64').replaceAll('=', '');
}

interface Turn {
  readonly job: PasswordJob;
  readonly known: KnownUser;
  readonly resolve: (result: PasswordResult) => void;
  readonly reject: (error: Error) => void;
}

/** `idle` runs while nothing else does; `low` has a small share of the processor. */
type Priority = 'idle' | 'low';

/** A process that hashes passwords. */
interface HashProcess {
  /** Keeps this process alive while the other one works. */
  ref(): void;
  unref(): void;
  send(job: PasswordJob): void;
  kill(signal: 'SIGKILL'): void;
}

interface ProcessEvents {
  onResult(result: PasswordResult): void;
  onExit(): void;
}

type StartProcess = (priority: Priority, events: ProcessEvents) => HashProcess;

/** After this time without a result, the machine is busy and the job starts again at `low`. */
const PATIENCE_MS = { idle: 500, low: 5_000 } as const;
/** How long after that the machine counts as busy. */
const BUSY_MS = 30_000;

/** Runs jobs one at a time in a process, which it starts, replaces and ends. */
export class PasswordHasher {
  readonly #start: StartProcess;
  #process: HashProcess | null = null;
  /** When a job last had to start again at `low`. */
  #starvedAt: number | null = null;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #running: Turn | null = null;
  readonly #waiting: Turn[] = [];
  readonly #waitingKnown: Turn[] = [];
  #turns = 0;

  constructor(start: StartProcess = startProcess) {
    this.#start = start;
  }

  /** Rejects with PasswordsBusyError. */
  run(job: PasswordJob, known: KnownUser): Promise<PasswordResult> {
    const queue = this.#queueOf(known);
    if (this.#running !== null && queue.length >= MAX_WAITING) {
      return Promise.reject(new PasswordsBusyError('Too many passwords wait to be hashed.'));
    }
    return new Promise((resolve, reject) => {
      queue.push({ job, known, resolve, reject });
      if (this.#running === null) this.#next();
    });
  }

  /** A user's second job waits with the unknown ones, so nobody alone fills the other queue. */
  #queueOf(known: KnownUser): Turn[] {
    const isWaiting = this.#waitingKnown.some((turn) => turn.known === known);
    const hasPlace = known !== null && !isWaiting && this.#waitingKnown.length < MAX_WAITING;
    return hasPlace ? this.#waitingKnown : this.#waiting;
  }

  #next(): void {
    clearTimeout(this.#patience);
    this.#turns += 1;
    const isUnknownsTurn = this.#turns % UNKNOWN_EVERY === 0;
    const queues = [this.#waitingKnown, this.#waiting];
    const [first, second] = isUnknownsTurn ? queues.reverse() : queues;
    this.#running = first!.shift() ?? second!.shift() ?? null;
    if (this.#running === null) {
      this.#rest();
      return;
    }
    try {
      this.#process ??= this.#startProcess(this.#priority);
    } catch (cause) {
      // Without descriptors or memory for a process, this login fails and the next one tries again.
      this.#failRunning(
        new PasswordsBusyError('The process that hashes passwords cannot be started.', { cause }),
      );
      return;
    }
    this.#work(this.#process, this.#running.job);
  }

  #failRunning(error: Error): void {
    this.#running?.reject(error);
    this.#running = null;
    if (this.#waiting.length + this.#waitingKnown.length > 0) this.#next();
  }

  get #priority(): Priority {
    return this.#starvedAt === null ? 'idle' : 'low';
  }

  #work(process: HashProcess, job: PasswordJob): void {
    process.ref();
    process.send(job);
    this.#patience = setTimeout(() => this.#startAgain(), PATIENCE_MS[this.#priority]);
  }

  #rest(): void {
    this.#process?.unref();
    if (this.#starvedAt === null || performance.now() - this.#starvedAt < BUSY_MS) return;
    this.#starvedAt = null;
    const done = this.#process;
    this.#process = null;
    done?.kill('SIGKILL');
  }

  /** Starts the running job again in a process with a small share of the processor. */
  #startAgain(): void {
    if (this.#running === null) return;
    const starved = this.#process;
    try {
      this.#process = this.#startProcess('low');
    } catch {
      this.#patience = setTimeout(() => this.#startAgain(), PATIENCE_MS[this.#priority]);
      return;
    }
    this.#starvedAt = performance.now();
    starved?.kill('SIGKILL');
    this.#work(this.#process, this.#running.job);
  }

  #startProcess(priority: Priority): HashProcess {
    const started: HashProcess = this.#start(priority, {
      onResult: (result) => {
        if (this.#process !== started) return;
        this.#running?.resolve(result);
        this.#next();
      },
      // The next job in the queue gets a new process.
      onExit: () => {
        if (this.#process !== started) return;
        this.#process = null;
        this.#running?.reject(new Error('The process that hashes passwords failed.'));
        this.#next();
      },
    });
    return started;
  }
}

const startProcess: StartProcess = (priority, { onResult, onExit }) =>
  Bun.spawn({
    cmd: [process.execPath, join(import.meta.dir, 'password-process.ts'), priority],
    env: {},
    stdio: ['ignore', 'ignore', 'inherit'],
    // A session of its own has a share of the processor of its own; see there.
    detached: true,
    ipc: onResult,
    onExit,
  });

const sharedHasher = new PasswordHasher();
