// The queue of resumptions: one replay of the journal at a time, in a thread that is started for the first and ends when none
// has come for a while. The main thread never waits for it.
import { Problem } from '../contract/problem.ts';
import { MAX_REPLAYS_WAITING, REPLAY_IDLE_MS } from './limits.ts';
import type { Missed, ReplayAnswer, ReplayJob } from './resume-worker.ts';

interface Waiting {
  readonly job: ReplayJob;
  readonly resolve: (missed: readonly Missed[]) => void;
  readonly reject: (error: Error) => void;
}

export class Resumptions {
  readonly #waiting: Waiting[] = [];
  #current: Waiting | null = null;
  #worker: Worker | null = null;
  #idle: ReturnType<typeof setTimeout> | null = null;

  /**
   * What the owner has missed between the two seqs of the job, oldest first. Rejects with Problem resumeTooOld, or overloaded
   * when too many wait.
   */
  run(job: ReplayJob): Promise<readonly Missed[]> {
    if (job.fromSeq >= job.uptoSeq) return Promise.resolve([]);
    if (this.#waiting.length >= MAX_REPLAYS_WAITING) {
      return Promise.reject(new Problem('overloaded'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      this.#next();
    });
  }

  close(): void {
    this.#end(new Problem('stopping'));
  }

  #next(): void {
    if (this.#current !== null) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#current = next;
    this.#worker ??= this.#start();
    this.#worker.postMessage(next.job);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./resume-worker.ts', import.meta.url).href);
    worker.onmessage = ({ data }: MessageEvent<ReplayAnswer>) => this.#receive(data);
    worker.onerror = ({ message }) => this.#end(new Error(`The replay failed: ${message}`));
    return worker;
  }

  #receive(answer: ReplayAnswer): void {
    const done = this.#current;
    this.#current = null;
    if ('missed' in answer) done?.resolve(answer.missed);
    else if ('error' in answer) done?.reject(new Error(answer.error));
    else done?.reject(new Problem('resumeTooOld', { details: tooOld(done.job) }));
    this.#next();
    if (this.#current !== null) return;
    this.#idle = setTimeout(() => this.#stop(), REPLAY_IDLE_MS);
    this.#idle.unref();
  }

  /** Ends the thread; whoever waits is told why. */
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
  }
}

const tooOld = ({ fromSeq }: ReplayJob) => ({
  field: 'resumeFrom',
  rule: 'replayable',
  value: fromSeq,
});
