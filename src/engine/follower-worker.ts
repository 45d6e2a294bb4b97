// The thread that a follower runs in, and the messages between it and the main thread
// (follower-handle.ts). It only passes on: the follower knows nothing of threads.
import { openHistory } from '../journal/open-journal.ts';
import { viewsPath } from '../views/view-store.ts';
import { type Unavailability, type ViewQuery, ViewsUnavailable } from '../views/views.ts';
import type { Checkpoint } from './follower.ts';
import { FollowerRestarts, type FollowerStatus } from './follower-restarts.ts';
import { ReplayMark } from './replay-mark.ts';
import { type SnapshotKey, snapshotsOf } from './snapshot-store.ts';
import { type CpuSlot, reportCpu } from './thread-cpu.ts';
import { lowerThreadPriority } from './thread-priority.ts';

/** The requests of the main thread. A `call` is answered with its id. */
export type ToFollower =
  | {
      readonly type: 'start';
      readonly dataDir: string;
      readonly archive: string | null;
      readonly snapshotKeys: readonly SnapshotKey[];
      readonly snapshotEvery: number;
      readonly cpu: CpuSlot;
    }
  | {
      readonly type: 'durable';
      readonly leader: Checkpoint;
      readonly isBusy: boolean;
      readonly orderId: number;
    }
  | {
      readonly type: 'call';
      readonly id: number;
      readonly durableSeq: number;
      readonly call: Call;
    };

export type Call =
  | {
      readonly type: 'query';
      readonly query: ViewQuery;
      readonly minSeq: number;
      /** By monotonicMs, which all threads share. */
      readonly expiresAt: number;
    }
  | { readonly type: 'snapshot'; readonly leader: Checkpoint }
  | { readonly type: 'stop'; readonly leader: Checkpoint };

export type FromFollower =
  | { readonly type: 'committed'; readonly seq: number }
  | { readonly type: 'warning'; readonly sentence: string }
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: Error }
  | {
      readonly type: 'unavailable';
      readonly id: number;
      readonly reason: Unavailability;
      readonly lag: number;
    }
  | { readonly type: 'status'; readonly status: FollowerStatus }
  | { readonly type: 'failure'; readonly error: Error };

/**
 * A low priority: on a busy core the thread has about a tenth of the leader's share. At the lowest
 * one, reads of history missed their deadline on a machine with other work.
 */
const NICENESS = 10;

declare const self: Worker;

const post = (message: FromFollower): void => self.postMessage(message);

let follower: FollowerRestarts | undefined;

self.onmessage = ({ data }: MessageEvent<ToFollower>): void => {
  if (data.type === 'start') {
    lowerThreadPriority(NICENESS);
    reportCpu(data.cpu);
    follower = start(data);
  } else if (data.type === 'durable') {
    follower!.follow(data.leader, data.isBusy, data.orderId);
  } else {
    answer(follower!, data);
  }
};

function start({
  dataDir,
  archive,
  snapshotKeys,
  snapshotEvery,
}: Extract<ToFollower, { type: 'start' }>): FollowerRestarts {
  return new FollowerRestarts({
    openJournal: () => openHistory(dataDir, archive),
    viewsPath: viewsPath(dataDir),
    snapshots: snapshotsOf(dataDir, snapshotKeys),
    snapshotEvery,
    mark: new ReplayMark(dataDir, 'follower'),
    onCommitted: (seq) => post({ type: 'committed', seq }),
    onStatus: (status) => post({ type: 'status', status }),
    onFailure: (error) => post({ type: 'failure', error }),
    warn: (sentence) => post({ type: 'warning', sentence }),
  });
}

function answer(
  follower: FollowerRestarts,
  { id, durableSeq, call }: Extract<ToFollower, { type: 'call' }>,
): void {
  follower.notifyDurable(durableSeq);
  execute(follower, call).then(
    (result) => post({ type: 'answer', id, answer: result }),
    (error: Error) => {
      if (!(error instanceof ViewsUnavailable)) post({ type: 'error', id, error });
      // A clone of an error loses its class and its fields.
      else post({ type: 'unavailable', id, reason: error.reason, lag: error.lag });
    },
  );
}

function execute(follower: FollowerRestarts, call: Call): Promise<unknown> {
  switch (call.type) {
    case 'query':
      return follower.query(call.query, call.minSeq, call.expiresAt);
    case 'snapshot':
      return follower.snapshot(call.leader);
    case 'stop':
      return follower.stop(call.leader);
  }
}
