// The leader's view of one node: which nodes learn who leads next.
import { expect, test } from 'bun:test';
import { MemoryNetwork } from '../../test/support/memory-transport.ts';
import { until } from '../../test/support/waiting.ts';
import type { JournalRecord } from '../journal/journal.ts';
import { Feed, type FeedOptions } from './feed.ts';
import { readDown, upFrame } from './link/messages.ts';
import type { Channel } from './link/transport.ts';

const NEXT = { epoch: 2, node: 'c', address: 'c:1', instance: 'i' };

const record = (firstSeq: number, bytes = 1): JournalRecord => {
  const [payload, chainHash] = [new Uint8Array(bytes), new Uint8Array(32)];
  return { firstSeq, count: 1, epoch: 1, payload, chainHash };
};

/** The feed of a node that lacks some records, which can be read once `read` resolves. */
async function feedOf(read: Promise<void>, records = [record(1)]) {
  const network = new MemoryNetwork();
  const down = Promise.withResolvers<Channel>();
  network.of('a').listen('a:1', down.resolve);
  const up = await network.of('b').dial('a:1');
  const received: string[] = [];
  up.attach({ onFrame: (frame) => received.push(readDown(frame).type), onClose: () => {} });
  const options = {
    channel: await down.promise,
    hello: { node: 'b', address: 'b:1', seq: 0 },
    engine: { seq: records.length, wall: () => 0 },
    recent: () => [],
    read: async function* (fromSeq: number) {
      await read;
      yield records.slice(fromSeq - 1);
    },
    onClose: () => {},
    onFault: () => {},
  };
  return { feed: new Feed(options as unknown as FeedOptions), received, up };
}

test('only a node that has every record learns of the next leader', async () => {
  const reading = Promise.withResolvers<void>();
  const { feed, received } = await feedOf(reading.promise);
  feed.moved(NEXT);
  reading.resolve();
  await feed.catchingUp;
  feed.moved(NEXT);
  await until(() => received.length >= 2);
  expect(received).toEqual(['record', 'moved']);
});

test('a node that applies nothing gets 8 MiB of records, then more as it acks them', async () => {
  const records = Array.from({ length: 10 }, (_, index) => record(index + 1, 1 << 21));
  const { feed, received, up } = await feedOf(Promise.resolve(), records);
  await until(() => received.length === 5);
  for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate);
  expect([received.length, feed.isLive]).toEqual([5, false]);
  up.send(upFrame('ack', { seq: 2, identityVersion: 0 }));
  await until(() => received.length === 7);
  up.send(upFrame('ack', { seq: 7, identityVersion: 0 }));
  await feed.catchingUp;
  await until(() => received.length === 10);
  feed.applied(record(11));
  expect(feed.isLive).toBe(true);
});
