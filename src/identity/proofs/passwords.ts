// Passwords: argon2id hashes, one at a time, in a process of its own behind two bounded queues. A
// hash takes 64 MiB and about 130 ms of a core: an unbounded flood of logins would starve
// everything else. In the runtime's pool it would delay the syncs of the journal
// (password-process.ts). password-rules.ts decides which passwords are accepted. Never stores, logs
// or returns a password.
import { join } from 'node:path';
import { type Denial, deny, type Result, success } from '../result.ts';
import { hasPasswordLength, PASSWORD_LENGTH_TEXT } from './password-rules.ts';

export { checkPassword } from './password-rules.ts';

declare const brand: unique symbol;

/** An argon2id hash in PHC form; the type keeps a plain password out of the column for hashes. */
export type PasswordHash = string & { readonly [brand]: 'PasswordHash' };

/** The parameters of argon2id: KiB of memory, and passes over it. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

/** Three times OWASP's minimum of memory: about 130 ms here, and expensive on a graphics card. */
const FULL_COST: PasswordCost = { memoryCost: 65_536, timeCost: 3 };
/** The length of each queue: about two seconds of work. A later caller is rejected. */
const MAX_WAITING = 16;
/** Every fourth turn is reserved for unknown users, so known ones cannot starve them. */
const UNKNOWN_EVERY = 4;

/** A job of the process: a hash where `against` is null, otherwise a comparison. */
export interface PasswordJob {
  readonly password: string;
  readonly against: string | null;
  readonly cost: PasswordCost;
}

export type PasswordResult =
  | { readonly hash: string }
  | { readonly matches: boolean }
  | { readonly failed: string };

/**
 * The name of a user whom a session or a known network identifies; null for an unknown caller. Each
 * has one place at a time in the queue of known users, which a flood of strangers cannot fill.
 */
export type KnownUser = string | null;

/** Hashes and compares passwords. Only tests choose another cost. */
export class Passwords {
  readonly #cost: PasswordCost;
  readonly #hasher: PasswordHasher;
  readonly #prefix: string;
  /** The hash of no password; a comparison with it costs as much as with a real one. */
  readonly #decoy: string;

  constructor(cost: PasswordCost = FULL_COST, hasher: PasswordHasher = sharedHasher) {
    this.#cost = cost;
    this.#hasher = hasher;
    this.#prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`;
    this.#decoy = `${this.#prefix}${randomText(16)}$${randomText(32)}`;
  }

  /** Rejection: overloaded. Rejects with RangeError for a length that is not accepted. */
  async hash(password: string, known: KnownUser = null): Promise<Result<PasswordHash>> {
    if (!hasPasswordLength(password)) throw new RangeError(PASSWORD_LENGTH_TEXT);
    const run = await this.#run(password, null, known);
    if (!run.ok) return run;
    if (!('hash' in run.value)) throw new Error('The password could not be hashed.');
    return success(run.value.hash as PasswordHash);
  }

  /**
   * True if the password has this hash. Without a hash (no such user, or no password) it takes the
   * same time and answers false, so the time does not show who has an account. Rejection:
   * overloaded.
   */
  async verify(
    password: string,
    hash: PasswordHash | null,
    known: KnownUser = null,
  ): Promise<Result<boolean>> {
    if (!hasPasswordLength(password)) return success(false);
    const run = await this.#run(password, hash ?? this.#decoy, known);
    if (!run.ok) return run;
    return success(hash !== null && 'matches' in run.value && run.value.matches);
  }

  /** True if a hash has outdated parameters, so that the next login should replace it. */
  needsRehash(hash: PasswordHash): boolean {
    return !hash.startsWith(this.#prefix);
  }

  /** Keyboards compose accents differently; NFC gives one byte string for one password. */
  #run(password: string, against: string | null, known: KnownUser) {
    return this.#hasher.run(
      { password: password.normalize('NFC'), against, cost: this.#cost },
      known,
    );
  }
}

function randomText(bytes: number): string {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));
  return random.toString('base64').replaceAll('=', '');
}

/** Too many passwords wait, or no process can be started; a later try can succeed. */
const overloaded = (): Denial => deny('overloaded', null, { retryAfterMs: 1_000 });

interface Turn {
  readonly job: PasswordJob;
  readonly known: KnownUser;
  readonly resolve: (result: Result<PasswordResult>) => void;
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

  /** Rejection: overloaded. */
  run(job: PasswordJob, known: KnownUser): Promise<Result<PasswordResult>> {
    const queue = this.#queueOf(known);
    if (this.#running !== null && queue.length >= MAX_WAITING) {
      return Promise.resolve(overloaded());
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
    } catch {
      // Without descriptors or memory for a process, this login fails and the next one tries again.
      this.#running.resolve(overloaded());
      this.#running = null;
      if (this.#waiting.length + this.#waitingKnown.length > 0) this.#next();
      return;
    }
    this.#work(this.#process, this.#running.job);
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
        this.#running?.resolve(success(result));
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
