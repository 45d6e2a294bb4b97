// When the writes of a leader go to the store: at the end of the turn, or later for lazy ones.
import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { NotLeadingError } from '../result.ts';
import { type IdentityChange, idsOf } from './change.ts';
import { ChangeQueue } from './change-queue.ts';

const change = (uid: number): IdentityChange => ({
  removed: [],
  added: [`["users",${uid}]`],
  mac: '',
});

let sent: number[][];
let gate: PromiseWithResolvers<void>;
let queue: ChangeQueue;
let durable: number[];

beforeEach(() => {
  jest.useFakeTimers();
  sent = [];
  durable = [];
  gate = Promise.withResolvers();
  queue = new ChangeQueue(0, {
    persist: (version, { added }) => {
      sent.push([version, ...idsOf('users', added)]);
      return gate.promise;
    },
    onDurable: (version) => durable.push(version),
  });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Lets the store answer the write under way, and waits until the queue has seen it. */
async function answer(): Promise<void> {
  const { resolve } = gate;
  gate = Promise.withResolvers();
  resolve();
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}

test('a lazy write waits two seconds, and no answer waits for it', async () => {
  queue.record(change(1), true);
  expect(queue.durable()).toBeUndefined();
  jest.advanceTimersByTime(1_999);
  expect(sent).toEqual([]);
  queue.record(change(2), true);
  jest.advanceTimersByTime(1);
  expect(sent).toEqual([[1, 1, 2]]);
  expect(queue.durable()).toBeUndefined();
  queue.record(change(3), true);
  await answer();
  expect(queue.version).toBe(1);
  expect(sent).toHaveLength(1);
  jest.advanceTimersByTime(2_000);
  expect(sent).toEqual([
    [1, 1, 2],
    [2, 3],
  ]);
  await answer();
  expect(queue.isIdle).toBe(true);
});

test('a write goes at the end of the turn, with the lazy ones before it', async () => {
  queue.record(change(1), true);
  queue.record(change(2), false);
  const done = queue.durable();
  expect(sent).toEqual([]);
  await Promise.resolve();
  expect(sent).toEqual([[1, 1, 2]]);
  queue.record(change(3), true);
  // An answer waits for the writes before the lazy one, not for it.
  expect(queue.durable()).toBe(done!);
  await answer();
  await done;
  expect(durable).toEqual([1]);
  expect(queue.durable()).toBeUndefined();
  const drained = queue.drain();
  await Promise.resolve();
  expect(sent).toEqual([
    [1, 1, 2],
    [2, 3],
  ]);
  await answer();
  await drained;
  expect(queue.version).toBe(2);
});

test('the end of a term rejects what waits, and nothing is sent after it', async () => {
  queue.record(change(1), false);
  const first = queue.durable();
  await Promise.resolve();
  queue.record(change(2), false);
  const second = queue.durable();
  queue.close();
  await expect(first).rejects.toThrow(NotLeadingError);
  await expect(second).rejects.toThrow(NotLeadingError);
  await expect(queue.drain()).rejects.toThrow(NotLeadingError);
  await expect(queue.durable()).rejects.toThrow(NotLeadingError);
  expect(() => queue.requireLeading()).toThrow(NotLeadingError);
  await answer();
  expect(sent).toEqual([[1, 1]]);
  expect(durable).toEqual([]);
  expect(queue.version).toBe(0);
});
