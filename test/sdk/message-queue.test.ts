// The queue between a stream and its loop.
import { expect, test } from 'bun:test';
import { MessageQueue } from '../../src/sdk/message-queue.ts';

const done = { done: true, value: undefined } as const;

test('readers that wait get the messages in turn', async () => {
  const queue = new MessageQueue<number>(() => {});
  const reads = [queue.next(), queue.next(), queue.next()];
  queue.push(1);
  queue.push(2);
  queue.end();
  expect(await Promise.all(reads)).toEqual([
    { done: false, value: 1 },
    { done: false, value: 2 },
    done,
  ]);
});

test('the first reader gets the error, and then the queue is done', async () => {
  const queue = new MessageQueue<number>(() => {});
  const reads = [queue.next(), queue.next()];
  queue.end(new Error('gone'));
  const [first, second] = await Promise.allSettled(reads);
  expect(first).toMatchObject({ status: 'rejected' });
  expect(second).toEqual({ status: 'fulfilled', value: done });
});
