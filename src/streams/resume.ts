// The queue of resumptions: one replay of the journal at a time, in a thread that starts with the
// first job and ends after a pause without jobs. Accounts take turns, and the queue drops jobs that
// nobody waits for, so a client that asks repeatedly does not delay the others.
import { Problem } from '../contract/problem.ts';
import { type CpuSlot, threadCpu } from '../engine/thread-cpu.ts';
import {
  MAX_REPLAYED_COMMANDS,
  MAX_REPLAYED_TEXT,
  MAX_REPLAYS_OF_ONE,
  MAX_REPLAYS_WAITING,
  REPLAY_IDLE_MS,
} from './limits.ts';
import type { MissedMessage, ReplayJob, ReplayQuestion, ReplayReply } from './resume-worker.ts';

/** The messages that an account has missed on a channel: those after `fromSeq`, up to `uptoSeq`. */
export type Resumption = Pick<ReplayJob, 'uid' | 'channel' | 'fromSeq' | 'uptoSeq'>;

/** The subscription that resumes. */
export interface Resuming {
  /** True if it still waits for the missed messages. */
  isWanted(): boolean;
  /** Called at its turn. Throws Problem where its budget does not allow it. */
  requireBudget(): void;
  deliver(part: readonly MissedMessage[]): Promise<void>;
  /** Pays for so many milliseconds of the replay thread's processor time. */
  spend(cpuMs: number): void;
}

/** The files that every replay reads, and its bounds. */
type ReplaySource = Omit<ReplayJob, keyof Resumption>;
type SourceOptions = Pick<ReplaySource, 'dataDir' | 'snapshotKeys'> & Partial<ReplaySource>;

interface Waiting {
  readonly job: Resumption;
  readonly resuming: Resuming;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class Resumptions {
  readonly #source: ReplaySource;
  #waiting: Waiting[] = [];
  /** By uid, the turn that an account had last, while any wait. */
  readonly #served = new Map<number, number>();
  #turns = 0;
  #current: Waiting | null = null;
  #worker: Worker | null = null;
  #cpu: CpuSlot | null = null;
  #idle: ReturnType<typeof setTimeout> | null = null;

  constructor(options: SourceOptions) {
    const bounds = { maxCommands: MAX_REPLAYED_COMMANDS, maxText: MAX_REPLAYED_TEXT };
    this.#source = { ...bounds, ...options };
  }

  /**
   * Delivers the missed messages, oldest first, in parts, while they are wanted. Rejects with
   * Problem resumeTooOld, rateLimited, or overloaded when too many wait.
   */
  run(job: Resumption, resuming: Resuming): Promise<void> {
    if (job.fromSeq >= job.uptoSeq) return Promise.resolve();
    this.#dropUnwanted();
    const own = this.#waiting.filter((waiting) => waiting.job.uid === job.uid).length;
    if (own >= MAX_REPLAYS_OF_ONE || this.#waiting.length >= MAX_REPLAYS_WAITING) {
      return Promise.reject(new Problem('overloaded'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resuming, resolve, reject });
      this.#next();
    });
  }

  close(): void {
    this.#end(new Problem('stopping'));
  }

  #dropUnwanted(): void {
    const [wanted, unwanted] = [[] as Waiting[], [] as Waiting[]];
    for (const waiting of this.#waiting) {
      (waiting.resuming.isWanted() ? wanted : unwanted).push(waiting);
    }
    this.#waiting = wanted;
    for (const { resolve } of unwanted) resolve();
  }

  #next(): void {
    if (this.#current !== null) return;
    this.#dropUnwanted();
    const next = this.#takeNext();
    if (next === undefined) return;
    try {
      next.resuming.requireBudget();
    } catch (error) {
      next.reject(error as Error);
      this.#next();
      return;
    }
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#current = next;
    this.#ask({ ...this.#source, ...next.job });
  }

  #ask(question: ReplayQuestion): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(question);
  }

  /** The job that has waited longest, of the account whose last turn was longest ago. */
  #takeNext(): Waiting | undefined {
    if (this.#waiting.length === 0) {
      this.#served.clear();
      return undefined;
    }
    const turnOf = ({ job }: Waiting): number => this.#served.get(job.uid) ?? 0;
    const next = this.#waiting.reduce((first, one) => (turnOf(one) < turnOf(first) ? one : first));
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#turns++;
    this.#served.set(next.job.uid, this.#turns);
    return next;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./resume-worker.ts', import.meta.url).href);
    worker.onmessage = ({ data }: MessageEvent<ReplayReply>) => void this.#receive(data);
    worker.onerror = ({ message }) => this.#end(new Error(`The replay failed: ${message}`));
    this.#cpu = threadCpu.open('resume');
    worker.postMessage({ cpu: this.#cpu } satisfies ReplayQuestion);
    return worker;
  }

  async #receive({ answer, cpuMs }: ReplayReply): Promise<void> {
    const done = this.#current;
    done?.resuming.spend(cpuMs);
    if (done !== null && 'missed' in answer) {
      await done.resuming.deliver(answer.missed).catch((error: Error) => done.reject(error));
      // The queue may have been closed during the delivery.
      if (this.#current !== done) return;
      if (answer.more && done.resuming.isWanted()) {
        this.#ask('next');
        return;
      }
    }
    this.#current = null;
    if ('missed' in answer) done?.resolve();
    else if ('error' in answer) done?.reject(new Error(answer.error));
    else if ('archivedUpTo' in answer) done?.reject(archivedAway(done.job, answer.archivedUpTo));
    else done?.reject(new Problem('resumeTooOld', { details: tooOld(done.job) }));
    this.#next();
    if (this.#current !== null) return;
    this.#idle = setTimeout(() => this.#stop(), REPLAY_IDLE_MS);
    this.#idle.unref();
  }

  /** Ends the thread and rejects all waiting calls with the reason. */
  #end(reason: Error): void {
    this.#stop();
    const waiting = this.#current === null ? [] : [this.#current];
    this.#current = null;
    for (const { reject } of [...waiting, ...this.#waiting.splice(0)]) reject(reason);
  }

  #stop(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#worker?.terminate();
    this.#worker = null;
    if (this.#cpu !== null) threadCpu.close(this.#cpu);
    this.#cpu = null;
  }
}

const tooOld = ({ fromSeq }: Resumption) => ({
  field: 'resumeFrom',
  rule: 'replayable',
  value: fromSeq,
});

function archivedAway(job: Resumption, first: number | null): Problem {
  const details = tooOld(job);
  const later = first === null ? '' : ` Positions from ${first} on can be resumed.`;
  return new Problem('resumeTooOld', {
    userMsg: `What came after this position was archived. Subscribe without resumeFrom.${later}`,
    details: first === null ? details : { ...details, limit: first },
  });
}
