// The thread that a follower runs in, and the messages between it and the main thread
// (follower-handle.ts). It only passes on: the follower knows nothing of threads.
import { openJournalReader } from '../journal/open-journal.ts';
import { viewsPath } from '../views/view-store.ts';
import type { ViewQuery } from '../views/views.ts';
import { type Checkpoint, Follower } from './follower.ts';
import { type SnapshotKey, snapshotsOf } from './snapshot-store.ts';
import { lowerThreadPriority } from './thread-priority.ts';

/** What the main thread asks for. A `call` is answered with its id. */
export type ToFollower =
  | {
      readonly type: 'start';
      readonly dataDir: string;
      readonly snapshotKeys: readonly SnapshotKey[];
      readonly snapshotEvery: number;
    }
  | { readonly type: 'durable'; readonly leader: Checkpoint }
  | {
      readonly type: 'call';
      readonly id: number;
      readonly durableSeq: number;
      readonly call: Call;
    };

export type Call =
  | { readonly type: 'query'; readonly query: ViewQuery; readonly minSeq: number }
  | { readonly type: 'snapshot'; readonly leader: Checkpoint }
  | { readonly type: 'stop'; readonly leader: Checkpoint };

export type FromFollower =
  | { readonly type: 'committed'; readonly seq: number }
  | { readonly type: 'warning'; readonly sentence: string }
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: Error }
  | { readonly type: 'failure'; readonly error: Error };

/** The lowest priority: on a busy core the thread still runs, at about a seventieth of the leader's share. */
const NICENESS = 19;

declare const self: Worker;

const post = (message: FromFollower): void => self.postMessage(message);
const fail = (cause: unknown): void => {
  post({ type: 'failure', error: cause instanceof Error ? cause : new Error(String(cause)) });
};

/** Resolves when the follower is open; calls wait for it. */
let opening: Promise<Follower> | undefined;

self.onmessage = ({ data }: MessageEvent<ToFollower>): void => {
  if (data.type === 'start') {
    lowerThreadPriority(NICENESS);
    opening = open(data);
    // What the views have from before is said at once, or a quiet venue would seem to lag.
    opening.then(({ appliedSeq }) => post({ type: 'committed', seq: appliedSeq }), fail);
    return;
  }
  // After a failure to open nothing is answered; the main thread has been told and rejects all
  // calls.
  opening
    ?.then((follower) =>
      data.type === 'durable' ? follower.follow(data.leader) : answer(follower, data),
    )
    .catch(() => undefined);
};

function open({
  dataDir,
  snapshotKeys,
  snapshotEvery,
}: Extract<ToFollower, { type: 'start' }>): Promise<Follower> {
  return Follower.open({
    journal: openJournalReader(dataDir),
    viewsPath: viewsPath(dataDir),
    snapshots: snapshotsOf(dataDir, snapshotKeys),
    snapshotEvery,
    onCommitted: (seq) => post({ type: 'committed', seq }),
    onFailure: fail,
    warn: (sentence) => post({ type: 'warning', sentence }),
  });
}

function answer(follower: Follower, message: Extract<ToFollower, { type: 'call' }>): void {
  const { id, durableSeq, call } = message;
  follower.notifyDurable(durableSeq);
  carryOut(follower, call).then(
    (result) => post({ type: 'answer', id, answer: result }),
    (error: Error) => post({ type: 'error', id, error }),
  );
}

function carryOut(follower: Follower, call: Call): Promise<unknown> {
  switch (call.type) {
    case 'query':
      return follower.query(call.query, call.minSeq);
    case 'snapshot':
      return follower.snapshot(call.leader);
    case 'stop':
      return follower.stop(call.leader);
  }
}
