// The position at which a process ended: of the command that was worked on, and of no other.
import { expect, spyOn, test } from 'bun:test';
import { cpSync, writeFileSync } from 'node:fs';
import { SimulatedDisk } from '../../test/sim/simulated-disk.ts';
import { Prng } from '../../test/support/prng.ts';
import { tradedVenue } from '../../test/support/trading-workload.ts';
import { Venue } from '../../test/support/venue.ts';
import { openFollower, TemporaryDirectory, writeLog } from '../../test/support/view-files.ts';
import { ViewStore } from '../views/view-store.ts';
import { ReplayMark, replayMarkPath } from './replay-mark.ts';

test('kills between two commits of the views are no fault of a command', async () => {
  using places = new DisposableStack();
  const place = () => places.use(new TemporaryDirectory()).path;
  const disk = new SimulatedDisk({ seed: 1 });
  const venue = new Venue({ users: 3 });
  await writeLog(disk, venue.log);
  let dataDir = place();
  for (let kills = 0; kills < 3; kills++) {
    const mark = new ReplayMark(dataDir, 'follower');
    const follower = await openFollower(disk, dataDir, { mark });
    follower.notifyDurable(venue.seq);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    // The files as a kill leaves them while commands wait for the next commit.
    const files = place();
    cpSync(dataDir, files, { recursive: true });
    await follower.abandon();
    dataDir = files;
  }
  expect(new ReplayMark(dataDir, 'follower').poison).toBeNull();
});

/** A piece of a follower's work, with its commands. */
type Step = { readonly name: 'apply' | 'commit'; readonly first: number; readonly last: number };

/**
 * A follower's life, which ends before the first step that `ends` is true for. The files that it
 * leaves, or null where it came to the end of the journal.
 */
async function live(
  disk: SimulatedDisk,
  dataDir: string,
  upto: number,
  ends: (step: Step) => boolean,
  files: string,
): Promise<string | null> {
  let isEnded = false;
  const endsHere = (step: Step): void => {
    if (!isEnded && !ends(step)) return;
    if (!isEnded) cpSync(dataDir, files, { recursive: true });
    isEnded = true;
    throw new Error('the process has ended');
  };
  const { apply, commit } = ViewStore.prototype;
  using _apply = spyOn(ViewStore.prototype, 'apply').mockImplementation(function (
    this: ViewStore,
    events,
    seq,
  ) {
    endsHere({ name: 'apply', first: seq, last: seq });
    apply.call(this, events, seq);
  });
  using _commit = spyOn(ViewStore.prototype, 'commit').mockImplementation(function (
    this: ViewStore,
    ...args
  ) {
    const { appliedSeq, buffered } = this;
    endsHere({ name: 'commit', first: appliedSeq + 1, last: appliedSeq + buffered });
    commit.apply(this, args);
  });
  const mark = new ReplayMark(dataDir, 'follower');
  const follower = await openFollower(disk, dataDir, { mark, onFailure: () => undefined });
  follower.notifyDurable(upto);
  await follower.query({ type: 'tickers', now: 0 }, upto).catch(() => undefined);
  await follower.abandon();
  return isEnded ? files : null;
}

async function tradedDisk() {
  const disk = new SimulatedDisk({ seed: 1 });
  const venue = tradedVenue(1, 150);
  await writeLog(disk, venue.log);
  return { disk, upto: venue.seq };
}

test.each([1, 2])('kills from outside never stop the history (seed %i)', async (seed) => {
  using places = new DisposableStack();
  const place = () => places.use(new TemporaryDirectory()).path;
  const { disk, upto } = await tradedDisk();
  const prng = new Prng(seed);
  let dataDir = place();
  let kills = 0;
  for (;;) {
    let steps = prng.below(40);
    // Three of four kills hit a commit, which takes longer than the commands.
    const isAtCommit = prng.below(4) > 0;
    const ends = ({ name }: Step) => steps-- <= 0 && (name === 'commit' || !isAtCommit);
    const files = await live(disk, dataDir, upto, ends, place());
    if (files === null) break;
    kills++;
    dataDir = files;
    expect(new ReplayMark(dataDir, 'follower').poison).toBeNull();
  }
  expect(kills).toBeGreaterThan(10);
});

test.each([
  ['apply', 3],
  ['commit', 4],
] as const)('a command that ends each %s is found after %i ends', async (name, count) => {
  using places = new DisposableStack();
  const place = () => places.use(new TemporaryDirectory()).path;
  const { disk, upto } = await tradedDisk();
  const poison = Math.floor(upto / 2);
  const ends = (step: Step) => step.name === name && step.first <= poison && poison <= step.last;
  let dataDir = place();
  for (let lives = 0; lives < count; lives++) {
    const files = await live(disk, dataDir, upto, ends, place());
    expect(files).not.toBeNull();
    dataDir = files!;
  }
  const mark = new ReplayMark(dataDir, 'follower');
  expect(mark.poison).toBe(poison);
  await expect(openFollower(disk, dataDir, { mark })).rejects.toThrow(`wrote command ${poison}`);
});

test('three ends at one command make it poisonous; a replay that ends well forgets them', () => {
  using directory = new TemporaryDirectory();
  const end = (seq: number, upto?: number): number | null => {
    new ReplayMark(directory.path, 'follower').at(seq, upto);
    return new ReplayMark(directory.path, 'follower').poison;
  };
  expect([end(7), end(8), end(8), end(8)]).toEqual([null, null, null, 8]);
  new ReplayMark(directory.path, 'follower').forget();
  expect([end(8), end(8, 9), end(8, 10)]).toEqual([null, null, null]);
});

test('the end of a write of many commands makes each of them suspicious', () => {
  using directory = new TemporaryDirectory();
  new ReplayMark(directory.path, 'follower').at(5, 7);
  const mark = new ReplayMark(directory.path, 'follower');
  expect([4, 5, 7, 8].map((seq) => mark.isSuspicious(seq))).toEqual([false, true, true, false]);
});

test('a mark of another length is written again', () => {
  using directory = new TemporaryDirectory();
  writeFileSync(replayMarkPath(directory.path), new Uint8Array(80));
  new ReplayMark(directory.path, 'start').at(3);
  new ReplayMark(directory.path, 'start').at(3);
  new ReplayMark(directory.path, 'start').at(3);
  expect(new ReplayMark(directory.path, 'start').poison).toBe(3);
});
