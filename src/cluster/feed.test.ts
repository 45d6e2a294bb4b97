// The leader's view of one node: which nodes learn who leads next.
import { expect, test } from 'bun:test';
import { until } from '../../test/support/waiting.ts';
import { Feed, type FeedOptions } from './feed.ts';
import { MemoryNetwork } from './link/memory-transport.ts';
import { readDown } from './link/messages.ts';
import type { Channel } from './link/transport.ts';

const NEXT = { epoch: 2, node: 'c', address: 'c:1' };

/** The feed of a node that lacks one record, which can be read once `read` resolves. */
async function feedOf(read: Promise<void>) {
  const network = new MemoryNetwork();
  const down = Promise.withResolvers<Channel>();
  network.of('a').listen('a:1', down.resolve);
  const up = await network.of('b').dial('a:1');
  const received: string[] = [];
  up.attach({ onFrame: (frame) => received.push(readDown(frame).type), onClose: () => {} });
  const options = {
    channel: await down.promise,
    hello: { node: 'b', address: 'b:1', seq: 0 },
    engine: { seq: 1, wall: () => 0 },
    recent: () => [],
    read: async function* () {
      await read;
      const chainHash = new Uint8Array(32);
      yield [{ firstSeq: 1, count: 1, epoch: 1, payload: Uint8Array.of(1), chainHash }];
    },
    onClose: () => {},
    onFault: () => {},
  };
  return { feed: new Feed(options as unknown as FeedOptions), received };
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
