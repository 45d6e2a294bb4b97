// The follower: a second exchange that replays the journal, writes the views and takes the
// snapshots, so that the leader stalls for neither. It compares its state hash with the leader's
// at each checkpoint, and publishes a snapshot only there. It applies durable commands only. It
// runs in a worker thread (follower-worker.ts) or in process.
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { assert } from '../core/assert.ts';
import { Exchange } from '../core/exchange.ts';
import { type DiskTrouble, diskTroubleOf, HistoryStopped } from '../views/disk-trouble.ts';
import { ViewStore, ViewsUnusable } from '../views/view-store.ts';
import { type AnswerTo, runQuery, type ViewQuery, ViewsUnavailable } from '../views/views.ts';
import { monotonicMs } from './clock.ts';
import { defers } from './follower-pace.ts';
import {
  findStart,
  fromGenesis,
  type JournalSource,
  requireHistory,
  type Start,
} from './follower-start.ts';
import { RecordRun } from './recovery.ts';
import { type ReplayMark, replayMarkPath } from './replay-mark.ts';
import { emptyState, removeUnfinished, type Snapshots, writeSnapshot } from './snapshot-store.ts';
import { WaitingQueries } from './waiting-queries.ts';

/** The state at a position in the journal, as leader and follower compare it. */
export interface Checkpoint {
  readonly seq: number;
  readonly stateHash: string;
}

export interface FollowerOptions {
  /** The follower closes it when it stops. */
  readonly journal: JournalSource;
  /** The file of the views. */
  readonly viewsPath: string;
  readonly snapshots: Snapshots;
  /** Commands from one snapshot to the next. */
  readonly snapshotEvery: number;
  /** After a snapshot of more bytes, the journal grows by its size before the next one. */
  readonly smallSnapshot?: number;
  /** The views contain the history up to `seq`. */
  readonly onCommitted: (seq: number) => void;
  /** Called once, when the follower has failed: the process must stop. */
  readonly onFailure: (error: Error) => void;
  /** A snapshot could not be written, with null when one was written again. */
  readonly onSnapshot?: (trouble: DiskTrouble | null, error?: Error) => void;
  /** Warns the operator about the views or a snapshot. */
  readonly warn: (sentence: string) => void;
  /** Marks the commands that are applied or committed. */
  readonly mark?: ReplayMark;
  /** Monotonic, ms; the process's own unless a test sets it. */
  readonly clock?: () => number;
}

/** The delay of a change for queries without a seq. It merges the reports of an order. */
const BATCH_MS = 100;
/** The follower works this long before it looks for queries. */
const SLICE_MS = 5;

/**
 * The events of a large command, or of a slice of it. Its transaction is followed by a collection
 * of garbage: otherwise a large order takes half as much memory again.
 */
const LARGE_COMMAND = 1_000;

/** Between two looks at whether a portion is still left for later. */
const DEFER_MS = 20;
/** Checkpoints of the leader ahead of the follower; beyond this number it drops half of them. */
const MAX_LEADER_STATES = 10_000;

/** Bytes of a snapshot that is written in a moment. */
export const SMALL_SNAPSHOT = 8 * 1024 * 1024;

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;

/** The pause after so many failed writes in a row, ms. */
export const retryAfterMs = (failures: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);

/** Throws HistoryStopped where a command has ended the process too often. */
function requireNotStopped({ mark, viewsPath }: FollowerOptions): void {
  if (mark === undefined || mark.poison === null) return;
  throw new HistoryStopped(
    `the process ended three times while it wrote command ${mark.poison} alone. With more ` +
      `memory or another release, stop the server and remove ${replayMarkPath(dirname(viewsPath))}`,
  );
}

export class Follower {
  readonly #options: FollowerOptions;
  readonly #exchange: Exchange;
  readonly #store: ViewStore;
  /** The chain hash of the record that has the last applied command. */
  #chainHash: Uint8Array;
  #snapshotSeq: number;
  /**
   * The bytes of the journal that come before the next snapshot. After a large one they are as many
   * as it has: the state remembers up to two million signatures, and a busy venue would write them
   * each ten seconds.
   */
  #bytesToSnapshot = 0;
  /** Failed snapshots in a row, and the time of the next attempt. */
  #snapshotFailures = 0;
  #snapshotNotBefore = 0;
  #durableSeq: number;
  /** States of the leader ahead of this exchange, ascending. */
  #leaderStates: Checkpoint[] = [];
  readonly #waiting = new WaitingQueries();
  /** Settles when the tailing in progress has ended. */
  #tailing: Promise<void> | null = null;
  /** Commits what was applied first. */
  #batchTimer: ReturnType<typeof setTimeout> | null = null;
  #failure: Error | null = null;
  #stopped = false;
  /** The id of the leader’s next order. */
  #leaderOrderId = 0;
  /** When the leader last said that it was busy. */
  #leaderBusyAt = Number.NEGATIVE_INFINITY;
  /** The transaction has a large command. */
  #isLarge = false;
  /** Ends the pause before the next portion, if there is one. */
  #endPause: (() => void) | null = null;

  readonly #clock: () => number;

  private constructor(options: FollowerOptions, store: ViewStore, start: Start) {
    this.#options = options;
    this.#clock = options.clock ?? monotonicMs;
    this.#store = store;
    this.#exchange = start.exchange;
    this.#snapshotSeq = start.snapshotSeq;
    this.#chainHash = store.chainHash;
    this.#durableSeq = store.appliedSeq;
  }

  /**
   * Opens the views, or rebuilds them where they do not belong to the journal. Tailing starts with
   * the first notifyDurable. Throws what reading the journal throws.
   */
  static async open(options: FollowerOptions): Promise<Follower> {
    removeUnfinished(options.snapshots);
    requireNotStopped(options);
    let exchange = new Exchange(emptyState());
    const openStore = (): ViewStore =>
      ViewStore.open(options.viewsPath, () => exchange.state.instruments);
    const rebuild = async (why: string): Promise<ViewStore> => {
      // Views that cannot be built again are kept.
      await requireHistory(options.journal, 1);
      options.warn(`The views in ${options.viewsPath} are rebuilt from the journal: ${why}.`);
      ViewStore.remove(options.viewsPath);
      return openStore();
    };
    let store: ViewStore;
    try {
      store = openStore();
    } catch (error) {
      if (!(error instanceof ViewsUnusable)) throw error;
      store = await rebuild(error.message);
    }
    try {
      let start = await findStart(options, store);
      if (typeof start === 'string') {
        store.close();
        store = await rebuild(start);
        start = fromGenesis(options);
      }
      exchange = start.exchange;
      return new Follower(options, store, start);
    } catch (error) {
      store.close();
      throw error;
    }
  }

  /** The last seq that queries see without waiting. */
  get appliedSeq(): number {
    return this.#store.appliedSeq;
  }

  /** The journal is durable up to `seq`, which ends a record. */
  notifyDurable(seq: number): void {
    if (seq <= this.#durableSeq || this.#ended) return;
    this.#durableSeq = seq;
    this.#tailing ??= this.#tail().then(
      () => {
        this.#tailing = null;
      },
      (error) => this.#fail(error),
    );
  }

  /** Goes to the leader's checkpoint, which is durable, and compares; later while it is busy. */
  follow(leader: Checkpoint, isBusy = false, orderId = 0): void {
    if (this.#ended) return;
    this.#leaderOrderId = orderId;
    if (isBusy) this.#leaderBusyAt = this.#clock();
    if (leader.seq === this.#exchange.state.seq) {
      if (this.#compareAndFail(leader)) this.#takeSnapshotInTime();
    } else if (leader.seq > (this.#leaderStates.at(-1)?.seq ?? this.#exchange.state.seq)) {
      this.#leaderStates.push(leader);
      if (this.#leaderStates.length > MAX_LEADER_STATES) {
        this.#leaderStates = this.#leaderStates.filter((_, index) => index % 2 === 1);
      }
    }
    this.notifyDurable(leader.seq);
  }

  /**
   * Like ViewReader.query, with the deadline `expiresAt` of the clock. Also rejects when the
   * follower stops before.
   */
  query<Q extends ViewQuery>(
    query: Q,
    minSeq: number,
    expiresAt = Number.POSITIVE_INFINITY,
  ): Promise<AnswerTo<Q>> {
    return this.#when(
      minSeq,
      () => {
        if (minSeq > this.#store.appliedSeq) this.#commit();
        return runQuery(this.#store, query);
      },
      expiresAt,
    );
  }

  /** Writes a snapshot at the leader's checkpoint; rejects when the states differ. */
  snapshot(leader: Checkpoint): Promise<Checkpoint> {
    this.follow(leader);
    return this.#when(leader.seq, () => {
      this.#compareAndFail(leader);
      if (this.#failure !== null) throw this.#failure;
      this.#takeSnapshot();
      return leader;
    });
  }

  /** Writes a snapshot at the leader's last checkpoint, and closes everything. */
  async stop(leader: Checkpoint): Promise<void> {
    await this.snapshot(leader);
    await this.#close();
  }

  /** Closes everything immediately; the next start repeats uncommitted work. */
  async abandon(): Promise<void> {
    await this.#close();
  }

  get #ended(): boolean {
    return this.#stopped || this.#failure !== null;
  }

  /** Runs `action` as soon as the exchange has applied `seq`, between two commands. */
  #when<T>(seq: number, action: () => T, expiresAt = Number.POSITIVE_INFINITY): Promise<T> {
    this.#expireWaiting();
    return new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          if (this.#clock() >= expiresAt) throw this.#behind();
          resolve(action());
        } catch (error) {
          reject(error);
        }
      };
      if (this.#failure !== null) reject(this.#failure);
      else if (this.#stopped) reject(stoppedError());
      else if (seq <= this.#exchange.state.seq) run();
      else {
        this.#waiting.add({ minSeq: seq, expiresAt, run, reject });
        this.#endPause?.();
      }
    });
  }

  async #tail(): Promise<void> {
    const { state } = this.#exchange;
    let sliceStart = performance.now();
    while (state.seq < this.#durableSeq && !this.#ended) {
      await this.#pause();
      const uptoSeq = this.#durableSeq;
      for await (const group of this.#options.journal.read(state.seq + 1, uptoSeq)) {
        for (const record of group) {
          this.#bytesToSnapshot -= record.payload.length;
          // The views may stand in the middle of the first one.
          const goesOn = record.firstSeq <= state.seq;
          const run = new RecordRun(this.#exchange, record, goesOn);
          do {
            if (performance.now() - sliceStart >= SLICE_MS) {
              await nextTurn();
              this.#expireWaiting();
              sliceStart = performance.now();
            }
            if (this.#ended) return;
          } while (this.#applyNext(run));
        }
      }
      assert(state.seq === uptoSeq || this.#ended, 'the journal has every durable record');
    }
  }

  /** Leaves the machine to the leader until the next portion is due. */
  async #pause(): Promise<void> {
    const start = this.#clock();
    const { state } = this.#exchange;
    const isDeferred = (now: number): boolean =>
      !this.#ended &&
      defers({
        sinceBusyMs: now - this.#leaderBusyAt,
        isAwaited: this.#waiting.size > 0,
        changes: Math.max(this.#durableSeq - state.seq, this.#leaderOrderId - state.next.orderId),
        ms: now - start,
      });
    while (isDeferred(this.#clock())) {
      await new Promise<void>((resolve) => {
        this.#endPause = resolve;
        setTimeout(resolve, DEFER_MS);
      });
    }
    this.#endPause = null;
  }

  /** Applies the next command of a record; false where there is none. */
  #applyNext(run: RecordRun): boolean {
    const store = this.#store;
    const { state } = this.#exchange;
    const { mark } = this.#options;
    const seq = state.seq + 1;
    // Commands that the last process ended at are written alone, so another end names one of them.
    const isAlone = mark?.isSuspicious(seq) === true;
    if (isAlone) this.#commit();
    mark?.at(seq);
    const isApplied = run.next() !== null;
    if (isApplied) store.apply(this.#exchange.events, state.seq);
    mark?.clear();
    if (!isApplied) return false;
    this.#isLarge ||= this.#exchange.events.length >= LARGE_COMMAND;
    if (this.#batchTimer === null) this.#startBatch();
    this.#chainHash = run.record.chainHash;
    const agrees = this.#compareHere();
    if (this.#ended) return true;
    if (store.isFull || isAlone) this.#commit();
    if (agrees) this.#takeSnapshotInTime();
    for (const { run } of this.#waiting.takeReady(state.seq)) run();
    return true;
  }

  /** True if the leader's state here is known and the same; fails the follower if it differs. */
  #compareHere(): boolean {
    const [next] = this.#leaderStates;
    if (next === undefined || next.seq > this.#exchange.state.seq) return false;
    this.#leaderStates.shift();
    return this.#compareAndFail(next);
  }

  #compareAndFail(leader: Checkpoint): boolean {
    const { state } = this.#exchange;
    assert(leader.seq === state.seq, 'the leader stands between two records');
    const stateHash = state.stateHash();
    if (stateHash === leader.stateHash) return true;
    this.#fail(new DivergenceError(leader, stateHash));
    return false;
  }

  /** Drops expired queries, so that their number stays bounded in a follower that is behind. */
  #expireWaiting(): void {
    if (this.#waiting.size === 0) return;
    for (const { reject } of this.#waiting.takeExpired(this.#clock())) reject(this.#behind());
  }

  #behind(): ViewsUnavailable {
    return new ViewsUnavailable('behind', this.#durableSeq - this.#store.appliedSeq);
  }

  #startBatch(): void {
    this.#batchTimer = setTimeout(() => {
      try {
        this.#commit();
      } catch {
        // It was reported as the failure of the follower.
      }
    }, BATCH_MS);
  }

  /** Makes everything applied visible to queries. An error also fails the follower. */
  #commit(withOpenOrders = false): void {
    if (this.#batchTimer !== null) clearTimeout(this.#batchTimer);
    this.#batchTimer = null;
    if (this.#store.buffered === 0 && !withOpenOrders) return;
    const { mark } = this.#options;
    const { appliedSeq, buffered } = this.#store;
    // Without a command it writes the open orders there.
    mark?.at(appliedSeq + Math.sign(buffered), appliedSeq + buffered);
    try {
      this.#store.commit(this.#chainHash, this.#exchange.state.stateHash(), withOpenOrders);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
    mark?.clear();
    this.#options.onCommitted(this.#store.appliedSeq);
    if (this.#isLarge) Bun.gc(false);
    this.#isLarge = false;
  }

  /**
   * Commits, and writes a snapshot unless the newest one is here. Called only where the leader's
   * state is the same. A failed write fails the follower unless it is the disk's fault.
   */
  #takeSnapshot(): void {
    const { state } = this.#exchange;
    const { onSnapshot, snapshots, smallSnapshot = SMALL_SNAPSHOT } = this.#options;
    this.#commit(true);
    if (state.seq === this.#snapshotSeq) return;
    try {
      // A start uses a snapshot that is not newer than the views.
      this.#store.sync();
      const { size } = statSync(writeSnapshot(snapshots, state, this.#chainHash));
      this.#bytesToSnapshot = size > smallSnapshot ? size : 0;
    } catch (error) {
      const trouble = diskTroubleOf(error);
      if (trouble === null || trouble === 'damaged') {
        this.#fail(error);
      } else {
        this.#snapshotNotBefore = this.#clock() + retryAfterMs(++this.#snapshotFailures);
        onSnapshot?.(trouble, error as Error);
      }
      throw error;
    }
    this.#snapshotSeq = state.seq;
    this.#snapshotFailures = 0;
    onSnapshot?.(null);
  }

  #takeSnapshotInTime(): void {
    const isDue = this.#exchange.state.seq - this.#snapshotSeq >= this.#options.snapshotEvery;
    if (!isDue || this.#bytesToSnapshot > 0 || this.#clock() < this.#snapshotNotBefore) return;
    try {
      this.#takeSnapshot();
    } catch {
      // It was reported; the next attempt is at a later position.
    }
  }

  #fail(cause: unknown): void {
    if (this.#ended) return;
    const failure = cause instanceof Error ? cause : new Error(String(cause));
    this.#failure = failure;
    if (cause instanceof DivergenceError) this.#removeViews('may be wrong');
    else if (diskTroubleOf(cause) === 'damaged') this.#removeViews('are damaged');
    this.#rejectWaiting(failure);
    this.#options.onFailure(failure);
  }

  #removeViews(why: string): void {
    this.#store.close();
    ViewStore.remove(this.#options.viewsPath);
    this.#options.warn(`The views ${why} and were removed; they are rebuilt from the journal.`);
  }

  #rejectWaiting(error: Error): void {
    for (const { reject } of this.#waiting.takeAll()) reject(error);
  }

  async #close(): Promise<void> {
    this.#stopped = true;
    this.#endPause?.();
    if (this.#batchTimer !== null) clearTimeout(this.#batchTimer);
    this.#rejectWaiting(stoppedError());
    await this.#tailing;
    await this.#options.journal.close();
    this.#store.close();
  }
}

const stoppedError = (): Error => new Error('The follower has stopped.');

/** Two states of the same journal differ, and either may be right. */
export class DivergenceError extends Error {
  override readonly name = 'DivergenceError';

  constructor({ seq, stateHash }: Checkpoint, own: string) {
    super(`leader and follower differ at seq ${seq}: ${stateHash} and ${own}`);
  }
}

export const checkpointOf = ({ state }: Exchange): Checkpoint => ({
  seq: state.seq,
  stateHash: state.stateHash(),
});

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
