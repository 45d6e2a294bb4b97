// What waits between a stream and its loop.
import { expect, test } from 'bun:test';
import { MessageQueue } from '../../src/sdk/message-queue.ts';

const done = { done: true, value: undefined } as const;

test('whoever asks before there is a message gets one in turn', async () => {
  const queue = new MessageQueue<number>(() => {});
  const asked = [queue.next(), queue.next(), queue.next()];
  queue.push(1);
  queue.push(2);
  queue.end();
  expect(await Promise.all(asked)).toEqual([
    { done: false, value: 1 },
    { done: false, value: 2 },
    done,
  ]);
});

test('an error is told to the first who asks, and then it is over', async () => {
  const queue = new MessageQueue<number>(() => {});
  const asked = [queue.next(), queue.next()];
  queue.end(new Error('gone'));
  const [first, second] = await Promise.allSettled(asked);
  expect(first).toMatchObject({ status: 'rejected' });
  expect(second).toEqual({ status: 'fulfilled', value: done });
});
