// The main thread's end of a follower in a worker thread: it starts the thread, sends the durable
// seqs and the queries, and reports its failure. Durable seqs go out at intervals, since a message
// costs the leader time; a query carries the newest one, so it never waits for the interval.
import {
  type AnswerTo,
  READ_DEADLINE_MS,
  type ViewQuery,
  type ViewReader,
  ViewsUnavailable,
} from '../views/views.ts';
import { monotonicMs } from './clock.ts';
import type { Checkpoint } from './follower.ts';
import { isBusy } from './follower-pace.ts';
import { type FollowerStatus, STARTING } from './follower-restarts.ts';
import type { Call, FromFollower, ToFollower } from './follower-worker.ts';
import { LagClock } from './lag-clock.ts';
import type { SnapshotKey } from './snapshot-store.ts';
import { threadCpu } from './thread-cpu.ts';

export interface FollowerStart {
  readonly dataDir: string;
  /** The directory of the journal's archive. */
  readonly archive?: string | null;
  readonly snapshotKeys: readonly SnapshotKey[];
  /** Commands from one snapshot to the next. */
  readonly snapshotEvery: number;
  /** The leader's current checkpoint, which the follower compares its state with. */
  readonly leader: () => Checkpoint;
  /** The id of the leader’s next order. */
  readonly orderId: () => number;
  /** Commands that wait in the leader. */
  readonly queueLength: () => number;
  /** Called once, when the follower cannot continue: the process must stop. */
  readonly onFailure: (error: Error) => void;
  /** Warns the operator about the views or a snapshot. */
  readonly warn: (sentence: string) => void;
  /** The default deadline of a read; READ_DEADLINE_MS if it is not set. */
  readonly readDeadlineMs?: number;
}

export interface FollowerHandle extends ViewReader {
  /** The journal is durable up to `seq`, which ends a record. */
  notifyDurable(seq: number): void;
  /**
   * Writes a snapshot at the leader's checkpoint, and resolves when it is on disk. Rejects, as
   * `stop` does, when leader and follower differ.
   */
  snapshot(): Promise<Checkpoint>;
  /**
   * Catches up with the stopped leader, writes a snapshot, closes the views and ends the thread. A
   * follower that is far behind ends after `withinMs`, 5 s by default; the next start continues.
   */
  stop(withinMs?: number): Promise<void>;
  /** The last seq in the views, as the follower last reported it. */
  readonly appliedSeq: number;
  /** Durable commands that the views lack. */
  readonly lag: number;
  /** The age of the oldest of them, ms; 0 without any. */
  readonly lagMs: number;
  readonly status: FollowerStatus;
}

/** Between two durability messages; a batch of the follower takes far longer. */
const NOTIFY_MS = 20;

/** Half of the time in which the process must stop, however far behind the views are. */
const STOP_MS = 5000;

const STOPPED = new Error('The follower has stopped.');

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Starts a follower of the journal in `dataDir`, which the caller has opened, in a thread. */
export function startFollower(options: FollowerStart): FollowerHandle {
  return new WorkerFollower(options);
}

class WorkerFollower implements FollowerHandle {
  readonly #options: FollowerStart;
  readonly #worker: Worker;
  readonly #cpu = threadCpu.open('follower');
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #durableSeq = 0;
  #notifiedSeq = 0;
  #notifying = false;
  /** The leader's processor time at the last message, µs, and the time of that. */
  #cpuTime = 0;
  #cpuTimeAt = 0;
  appliedSeq = 0;
  status = STARTING;
  readonly #lagClock = new LagClock(() => performance.now());
  /** Why it rejects all calls. */
  #ended: Error | null = null;

  constructor(options: FollowerStart) {
    this.#options = options;
    this.#worker = new Worker(new URL('./follower-worker.ts', import.meta.url).href);
    this.#worker.onmessage = ({ data }: MessageEvent<FromFollower>) => this.#receive(data);
    this.#worker.onerror = ({ message }) =>
      this.#fail(new Error(`The follower failed: ${message}`));
    this.#worker.addEventListener('close', () => this.#fail(new Error('The follower has ended.')));
    const { dataDir, archive = null, snapshotKeys, snapshotEvery } = options;
    this.#post({ type: 'start', dataDir, archive, snapshotKeys, snapshotEvery, cpu: this.#cpu });
  }

  get lag(): number {
    return this.#durableSeq - this.appliedSeq;
  }

  get lagMs(): number {
    return this.#lagClock.lagMs;
  }

  notifyDurable(seq: number): void {
    this.#durableSeq = seq;
    this.#lagClock.durable(seq);
    if (this.#notifying || this.#ended !== null) return;
    this.#notifying = true;
    const dueAt = performance.now() + NOTIFY_MS;
    setTimeout(() => {
      this.#notifying = false;
      this.#notifyDurable(dueAt);
    }, NOTIFY_MS);
  }

  #notifyDurable(dueAt: number): void {
    if (this.#ended !== null) return;
    const leader = this.#options.leader();
    if (this.#notifiedSeq === leader.seq) return;
    this.#notifiedSeq = leader.seq;
    const isBusy = this.#isLeaderBusy(dueAt);
    this.#post({ type: 'durable', leader, isBusy, orderId: this.#options.orderId() });
  }

  #isLeaderBusy(dueAt: number): boolean {
    const { user, system } = process.threadCpuUsage();
    const [cpuTime, now] = [user + system, performance.now()];
    const cpuShare = (cpuTime - this.#cpuTime) / 1000 / (now - this.#cpuTimeAt);
    this.#cpuTime = cpuTime;
    this.#cpuTimeAt = now;
    return isBusy({ cpuShare, lateMs: now - dueAt, queueLength: this.#options.queueLength() });
  }

  query<Q extends ViewQuery>(
    query: Q,
    minSeq: number,
    withinMs = this.#options.readDeadlineMs ?? READ_DEADLINE_MS,
  ): Promise<AnswerTo<Q>> {
    const expiresAt = monotonicMs() + withinMs;
    const id = this.#nextId;
    const answer = this.#call({ type: 'query', query, minSeq, expiresAt }) as Promise<AnswerTo<Q>>;
    // The thread gives way to all others, so the deadline is kept here; it drops the query as well.
    const timer = setTimeout(
      () => this.#take(id)?.reject(new ViewsUnavailable('behind', this.lag)),
      withinMs,
    );
    const done = () => clearTimeout(timer);
    answer.then(done, done);
    return answer;
  }

  snapshot(): Promise<Checkpoint> {
    return this.#call({ type: 'snapshot', leader: this.#options.leader() }) as Promise<Checkpoint>;
  }

  async stop(withinMs = STOP_MS): Promise<void> {
    const leader = this.#options.leader();
    this.#durableSeq = leader.seq;
    const reached = this.#call({ type: 'stop', leader });
    const timer = setTimeout(() => {
      // The file stays whole, since a commit is one transaction.
      this.#options.warn(
        `The views were stopped ${this.lag} commands behind; they go on from there.`,
      );
      this.#end(STOPPED);
    }, withinMs);
    try {
      await reached;
    } catch (error) {
      if (error !== STOPPED) throw error;
    } finally {
      clearTimeout(timer);
    }
    this.#end(STOPPED);
  }

  #call(call: Call): Promise<unknown> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#post({ type: 'call', id, durableSeq: this.#durableSeq, call });
    });
  }

  #post(message: ToFollower): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromFollower): void {
    switch (message.type) {
      case 'committed':
        this.appliedSeq = message.seq;
        this.#lagClock.applied(message.seq);
        break;
      case 'status':
        this.status = message.status;
        break;
      case 'warning':
        this.#options.warn(message.sentence);
        break;
      case 'answer':
        this.#take(message.id)?.resolve(message.answer);
        break;
      case 'error':
        this.#take(message.id)?.reject(message.error);
        break;
      case 'unavailable':
        this.#take(message.id)?.reject(new ViewsUnavailable(message.reason, message.lag));
        break;
      case 'failure':
        this.#fail(message.error);
        break;
    }
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #fail(error: Error): void {
    if (this.#ended !== null) return;
    this.#end(error);
    this.#options.onFailure(error);
  }

  /** Ends the thread and rejects all waiting calls with the reason. */
  #end(reason: Error): void {
    this.#ended = reason;
    threadCpu.close(this.#cpu);
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }
}
