// The follower of a simulated node, in the node's own thread, on the node's simulated disk.
import type { FollowerHandle, FollowerStart } from '../../src/engine/follower-handle.ts';
import { FollowerRestarts, STARTING } from '../../src/engine/follower-restarts.ts';
import { snapshotsOf } from '../../src/engine/snapshot-store.ts';
import { FileJournalReader } from '../../src/journal/file-journal-reader.ts';
import { viewsPath } from '../../src/views/view-store.ts';
import type { AnswerTo, ViewQuery } from '../../src/views/views.ts';
import type { SimulatedDisk } from './simulated-disk.ts';

/** Steps replace threads. */
export class FollowerInProcess implements FollowerHandle {
  readonly #options: FollowerStart;
  readonly #follower: FollowerRestarts;
  #durableSeq = 0;
  #appliedSeq = 0;
  #status = STARTING;
  readonly lagMs = 0;

  constructor(options: FollowerStart, disk: SimulatedDisk) {
    this.#options = options;
    this.#follower = new FollowerRestarts({
      ...options,
      openJournal: () => new FileJournalReader(disk.mount()),
      viewsPath: viewsPath(options.dataDir),
      snapshots: snapshotsOf(options.dataDir, options.snapshotKeys),
      onCommitted: (seq) => {
        this.#appliedSeq = seq;
      },
      onStatus: (status) => {
        this.#status = status;
      },
    });
  }

  get appliedSeq(): number {
    return this.#appliedSeq;
  }

  get lag(): number {
    return this.#durableSeq - this.#appliedSeq;
  }

  get status(): FollowerHandle['status'] {
    return this.#status;
  }

  notifyDurable(seq: number): void {
    this.#durableSeq = seq;
    this.#follower.follow(this.#options.leader());
  }

  query<Q extends ViewQuery>(query: Q, minSeq: number): Promise<AnswerTo<Q>> {
    return this.#follower.query(query, minSeq);
  }

  snapshot(): ReturnType<FollowerHandle['snapshot']> {
    return this.#follower.snapshot(this.#options.leader());
  }

  stop(): Promise<void> {
    return this.#follower.stop(this.#options.leader());
  }

  /** Lets go of its files, as the end of its process does. */
  async abandon(): Promise<void> {
    // The disk is gone, and closing what was open on it reports that.
    await this.#follower.abandon().catch(() => undefined);
  }
}
