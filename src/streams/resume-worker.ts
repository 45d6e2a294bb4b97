// The thread in which the past of an account is lived through again. It reads beside the writer, answers one job at a time and
// stops where a job becomes too much.
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { OwnChannel } from '../contract/stream.ts';
import { type ReplayOptions, replay, replayLength } from '../engine/replay.ts';
import { isOwn, OwnerFeed } from './owner-feed.ts';

export interface ReplayJob extends ReplayOptions {
  readonly uid: number;
  readonly channel: OwnChannel;
  /** Commands that may be gone through, and characters that may come of it. */
  readonly maxCommands: number;
  readonly maxText: number;
}

/** A message that the owner has missed, without its frame. */
export interface Missed {
  readonly seq: number;
  readonly transactTime: number;
  readonly data: string;
}

export type ReplayAnswer =
  | { readonly missed: readonly Missed[] }
  | { readonly tooMuch: true }
  | { readonly error: string };

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<ReplayJob>): void => {
  carryOut(data).then(
    (answer) => self.postMessage(answer),
    (error) => self.postMessage({ error: String(error) } satisfies ReplayAnswer),
  );
};

async function carryOut(job: ReplayJob): Promise<ReplayAnswer> {
  if (replayLength(job) > job.maxCommands) return { tooMuch: true };
  const { uid, channel, maxText } = job;
  const feed = new OwnerFeed(uid);
  const missed: Missed[] = [];
  let size = 0;
  const reached = await replay(job, {
    begin({ state }) {
      feed.begin(channel, state);
      state.audience.addOwner(uid);
    },
    command({ events }) {
      for (const event of events) if (isOwn(event) && event.uid === uid) feed.see(event);
    },
    record({ state }) {
      for (const { data } of feed.flush(state)) {
        missed.push({ seq: state.seq, transactTime: state.time, data });
        size += data.length;
      }
      return size <= maxText;
    },
  });
  return reached && size <= maxText ? { missed } : { tooMuch: true };
}

/** The leader goes first: on Linux a thread has a priority of its own, under its thread id. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/')[2]), 10);
  } catch {
    // Where that is not allowed it runs like any other.
  }
}

lowerPriority();
