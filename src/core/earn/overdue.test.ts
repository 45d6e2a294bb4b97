// The queue of those who wait for their interest: in order, without those who were paid by other
// means, and without keeping those for ever. How much it looks at is counted by its look-ups.
import { expect, test } from 'bun:test';
import { OverdueQueue } from './overdue.ts';
import type { Subscription } from './subscription.ts';

/** A queue with as many who wait as asked for, and a count of its look-ups. */
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

test('whoever waited longest is first; who was paid, or is gone, is passed over', () => {
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
  // It was paid and waits anew: its old place is not its place.
  add(9, 4);
  waiting.get(5)!.overdueNo = 0;
  add(5, 5);
  expect(first()).toBe(9);
  waiting.delete(9);
  expect(first()).toBe(5);
  waiting.delete(5);
  expect([first(), first()]).toEqual([undefined, undefined]);
});

test('who was paid by other means is swept out when a thousand have come', () => {
  const { waiting, add, first, lookupsOf } = opened();
  for (let applyId = 1; applyId < 1024; applyId++) add(applyId, applyId);
  waiting.clear();
  expect(lookupsOf(() => add(1024, 1024))).toBe(1024);
  // Nothing else is left to look at.
  expect(lookupsOf(() => expect(first()).toBe(1024))).toBe(1);
});

test('whoever was passed over is not looked at again', () => {
  const { waiting, add, first, lookupsOf } = opened();
  for (let applyId = 1; applyId < 1024; applyId++) add(applyId, applyId);
  for (let applyId = 1; applyId <= 500; applyId++) waiting.delete(applyId);
  expect(lookupsOf(() => expect(first()).toBe(501))).toBe(501);
  expect(lookupsOf(() => add(1024, 1024))).toBe(524);
  // The first of what is left is the first.
  expect(first()).toBe(501);
});

test('a queue that has come to its end begins anew', () => {
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

test('a long queue is swept again when it has doubled, not at each that comes', () => {
  const { add, first, lookupsOf } = opened();
  for (let applyId = 1; applyId <= 1024; applyId++) add(applyId, applyId);
  const more = (upTo: number) => () => {
    for (let applyId = upTo / 2 + 1; applyId <= upTo; applyId++) add(applyId, applyId);
  };
  expect(lookupsOf(more(2048))).toBe(2048);
  expect(lookupsOf(more(4096))).toBe(4096);
  expect(first()).toBe(1);
});
