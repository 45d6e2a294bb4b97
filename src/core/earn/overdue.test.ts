// The queue of overdue interest: in order, without entries that were paid otherwise, which it drops
// in time. Look-ups measure its work.
import { expect, test } from 'bun:test';
import { OverdueQueue } from './overdue.ts';
import type { Subscription } from './subscription.ts';

/** A queue with its waiting subscriptions, and a count of its look-ups. */
function opened() {
  const queue = new OverdueQueue();
  const waiting = new Map<number, Pick<Subscription, 'applyId' | 'overdueNo'>>();
  let lookups = 0;
  const find = (applyId: number): Subscription | undefined => {
    lookups++;
    return waiting.get(applyId) as Subscription | undefined;
  };
  const add = (applyId: number, overdueNo: number): void => {
    const one = { applyId, overdueNo } as Subscription;
    waiting.set(applyId, one);
    queue.add(one, find);
  };
  const first = (): number | undefined => queue.first(find)?.applyId;
  const lookupsOf = (work: () => void): number => {
    const before = lookups;
    work();
    return lookups - before;
  };
  return { waiting, add, first, lookupsOf };
}

test('the longest waiting is first; a paid or removed one is skipped', () => {
  const { waiting, add, first } = opened();
  for (const [applyId, overdueNo] of [
    [7, 1],
    [3, 2],
    [5, 3],
  ]) {
    add(applyId!, overdueNo!);
  }
  expect([first(), first()]).toEqual([7, 7]);
  waiting.delete(7);
  waiting.get(3)!.overdueNo = 0;
  expect(first()).toBe(5);
  // It was paid and waits again, at the end.
  add(9, 4);
  waiting.get(5)!.overdueNo = 0;
  add(5, 5);
  expect(first()).toBe(9);
  waiting.delete(9);
  expect(first()).toBe(5);
  waiting.delete(5);
  expect([first(), first()]).toEqual([undefined, undefined]);
});

test('the queue drops paid entries when it has a thousand', () => {
  const { waiting, add, first, lookupsOf } = opened();
  for (let applyId = 1; applyId < 1024; applyId++) add(applyId, applyId);
  waiting.clear();
  expect(lookupsOf(() => add(1024, 1024))).toBe(1024);
  // Nothing else is left to look at.
  expect(lookupsOf(() => expect(first()).toBe(1024))).toBe(1);
});

test('a skipped entry is not looked up again', () => {
  const { waiting, add, first, lookupsOf } = opened();
  for (let applyId = 1; applyId < 1024; applyId++) add(applyId, applyId);
  for (let applyId = 1; applyId <= 500; applyId++) waiting.delete(applyId);
  expect(lookupsOf(() => expect(first()).toBe(501))).toBe(501);
  expect(lookupsOf(() => add(1024, 1024))).toBe(524);
  // The first of what is left is the first.
  expect(first()).toBe(501);
});

test('an empty queue starts over', () => {
  const { waiting, add, first, lookupsOf } = opened();
  const thousand = (from: number) => () => {
    for (let applyId = from; applyId < from + 1000; applyId++) add(applyId, applyId);
  };
  thousand(1)();
  waiting.clear();
  expect(first()).toBeUndefined();
  expect(lookupsOf(thousand(1001))).toBe(0);
  expect(first()).toBe(1001);
});

test('a long queue is searched again when it has doubled, not at each addition', () => {
  const { add, first, lookupsOf } = opened();
  for (let applyId = 1; applyId <= 1024; applyId++) add(applyId, applyId);
  const more = (upTo: number) => () => {
    for (let applyId = upTo / 2 + 1; applyId <= upTo; applyId++) add(applyId, applyId);
  };
  expect(lookupsOf(more(2048))).toBe(2048);
  expect(lookupsOf(more(4096))).toBe(4096);
  expect(first()).toBe(1);
});
