// Bad input to the websockets of every kind: messages that are nearly right, garbage, and sequences
// of requests at random. Each is answered with an error of the contract or closed with a reason,
// and the server serves the next one.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { STREAM_PATHS, SUBSCRIBE } from '../../src/contract/streams/requests.ts';
import { TestNode, TIME } from '../support/node.ts';
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
    for (let round = 0; round < 20; round++) {
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
          expect(String(message.code)).toMatch(/^100(200|201|401|403)$/);
      }
    }
    expect([...ops]).toContain('error');
    expect([...ops]).toContain('subscribed');
  });
}

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
  await until(() => !eventFilter.includesPair(1) && !eventFilter.includesListings);
  expect(eventFilter.includesOwner(maker.uid)).toBe(false);
  expect(node.state.instruments[1]!.book.takeChanges()).toEqual({ bids: [], asks: [] });
});
