// When the follower works. While the leader is busy, the follower leaves it the processor and the
// disk, and then works off a large portion, in few transactions.

/** The leader since its last message. */
export interface LeaderLoad {
  /** Processor time of its thread ÷ time, 0 to 1. */
  readonly cpuShare: number;
  /** A timer was late by this: without a free core it is, whatever the share. */
  readonly lateMs: number;
  /** Writes that wait for the disk. */
  readonly queueLength: number;
}

/** Far below the whole core: while others compete for it, the leader gets no more. */
const BUSY_SHARE = 0.3;
const BUSY_LATE_MS = 20;
const BUSY_QUEUE = 100;

export const isBusy = ({ cpuShare, lateMs, queueLength }: LeaderLoad): boolean =>
  cpuShare >= BUSY_SHARE || lateMs >= BUSY_LATE_MS || queueLength >= BUSY_QUEUE;

/** The bounds of a portion. A reader waits a second at most, and these take about half of it. */
export const DEFERRED_CHANGES = 50_000;
export const DEFERRED_MS = 1000;
/** A leader that was not busy for this time has room; one moment of it says nothing. */
export const LEADER_SILENT_MS = 200;

export interface Pending {
  /** Milliseconds since the leader was last busy. */
  readonly sinceBusyMs: number;
  /** A reader or a snapshot waits for the follower. */
  readonly isAwaited: boolean;
  /** Durable commands that it has not applied, or orders where batches have more of them. */
  readonly changes: number;
  /** The time since the last portion. */
  readonly ms: number;
}

/** True if the follower leaves its next portion for later. */
export const defers = ({ sinceBusyMs, isAwaited, changes, ms }: Pending): boolean =>
  sinceBusyMs < LEADER_SILENT_MS && !isAwaited && changes < DEFERRED_CHANGES && ms < DEFERRED_MS;
