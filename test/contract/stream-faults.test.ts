// A fault in a stream ends that stream only: the order is answered and everything else goes on.
import { beforeAll, expect, spyOn, test } from 'bun:test';
import { TradeTopic } from '../../src/streams/event-topics.ts';
import { Hub } from '../../src/streams/hub.ts';
import { Owner } from '../../src/streams/owner.ts';
import { type Client, TestNode } from '../support/node.ts';
import { OWN_ORDERS, StreamClient } from '../support/stream.ts';

const TRADES = { channel: 'trades', symbol: 'BTC-USDT' };
const ORDERS = { channel: 'orders' };
const TRY_AGAIN_LATER = 1013;

const node = TestNode.forFile();
let maker: Client;
let taker: Client;
beforeAll(async () => {
  maker = await node.client();
  taker = await node.client();
});

const fault = () => {
  throw new Error('a fault in a stream');
};

async function trade(): Promise<void> {
  await maker.limit(2, '100', '1');
  await taker.limit(1, '100', '1');
}

const FAULTS = [
  ['of a topic that receives a trade', TradeTopic.prototype, 'receive', 'public'],
  ['of a topic that sends', TradeTopic.prototype, 'sendNext', 'public'],
  ['of an account that receives its event', Owner.prototype, 'receive', 'own'],
  ['of an account that sends', Owner.prototype, 'sendNext', 'own'],
  ['of the hub', Hub.prototype, 'receiveApplied', 'both'],
] as const;

test.each(FAULTS)('a fault %s ends only that stream', async (_, faulty, method, affected) => {
  await using listener = await StreamClient.open(node);
  await listener.subscribe(TRADES);
  await using own = await StreamClient.login(node, OWN_ORDERS, taker);
  await own.subscribe(ORDERS);
  const failures = (): Promise<number> => node.metric('agio_stream_failures_total');
  const before = await failures();
  const spy = spyOn(faulty as unknown as Record<string, () => void>, method).mockImplementation(
    fault,
  );
  try {
    await trade();
    if (affected !== 'own') expect(await listener.closed).toMatchObject({ code: TRY_AGAIN_LATER });
    if (affected !== 'public') expect(await own.closed).toMatchObject({ code: TRY_AGAIN_LATER });
  } finally {
    spy.mockRestore();
  }
  expect(await failures()).toBeGreaterThan(before);
  expect(listener.isClosed).toBe(affected !== 'own');
  expect(own.isClosed).toBe(affected !== 'public');

  // A new stream begins with everything.
  await using next = await StreamClient.open(node);
  const { data } = await next.subscribe(TRADES);
  await trade();
  const update = await next.take({ channel: 'trades', type: 'update' });
  expect(Number(update.data![0]!.tradeId)).toBeGreaterThan(
    Number((data as unknown as { tradeId: number }[]).at(-1)?.tradeId ?? 0),
  );
  await using ownNext = await StreamClient.login(node, OWN_ORDERS, taker);
  expect(await ownNext.subscribe(ORDERS)).toMatchObject({ type: 'snapshot' });
});
