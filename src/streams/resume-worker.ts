// The thread that replays the journal for one account. It reads beside the writer, answers one job
// at a time, and stops a job that becomes too large.
import type { OwnChannel } from '../contract/streams/requests.ts';
import { type ReplayOptions, replay, replayableFrom, replayLength } from '../engine/replay.ts';
import { type CpuSlot, reportCpu } from '../engine/thread-cpu.ts';
import { lowerThreadPriority } from '../engine/thread-priority.ts';
import { MESSAGE_ROWS } from './limits.ts';
import { isOwn, OwnerFeed } from './owner-feed.ts';

/** Below the leader, above the follower: a client waits for the result. */
const NICENESS = 10;
const PART_TEXT = 1 << 16;

export interface ReplayJob extends ReplayOptions {
  readonly uid: number;
  readonly channel: OwnChannel;
  /** Commands that it may replay, and characters that it may yield. */
  readonly maxCommands: number;
  readonly maxText: number;
}

/** A message that the owner has missed, without its frame. */
export interface MissedMessage {
  readonly seq: number;
  readonly transactTime: number;
  readonly data: string;
}

export type ReplayAnswer =
  /** In order; `more` follow when they are asked for. */
  | { readonly missed: readonly MissedMessage[]; readonly more: boolean }
  | { readonly tooMuch: true }
  /** The records after the job's place were archived; the first place that it was not, if any. */
  | { readonly archivedUpTo: number | null }
  | { readonly error: string };

/** The answer to one question. */
export interface ReplayReply {
  readonly answer: ReplayAnswer;
  /** Processor time that the thread spent on it. */
  readonly cpuMs: number;
}

/** A job, the request for the next part of the last one, or, first of all, the thread's slot. */
export type ReplayQuestion = ReplayJob | 'next' | { readonly cpu: CpuSlot };

declare const self: Worker;

/** Results of the last job that were not sent yet. */
let left: MissedMessage[] = [];

self.onmessage = ({ data }: MessageEvent<ReplayQuestion>): void => {
  if (data !== 'next' && 'cpu' in data) {
    reportCpu(data.cpu);
    return;
  }
  void reply(data);
};

/** Measures processor time: the caller must not pay for the other work of a busy machine. */
async function reply(question: ReplayJob | 'next'): Promise<void> {
  const before = process.threadCpuUsage();
  const answer = await answerTo(question).catch((error) => ({ error: String(error) }));
  const { user, system } = process.threadCpuUsage(before);
  self.postMessage({ answer, cpuMs: (user + system) / 1000 } satisfies ReplayReply);
}

const answerTo = async (question: ReplayJob | 'next'): Promise<ReplayAnswer> =>
  question === 'next' ? nextPart() : execute(question);

/** Parts of about PART_TEXT characters: the main thread reads a part in one piece. */
function nextPart(): ReplayAnswer {
  let count = 0;
  for (let size = 0; count < left.length && size < PART_TEXT; count++) {
    size += left[count]!.data.length;
  }
  return { missed: left.splice(0, count), more: left.length > 0 };
}

async function execute(job: ReplayJob): Promise<ReplayAnswer> {
  left = [];
  const first = await replayableFrom(job.dataDir);
  if (first === null || job.fromSeq < first) return { archivedUpTo: first };
  if (replayLength(job) > job.maxCommands) return { tooMuch: true };
  const { uid, channel, maxText } = job;
  const feed = new OwnerFeed(uid);
  const missed: MissedMessage[] = [];
  let size = 0;
  const reached = await replay(job, {
    begin({ state }) {
      feed.begin(channel, state);
      state.eventFilter.owners.add(uid);
    },
    command({ events, state }, isLast) {
      for (const event of events) {
        if (isOwn(event) && event.uid === uid) feed.receive(event, state.seq);
      }
      while (feed.waiting >= (isLast ? 1 : MESSAGE_ROWS) && size <= maxText) {
        const update = feed.next(state);
        if (update === null) break;
        missed.push({ seq: update.seq, transactTime: update.time, data: update.data });
        size += update.data.length;
      }
      return size <= maxText;
    },
  });
  if (!reached || size > maxText) return { tooMuch: true };
  left = missed;
  return nextPart();
}

lowerThreadPriority(NICENESS);
