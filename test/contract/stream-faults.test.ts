// A fault in a stream is not one of the journal: the order that met it is answered, the stream
// ends, and everything else goes on.
import { beforeAll, expect, spyOn, test } from 'bun:test';
import { Hub } from '../../src/streams/hub.ts';
import { Owner } from '../../src/streams/owner.ts';
import { TradeTopic } from '../../src/streams/trade-topic.ts';
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

const FAULTS: [string, () => { mockRestore(): void }, 'public' | 'own' | 'both'][] = [
  [
    'of a topic that sees a trade',
    () => spyOn(TradeTopic.prototype, 'see').mockImplementation(fault),
    'public',
  ],
  [
    'of a topic that sends',
    () => spyOn(TradeTopic.prototype, 'flush').mockImplementation(fault),
    'public',
  ],
  [
    'of an account that sees its event',
    () => spyOn(Owner.prototype, 'see').mockImplementation(fault),
    'own',
  ],
  [
    'of an account that sends',
    () => spyOn(Owner.prototype, 'flush').mockImplementation(fault),
    'own',
  ],
  [
    'of the hub',
    () => spyOn(Hub.prototype, 'receiveApplied').mockImplementationOnce(fault),
    'both',
  ],
];

test.each(FAULTS)('a fault %s ends the stream alone', async (_, makeFault, concerned) => {
  await using listener = await StreamClient.open(node);
  await listener.subscribe(TRADES);
  await using own = await StreamClient.login(node, OWN_ORDERS, taker);
  await own.subscribe(ORDERS);
  const failures = async (): Promise<number> =>
    Number(/^agio_stream_failures_total (\d+)$/m.exec((await node.get('/metrics')).text)![1]);
  const before = await failures();
  const spy = makeFault();
  try {
    await trade();
    if (concerned !== 'own') expect(await listener.closed).toMatchObject({ code: TRY_AGAIN_LATER });
    if (concerned !== 'public') expect(await own.closed).toMatchObject({ code: TRY_AGAIN_LATER });
  } finally {
    spy.mockRestore();
  }
  expect(await failures()).toBeGreaterThan(before);
  expect(listener.isClosed).toBe(concerned !== 'own');
  expect(own.isClosed).toBe(concerned !== 'public');

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
