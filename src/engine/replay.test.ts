// A stretch of history lived through again is the history: from any place, with or without a
// snapshot before it.
import { beforeAll, expect, test } from 'bun:test';
import { TestNode } from '../../test/support/node.ts';
import { type ReplayListener, replay, replayLength } from './replay.ts';

const node = TestNode.forFile({ flags: ['--snapshot-every', '20'] });
beforeAll(async () => {
  const client = await node.client();
  for (let i = 0; i < 60; i++) {
    await client.limit(1, String(50 + i), '0.1');
    // A busy follower leaves out snapshots that only are due.
    if (i === 30) await node.services.node.snapshot();
  }
  await node.services.node.snapshot();
});

/** The seqs at which each was called, and the state hash at the end. */
async function live(fromSeq: number, uptoSeq = node.seq) {
  const begun: number[] = [];
  const commands: number[] = [];
  let lastOnes = 0;
  let hash = '';
  const { snapshotKeys } = node.services.node;
  const listener: ReplayListener = {
    begin: ({ state }) => void begun.push(state.seq),
    command({ state }, isLast) {
      commands.push(state.seq);
      if (isLast) lastOnes++;
      hash = state.stateHash();
      return true;
    },
  };
  const reached = await replay({ dataDir: node.dataDir, snapshotKeys, fromSeq, uptoSeq }, listener);
  return { begun, commands, lastOnes, hash, reached };
}

test('every command after the position, once and in order, up to the current state', async () => {
  const { seq } = node;
  for (const from of [0, 1, 7, seq - 45, seq - 21, seq - 1]) {
    const { begun, commands, hash, lastOnes, reached } = await live(from);
    expect(begun).toEqual([from]);
    expect(commands).toEqual(Array.from({ length: seq - from }, (_, i) => from + 1 + i));
    expect(hash).toBe(node.state.stateHash());
    expect(lastOnes).toBeGreaterThan(0);
    expect(reached).toBe(true);
  }
});

test('the nearest snapshot before the place bounds the work', () => {
  const { dataDir, seq } = node;
  expect(replayLength({ dataDir, fromSeq: seq, uptoSeq: seq })).toBe(0);
  expect(replayLength({ dataDir, fromSeq: 0, uptoSeq: seq })).toBe(seq);
  const near = replayLength({ dataDir, fromSeq: seq - 1, uptoSeq: seq });
  expect(near).toBeGreaterThan(0);
  expect(near).toBeLessThan(seq);
});

test('a listener that has enough ends it', async () => {
  let commands = 0;
  const listener: ReplayListener = { begin() {}, command: () => ++commands < 3 };
  const { dataDir, services } = node;
  const { snapshotKeys } = services.node;
  await replay({ dataDir, snapshotKeys, fromSeq: 0, uptoSeq: node.seq }, listener);
  expect(commands).toBe(3);
});
