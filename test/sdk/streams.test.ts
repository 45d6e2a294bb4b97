// The SDK's streams on a real server: books equal those over REST, reports and balances arrive as
// they occur, and a lost connection resumes without loss or repetition.
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { faultsOf } from '../../src/contract/answer-faults.ts';
import { DATA_MESSAGES } from '../../src/contract/streams/answers.ts';
import { AgioClient } from '../../src/sdk/client.ts';
import { InvalidArgument } from '../../src/sdk/errors.ts';
import { Forbidden, InvalidRequest, Unauthorized } from '../../src/sdk/generated/rejections.ts';
import type { DataMessage } from '../../src/sdk/generated/types.ts';
import type { StreamState, WebSocketLike } from '../../src/sdk/stream-connection.ts';
import type { StreamSubscription } from '../../src/sdk/subscription.ts';
import { EARN } from '../support/earn.ts';
import { type Client, TestNode, TRADING } from '../support/node.ts';
import { Person } from '../support/person.ts';
import { Prng } from '../support/prng.ts';
import { until } from '../support/waiting.ts';

const SYMBOL = 'BTC-USDT';
let node: TestNode;
let trader: Client;
const opened: AgioClient[] = [];

beforeAll(async () => {
  node = await TestNode.start({ flags: ['--rate-limits', 'off'] });
  trader = await node.client(undefined, { moduleIds: [...EARN, ...TRADING] });
});
afterAll(() => node.stop());
afterEach(() => {
  for (const client of opened.splice(0)) client.streams.close();
});

/** A client whose sockets the test can cut, as a network does. */
function connect(credentials: object = trader.credentials) {
  const sockets: WebSocket[] = [];
  const states: StreamState[] = [];
  const client = new AgioClient({
    url: node.url,
    ...credentials,
    streams: {
      connect: (url, headers) => {
        const socket = new WebSocket(url, { headers } as unknown as string[]);
        sockets.push(socket);
        return socket as unknown as WebSocketLike;
      },
      onState: (_, state) => states.push(state),
    },
  });
  opened.push(client);
  const cut = (): void => (sockets.at(-1) as unknown as { terminate(): void }).terminate();
  return { client, cut, states, sockets };
}

/** All later messages. */
function collect<M extends DataMessage>(subscription: StreamSubscription<M>): M[] {
  const messages: M[] = [];
  subscription.on((message) => messages.push(message));
  return messages;
}

/** Random orders around 60000: some rest, some trade, some are canceled. */
async function trade(prng: Prng, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const side = prng.below(2) === 0 ? 1 : 2;
    const price = `${60000 + prng.below(40) - 20}.${prng.below(4)}`;
    const quantity = `0.0${1 + prng.below(90)}`;
    const orderId = await trader.limit(side, price, quantity);
    if (prng.below(3) === 0) {
      await trader.post('/spot-api/api/private/v1/order/cancel', { orderId });
    }
  }
}

test('books equal those over REST, across lost connections', async () => {
  const { client, cut } = connect();
  const prng = new Prng(7);
  await trade(prng, 30);
  const level2 = client.streams.orderbook({ symbol: SYMBOL, depth: 100 });
  const level3 = client.streams.level3Orderbook({ symbol: SYMBOL });
  await Promise.all([level2.ready, level3.ready]);
  for (let round = 0; round < 6; round++) {
    const busy = trade(prng, 25);
    if (round % 2 === 1) cut();
    await busy;
    const rest2 = await client.orderbook({ symbol: SYMBOL, depth: 100 });
    const rest3 = await client.level3Orderbook({ symbol: SYMBOL });
    // An order that was placed and canceled between two messages changed no level.
    const levels = [rest2.bids, rest2.asks];
    await until(() => level2.live && Bun.deepEquals([level2.bids, level2.asks], levels));
    expect(level2.lastUpdateId).toBeLessThanOrEqual(rest2.lastUpdateId);
    await until(() => level3.live && level3.lastUpdateId === rest3.version);
    expect([level3.bids, level3.asks]).toEqual([rest3.bids, rest3.asks]);
  }
  expect([level2.gaps, level3.gaps]).toEqual([0, 0]);
});

test('every channel sends messages as the contract describes them', async () => {
  const { client } = connect();
  const { streams } = client;
  const channels = {
    orders: streams.orders(),
    triggers: streams.triggers(),
    balances: streams.balances(),
    subscriptions: streams.subscriptions(),
    interest: streams.interest(),
    trades: streams.trades({ symbol: SYMBOL }),
    ticker: streams.ticker(),
    candles: streams.candles({ symbol: SYMBOL, interval: '1m' }),
    instruments: streams.instruments(),
  };
  const received = Object.entries(channels).map(([channel, subscription]) => {
    const messages = collect(subscription as StreamSubscription<DataMessage>);
    return { channel: channel as keyof typeof channels, messages };
  });
  await Promise.all(Object.values(channels).map(({ ready }) => ready));
  const orderId = await trader.limit(1, '61000', '0.5');
  await trader.limit(2, '61000', '0.5');
  const orders = received[0]!.messages;
  await until(() => JSON.stringify(orders).includes(`"orderId":${orderId}`));
  await until(() =>
    received.every(
      ({ channel, messages }) => messages.length > (/^(s|i|tri)/.test(channel) ? 0 : 1),
    ),
  );
  for (const { channel, messages } of received) {
    for (const message of messages) {
      expect(faultsOf(DATA_MESSAGES[channel], message, 'sdk')).toEqual([]);
    }
  }
});

test('own orders resume after a lost connection without loss or repetition', async () => {
  const { client, cut, states } = connect();
  const orders = client.streams.orders();
  const messages = collect(orders);
  await orders.ready;
  const placed: number[] = [];
  for (let i = 0; i < 40; i++) {
    placed.push(await trader.limit(1, `${50000 + i}`, '0.01'));
    if (i % 10 === 5) cut();
  }
  const reported = () =>
    messages
      .filter(({ type }) => type === 'update')
      .flatMap(({ data }) => data.map((report) => report.orderId));
  await until(() => reported().length >= placed.length);
  // A repeated report would arrive before that of a later order.
  placed.push(await trader.limit(1, '50040', '0.01'));
  await until(() => reported().includes(placed.at(-1)!));
  expect(reported()).toEqual(placed);
  for (let i = 1; i < messages.length; i++) expect(messages[i]!.prevSeq).toBe(messages[i - 1]!.seq);
  expect(states.filter(({ state }) => state === 'waiting').length).toBeGreaterThan(0);
  expect(orders.gaps).toBe(0);

  // Another client resumes at the position of this one.
  const from = messages[10]!.seq;
  const second = connect().client.streams.orders({ resumeFrom: from });
  const resumed = collect(second);
  await until(() => second.seq === orders.seq);
  expect(resumed.map(({ seq }) => seq)).toEqual(messages.slice(11).map(({ seq }) => seq));
});

test('a loop reads every message, and its end closes the subscription', async () => {
  const { client, states } = connect();
  const trades = client.streams.trades({ symbol: SYMBOL });
  const prices: string[] = [];
  for await (const { type, data } of trades) {
    if (type === 'snapshot') {
      // No other order is left to trade with these two.
      await client.massCancel();
      await trader.limit(1, '62000', '0.1');
      await trader.limit(2, '62000', '0.1');
      continue;
    }
    prices.push(...data.map(({ price }) => price));
    break;
  }
  expect(prices).toEqual(['62000']);
  expect(trades.ended).toBe(true);
  expect(states.at(-1)).toMatchObject({ state: 'closed' });
  const book = client.streams.orderbook({ symbol: SYMBOL });
  for await (const seen of book) {
    expect(seen.live).toBe(true);
    break;
  }
});

test('a rejection ends its subscription with its reason, and no other', async () => {
  const { client } = connect();
  const good = client.streams.trades({ symbol: SYMBOL });
  const bad = client.streams.trades({ symbol: 'NO-PAIR' });
  expect(await bad.ready.catch((error: unknown) => error)).toBeInstanceOf(InvalidRequest);
  expect(await bad.done.catch((error: unknown) => error)).toBeInstanceOf(InvalidRequest);
  await good.ready;
  expect(() => client.streams.trades({ symbol: SYMBOL })).toThrow(InvalidArgument);

  const wrong = connect({ ...trader.credentials, secretKey: 'wrong' }).client.streams.orders();
  expect(await wrong.ready.catch((error: unknown) => error)).toBeInstanceOf(Unauthorized);
  const readOnly = node.key(trader.uid, { moduleIds: [1] });
  const rejected = connect(readOnly.credentials).client.streams.orders();
  expect(await rejected.ready.catch((error: unknown) => error)).toBeInstanceOf(Forbidden);
  expect(() => new AgioClient({ url: node.url }).streams.orders()).toThrow(InvalidArgument);
});

test('cancelOnDisconnect cancels the orders when the connection is lost', async () => {
  const own = await node.client();
  const { client, cut } = connect(own.credentials);
  await client.streams.orders({ cancelOnDisconnect: true }).ready;
  const { orderId } = await client.createOrder({
    ...{ symbol: SYMBOL, side: 1, ordType: 2, price: 50000, orderQty: '0.1' },
  });
  cut();
  await until(() => node.balance(own.uid, 'USDT').held === '0');
  const { data } = await client.orders({ type: 'SINGLE', orderId });
  expect(data[0]!.ordStatus).toBe(4);
});

test('a session subscribes by headers', async () => {
  const person = await Person.join(node);
  const { client } = connect({ sessionToken: person.token });
  const balances = client.streams.balances();
  const messages = collect(balances);
  await balances.ready;
  await node.credit(person.uid, 'USDT', '12.5');
  await until(() => messages.length > 1);
  const usdt = messages[1]!.data.find(({ asset }) => asset === 'USDT');
  expect(usdt).toMatchObject({ available: '12.5', total: '12.5' });
});
