// Bad input for every parameter of every endpoint of the Binance dialect: a rejection in its form,
// never a fault of the server, and nothing half done.
import { expect, test } from 'bun:test';
import { ENDPOINTS } from '../../src/dialects/binance/endpoints.ts';
import { TestNode } from '../support/node.ts';
import { Prng } from '../support/prng.ts';
import { until } from '../support/waiting.ts';
import { BinanceClient, BinanceSocket, type Parameters } from './client.ts';

const node = TestNode.forFile();

/** A value of each parameter with which an endpoint may succeed. */
const VALID: Parameters = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '10',
  quantity: '1',
  interval: '1m',
  cancelReplaceMode: 'STOP_ON_FAILURE',
  cancelOrderId: 1,
  orderId: 1,
  newQty: '1',
  orderListId: 1,
  listenKey: '0'.repeat(64),
  stopPrice: '5',
  workingType: 'LIMIT',
  workingSide: 'BUY',
  workingPrice: '10',
  workingQuantity: '1',
  workingTimeInForce: 'GTC',
  pendingSide: 'SELL',
  pendingQuantity: '1',
  pendingType: 'LIMIT',
  pendingPrice: '20',
  pendingAboveType: 'LIMIT_MAKER',
  pendingAbovePrice: '20',
  pendingBelowType: 'STOP_LOSS',
  pendingBelowStopPrice: '5',
};

const BAD = [
  '',
  '0',
  '-1',
  '1e3',
  'NaN',
  '1.0000000000000000000000000000001',
  '99999999999999999999999999999999',
  'é',
  '\u0000',
  '"',
  '{}',
  '["BTCUSDT"]',
  'x'.repeat(3000),
  '__proto__',
  ' 1',
  'true',
] as const;

const hasPlace = (path: string): boolean => !path.includes('time') && !path.includes('ping');

/** The owner's orders and balances, which only an accepted call may change. */
function stateOf(uid: number): string {
  const { orders } = node.state;
  const balances = ['BTC', 'USDT'].map((asset) => node.balance(uid, asset));
  return JSON.stringify([orders.countOf(uid), balances]);
}

test('bad values of every parameter', async () => {
  const client = await BinanceClient.of(node);
  const { uid } = node.services.identity.apiKeys.lookup(client.credentials.apiKey)!;
  let asked = 0;
  for (const { verb, path, endpoint } of ENDPOINTS.filter((one) => hasPlace(one.path))) {
    const names = [...endpoint.parameters.fields.keys()];
    const valid = Object.fromEntries(
      names.filter((name) => VALID[name] !== undefined).map((name) => [name, VALID[name]!]),
    );
    const short = path.replace('/binance/api/v3/', '').replace('/binance/', '');
    for (const name of [...names, 'unknown']) {
      for (const value of BAD) {
        asked++;
        const before = stateOf(uid);
        const sent = { ...valid, [name]: value };
        const isPublic = endpoint.call.access === 'public';
        const answer = isPublic
          ? await client.public(short, sent)
          : await client.call(verb, short, sent);
        const about = `${verb} ${path} ${name}=${value.slice(0, 40)}: ${answer.text.slice(0, 200)}`;
        expect(answer.status, about).toBeLessThan(500);
        if (answer.status === 200) continue;
        expect(answer.body.code, about).toBeNumber();
        expect(answer.body.msg, about).toBeString();
        if (Number(answer.body.code) !== -2021) expect(stateOf(uid), about).toBe(before);
      }
    }
  }
  expect(asked).toBeGreaterThan(3000);
});

test('bytes that are no request', async () => {
  const client = await BinanceClient.of(node);
  const random = new Prng(27);
  for (let i = 0; i < 300; i++) {
    const bytes = Buffer.from(random.bytes(random.below(200))).toString('latin1');
    const query = encodeURI(bytes).replaceAll('#', '');
    const { verb, path } = random.pick(ENDPOINTS);
    const short = path.replace('/binance/api/v3/', '').replace('/binance/', '');
    const body = verb === 'GET' || random.oneIn(2) ? undefined : bytes;
    const { status, text } = await client.send(verb, short, query, body);
    expect(status, text).toBeLessThan(500);
  }
});

test('messages that are none: each is answered, and the sockets go on', async () => {
  const random = new Prng(28);
  const sockets = [
    await BinanceSocket.open(node, 'ws-api/v3'),
    await BinanceSocket.open(node, 'ws/btcusdt@depth'),
  ];
  const methods = [
    ...ENDPOINTS.map(({ method }) => method ?? 'none'),
    'session.logon',
    'SUBSCRIBE',
  ];
  for (let sent = 1; sent <= 100; sent++) {
    const bytes = Buffer.from(random.bytes(1 + random.below(100))).toString('latin1');
    const choices: unknown[] = [null, [], bytes, { symbol: bytes }, { symbol: { a: 1 } }, [bytes]];
    const message = { id: `n${sent}`, method: random.pick(methods), params: random.pick(choices) };
    for (const socket of sockets) {
      socket.say(random.oneIn(4) ? bytes : message);
      await until(() => socket.received.length >= sent);
    }
  }
  const faults = sockets.flatMap(({ received }) =>
    received.filter(({ status }) => Number(status) > 499),
  );
  expect(faults).toEqual([]);
  for (const socket of sockets) socket.close();
});
