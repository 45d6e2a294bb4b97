// Restarts the follower after a pause when the disk rejects its views. Meanwhile history is not
// available and the leader continues, since the journal has everything. A divergence, a damaged
// journal and faults of the program still end the process.
import { type DiskTrouble, diskTroubleOf } from '../views/disk-trouble.ts';
import { ViewStore } from '../views/view-store.ts';
import { type AnswerTo, type ViewQuery, ViewsUnavailable } from '../views/views.ts';
import { monotonicMs } from './clock.ts';
import {
  type Checkpoint,
  DivergenceError,
  Follower,
  type FollowerOptions,
  retryAfterMs,
} from './follower.ts';
import type { JournalSource } from './follower-start.ts';

export interface FollowerStatus {
  /** The reason why the views cannot be read; null while they are. */
  readonly views: DiskTrouble | 'opening' | null;
  /** Times that the views could not be opened or written. */
  readonly viewFailures: number;
  /** The reason why the last snapshot was not written; null when it was written. */
  readonly snapshots: DiskTrouble | null;
  readonly snapshotFailures: number;
}

export const STARTING: FollowerStatus = {
  views: 'opening',
  viewFailures: 0,
  snapshots: null,
  snapshotFailures: 0,
};

export interface RestartOptions extends Omit<FollowerOptions, 'journal' | 'onSnapshot'> {
  /** A reader of the journal for the next follower. */
  readonly openJournal: () => JournalSource;
  readonly onStatus: (status: FollowerStatus) => void;
  /** The pause after so many failures in a row, ms. */
  readonly retryAfterMs?: (failures: number) => number;
}

/** Between two reports of the same trouble. */
const REPEAT_MS = 60_000;

export class FollowerRestarts {
  readonly #options: RestartOptions;
  readonly #clock: () => number;
  /** The follower, or the attempt to open it; null during a pause. */
  #opening: Promise<Follower> | null = null;
  #follower: Follower | null = null;
  #leader: Checkpoint | null = null;
  #durableSeq = 0;
  #appliedSeq = 0;
  #status = STARTING;
  /** Failures since the last write. */
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #stopped = false;
  readonly #reportedAt = new Map<string, number>();

  constructor(options: RestartOptions) {
    this.#options = options;
    this.#clock = options.clock ?? monotonicMs;
    this.#open();
  }

  /** See Follower.follow. */
  follow(leader: Checkpoint, isBusy = false, orderId = 0): void {
    this.#leader = leader;
    this.#follower?.follow(leader, isBusy, orderId);
    this.notifyDurable(leader.seq);
  }

  /** See Follower.notifyDurable. */
  notifyDurable(seq: number): void {
    this.#durableSeq = Math.max(this.#durableSeq, seq);
    this.#follower?.notifyDurable(seq);
  }

  /** Like Follower.query; rejects with ViewsUnavailable while views cannot be read or written. */
  async query<Q extends ViewQuery>(
    query: Q,
    minSeq: number,
    expiresAt?: number,
  ): Promise<AnswerTo<Q>> {
    try {
      return await (await this.#available()).query(query, minSeq, expiresAt);
    } catch (error) {
      const trouble = diskTroubleOf(error);
      if (trouble === null) throw error;
      if (trouble === 'damaged') this.#failed(error);
      throw this.#unavailable(trouble);
    }
  }

  /** Like Follower.snapshot; rejects with ViewsUnavailable where the disk rejects it. */
  async snapshot(leader: Checkpoint): Promise<Checkpoint> {
    try {
      return await (await this.#available()).snapshot(leader);
    } catch (error) {
      const trouble = diskTroubleOf(error);
      throw trouble === null ? error : this.#unavailable(trouble);
    }
  }

  /** Like Follower.stop. A rejected write is only a warning: the next start replays more. */
  async stop(leader: Checkpoint): Promise<void> {
    try {
      await (await this.#available()).stop(leader);
      this.#stopped = true;
    } catch (error) {
      const trouble = error instanceof ViewsUnavailable ? error.reason : diskTroubleOf(error);
      if (trouble === null) throw error;
      this.#options.warn(`No snapshot was written at this stop (${trouble}).`);
      await this.abandon();
    }
  }

  /** See Follower.abandon. */
  async abandon(): Promise<void> {
    this.#stopped = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    const follower = await this.#opening?.catch(() => null);
    await follower?.abandon();
  }

  #available(): Promise<Follower> {
    return this.#opening ?? Promise.reject(this.#unavailable(this.#status.views));
  }

  #unavailable(reason: FollowerStatus['views']): ViewsUnavailable {
    const known = reason === null || reason === 'opening' ? 'behind' : reason;
    return new ViewsUnavailable(known, this.#durableSeq - this.#appliedSeq);
  }

  #open(): void {
    this.#retry = null;
    const { onCommitted } = this.#options;
    const journal = this.#options.openJournal();
    const opening = Follower.open({
      ...this.#options,
      journal,
      onCommitted: (seq) => {
        this.#written(seq);
        onCommitted(seq);
      },
      onSnapshot: (trouble, error) => this.#snapshotTried(trouble, error),
      onFailure: (error) => this.#failed(error),
    });
    this.#opening = opening;
    opening.then(
      (follower) => this.#opened(follower),
      (error) => {
        this.#failed(error);
        journal.close().catch(() => undefined);
      },
    );
  }

  #opened(follower: Follower): void {
    this.#follower = follower;
    this.#appliedSeq = follower.appliedSeq;
    this.#options.onCommitted(follower.appliedSeq);
    // After a failure only a write shows that the disk takes views again.
    if (this.#failures === 0 || follower.appliedSeq >= this.#durableSeq) {
      this.#setStatus({ views: null });
    }
    if (this.#leader !== null) follower.follow(this.#leader);
    follower.notifyDurable(this.#durableSeq);
  }

  #written(seq: number): void {
    this.#appliedSeq = seq;
    if (this.#failures === 0) return;
    this.#failures = 0;
    this.#setStatus({ views: null });
    this.#options.warn(`The views are written again, up to command ${seq}.`);
  }

  #failed(error: unknown): void {
    if (this.#stopped || this.#retry !== null) return;
    const trouble = error instanceof DivergenceError ? null : diskTroubleOf(error);
    if (trouble === null) {
      this.#stopped = true;
      this.#options.onFailure(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    // No command is at fault where the process ends meanwhile.
    this.#options.mark?.clear();
    const { viewFailures } = this.#status;
    const failed = this.#follower;
    this.#follower = null;
    this.#opening = null;
    this.#setStatus({ views: trouble, viewFailures: viewFailures + 1 });
    const why = (error as Error).message;
    this.#report(`views ${trouble}`, `The views cannot be written (${why}); history answers 503.`);
    const pause = (this.#options.retryAfterMs ?? retryAfterMs)(++this.#failures);
    const closed = failed?.abandon().catch(() => undefined);
    this.#retry = setTimeout(async () => {
      await closed;
      if (this.#stopped) return;
      if (trouble === 'damaged') ViewStore.remove(this.#options.viewsPath);
      this.#open();
    }, pause);
  }

  #snapshotTried(trouble: DiskTrouble | null, error?: Error): void {
    if (trouble === null) {
      if (this.#status.snapshots === null) return;
      this.#setStatus({ snapshots: null });
      this.#options.warn('Snapshots are written again.');
      return;
    }
    const snapshotFailures = this.#status.snapshotFailures + 1;
    this.#setStatus({ snapshots: trouble, snapshotFailures });
    const why = error?.message ?? trouble;
    this.#report(`snapshots ${trouble}`, `A snapshot could not be written (${why}).`);
  }

  #setStatus(changed: Partial<FollowerStatus>): void {
    this.#status = { ...this.#status, ...changed };
    this.#options.onStatus(this.#status);
  }

  #report(subject: string, sentence: string): void {
    const now = this.#clock();
    if (now < (this.#reportedAt.get(subject) ?? 0)) return;
    this.#reportedAt.set(subject, now + REPEAT_MS);
    this.#options.warn(`${sentence} It is tried again.`);
  }
}
