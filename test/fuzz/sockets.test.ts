// Bad input to the websockets of every kind: messages that are nearly right, garbage, and sequences
// of requests at random. Each is answered with an error of the contract or closed with a reason,
// and the server serves the next one.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { STREAM_PATHS, SUBSCRIBE } from '../../src/contract/streams/requests.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import { type Json, TestNode, TIME } from '../support/node.ts';
import { Prng } from '../support/prng.ts';
import { RawSocket } from '../support/raw-socket.ts';
import { expectOk } from '../support/shape.ts';
import { OWN_ACCOUNT, OWN_ORDERS, PUBLIC, StreamClient } from '../support/stream.ts';
import { until } from '../support/waiting.ts';

let node: TestNode;
beforeAll(async () => {
  node = await TestNode.start({ flags: ['--rate-limits', 'off'] });
});
afterAll(async () => {
  expectOk(await node.get(TIME));
  await node.stop();
});

const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'BTC-USDT',
  '__proto__',
  'constructor',
  'x'.repeat(1000),
  '\u0000',
  [],
  [[]],
  {},
  { op: 'ping' },
];
const FIELDS = [
  'op',
  'channel',
  'symbol',
  'depth',
  'interval',
  'id',
  'resumeFrom',
  'cancelOnDisconnect',
  'apiKey',
  'timestamp',
  'sign',
  '__proto__',
  'toString',
];
const OPS = ['subscribe', 'unsubscribe', 'ping', 'login'];

/** A message that is right in some of its members. */
function nearlyRight(random: Prng, channels: readonly string[]): string {
  const message: [string, unknown][] = [['op', random.pick(OPS)]];
  if (random.oneIn(2)) message.push(['channel', random.pick(channels)]);
  if (random.oneIn(2)) message.push(['symbol', 'BTC-USDT']);
  for (let i = random.below(4); i > 0; i--) {
    message.push([random.pick(FIELDS), random.pick(VALUES)]);
  }
  const text = message.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${text.join(',')}}`;
}

for (const [path, endpoint] of Object.entries(STREAM_PATHS)) {
  test(`${path}: nearly right messages are answered, each with a known code`, async () => {
    const random = new Prng(path.length);
    const owner = await node.client(undefined, { moduleIds: [1, 5, 6] });
    const channels = Object.keys(SUBSCRIBE[endpoint]);
    const ops = new Set<string>();
    const round = async (): Promise<void> => {
      await using stream =
        endpoint === 'public'
          ? await StreamClient.open(node)
          : await StreamClient.login(node, path, owner);
      for (let i = 0; i < 60; i++) stream.say(nearlyRight(random, channels));
      await stream.settle();
      for (const message of stream.messages) {
        if (message.op === undefined) continue;
        ops.add(String(message.op));
        if (String(message.op) === 'error')
          expect(String(message.code)).toMatch(/^100(200|201|401|403|429)$/);
      }
    };
    for (let i = 0; i < 20; i++) await round();
    // A machine that is busy for that long may shed every subscription.
    for (let i = 0; i < 100 && !ops.has('subscribed'); i++) await round();
    expect([...ops]).toContain('error');
    expect([...ops]).toContain('subscribed');
  });
}

const ORDER_FIELDS = {
  symbol: 'BTC-USDT',
  securityId: 1,
  side: 1,
  ordType: 2,
  price: '100',
  orderQty: '0.5',
  quoteOrderQty: '10',
  clOrdId: 'mine',
  origClOrdId: 'mine',
  orderId: 1,
  execInst: 6,
  account: 1,
  idempotencyKey: 'key',
};
const ORDER_NAMES = Object.keys(ORDER_FIELDS) as (keyof typeof ORDER_FIELDS)[];
const ORDERS = ['order.place', 'order.cancel', 'order.cancelAll', 'order.batch', 'order.'];
const RIGHT = ['symbol', 'side', 'ordType', 'price', 'orderQty'] as const;

/** An order, a cancel, or a batch of them, that is right in most of its members. */
function nearlyAnOrder(random: Prng): Record<string, unknown> {
  const op = random.oneIn(20) ? random.pick(VALUES) : random.pick(ORDERS);
  const fields: Record<string, unknown> = { op };
  if (op === 'order.place') for (const name of RIGHT) fields[name] = ORDER_FIELDS[name];
  for (let i = random.below(3); i > 0; i--) {
    const name = random.pick(ORDER_NAMES);
    fields[name] = random.oneIn(2) ? ORDER_FIELDS[name] : random.pick(VALUES);
  }
  if (op === 'order.batch' && !random.oneIn(5)) {
    for (const name of ORDER_NAMES) delete fields[name];
    const entry = () => (random.oneIn(20) ? random.pick(VALUES) : nearlyAnEntry(random));
    fields.orders = Array.from({ length: random.below(5) }, entry);
  }
  return fields;
}

function nearlyAnEntry(random: Prng): Record<string, unknown> {
  const { op, ...fields } = nearlyAnOrder(random);
  const isNamed = typeof op === 'string' && !random.oneIn(20);
  return { ...fields, op: isNamed ? op.replace('order.', '') : op };
}

/** Messages that answer no order. */
const OTHER = ['loggedIn', 'pong'];

const when = (random: Prng): object => {
  const timestamp = random.oneIn(10) ? random.pick(VALUES) : Date.now();
  return random.oneIn(10) ? { timestamp, recvWindow: random.pick(VALUES) } : { timestamp };
};

const CODES = /^100(20\d|21\d|402|409)$/;

/** Every rejection has a code of the contract, every other answer its data. */
function expectAnswered({ op, status, data, error, code }: Json): void {
  const what = JSON.stringify({ op, status, error, code });
  expect(String(error?.code ?? code ?? '100200')).toMatch(CODES);
  if (String(op) === 'error' && status === undefined) return;
  const parts = [data, error].filter((part) => part !== undefined);
  expect({ what, parts: parts.length }).toEqual({ what, parts: 1 });
  expect(Number(status) === 200).toBe(error === undefined);
  for (const { code = '100200' } of (data?.orders ?? []) as unknown as { code?: string }[]) {
    expect(code).toMatch(CODES);
  }
}

test('nearly right orders: each message has one answer, rejected or carried out', async () => {
  const random = new Prng(21);
  const owner = await node.client(undefined, { moduleIds: [5, 6] });
  const statuses = new Set<string>();
  for (let round = 0; round < 40; round++) {
    await using stream = await StreamClient.login(node, OWN_ORDERS, owner);
    for (let id = 0; id < 50; id++) stream.say({ ...nearlyAnOrder(random), ...when(random), id });
    const isAnswer = ({ op, channel }: Json): boolean =>
      String(channel) !== 'heartbeat' && !OTHER.includes(String(op));
    const answers = () => stream.messages.filter(isAnswer);
    await until(() => answers().length >= 50);
    await stream.settle();
    expect(answers()).toHaveLength(50);
    for (const message of answers()) {
      expectAnswered(message);
      statuses.add(String(message.status));
    }
  }
  expect([...statuses].sort()).toEqual(['200', '400', '401', '409', 'undefined']);
  checkInvariants(node.state);
});

test('garbage as text, and as frames', async () => {
  const random = new Prng(11);
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    'op',
    'ping',
    '\\u0000',
    '1e9',
    'null',
    ' ',
    'ß',
    '\ud83d\ude00',
  ];
  await using stream = await StreamClient.open(node);
  for (let i = 0; i < 200; i++) {
    stream.say(Array.from({ length: 1 + random.below(30) }, () => random.pick(pieces)).join(''));
  }
  await stream.settle();
  for (let i = 0; i < 100; i++) {
    await using raw = await RawSocket.open(
      node.port,
      random.pick([PUBLIC, OWN_ORDERS, OWN_ACCOUNT]),
    );
    raw.write(Uint8Array.from({ length: 1 + random.below(300) }, () => random.below(256)));
    // Whatever it was, the connection ends with it or waits for the rest.
  }
  await stream.settle();
});

test('subscribing and unsubscribing at random leaves nothing behind', async () => {
  const random = new Prng(12);
  const subjects = ['orderbook', 'l3orderbook', 'trades', 'ticker', 'candles', 'instruments'].map(
    (channel) => ({
      channel,
      symbol: 'BTC-USDT',
      ...(channel === 'candles' ? { interval: '1m' } : {}),
    }),
  );
  const maker = await node.client();
  for (let round = 0; round < 20; round++) {
    const streams = await Promise.all(Array.from({ length: 5 }, () => StreamClient.open(node)));
    for (let i = 0; i < 100; i++) {
      const stream = random.pick(streams);
      stream.say({ op: random.oneIn(2) ? 'subscribe' : 'unsubscribe', ...random.pick(subjects) });
      if (i % 10 === 0) await maker.limit(1, String(50 + random.below(20)), '0.1');
    }
    await Promise.all(streams.map((stream) => (random.oneIn(2) ? stream.cut() : stream.close())));
  }
  // A feed that has just worked stays for a moment without subscribers.
  const { eventFilter } = node.state;
  const { book } = node.state.instruments[1]!;
  await until(() => !eventFilter.includesPair(1) && !eventFilter.includesListings);
  await until(() => !eventFilter.includesOwner(maker.uid) && !book.isWatched);
});
