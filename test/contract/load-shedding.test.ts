// The calls that an overloaded server still answers, over HTTP. The test reports the load in place
// of the event loop.
import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { SAMPLE_MS, STEPS } from '../../src/gateway/limits/load.ts';
import {
  type Answer,
  BALANCES,
  type Client,
  MASS_CANCEL,
  ORDER,
  TestNode,
  TIME,
} from '../support/node.ts';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { expectError, expectOk } from '../support/shape.ts';

const LIMIT = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 1 };
const LOGIN = '/user-center/v1/login';

const node = TestNode.forFile();
let client: Client;
let now = 0;
beforeAll(async () => {
  client = await node.client();
});
beforeEach(() => sampled(0));

/** Two seconds of samples of a timer that is `lateMs` late. */
function sampled(lateMs: number): void {
  for (const end = now + 2000; now < end; now += SAMPLE_MS) node.services.load.observe(lateMs, now);
}

const expectShed = (answer: Answer): void => {
  expectError(answer, 503, 100503);
  expect(answer.headers.get('retry-after')).toBe('1');
};

const upgraded = async (path: string): Promise<number> => {
  const connection = new RawConnection(node.port);
  const headers = {
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  const { status } = await connection.exchange(rawRequest('GET', path, headers));
  connection.close();
  return status;
};

test('calls are shed in the documented order; cancels and monitoring never', async () => {
  const asked = [
    { calls: 'public', ask: () => node.get(TIME) },
    { calls: 'read', ask: () => client.get(BALANCES) },
    { calls: 'write', ask: () => node.post(LOGIN, { email: 'a@example.com', password: 'x' }) },
    { calls: 'order', ask: () => client.post(ORDER, LIMIT) },
  ];
  for (const [level, { delayMs }] of STEPS.entries()) {
    sampled(0);
    sampled(delayMs);
    for (const [n, { ask }] of asked.entries()) {
      if (n <= level) expectShed(await ask());
      else expect((await ask()).status).not.toBe(503);
    }
    expectOk(await client.post(MASS_CANCEL, {}));
    expectOk(await node.get('/health'));
    expectOk(await node.get('/ready'));
    const { text } = await node.get('/metrics');
    expect(text).toContain(`agio_load_level ${level + 1}\n`);
    expect(text).toMatch(/^agio_event_loop_delay_seconds_count [1-9]/m);
  }
  sampled(0);
  for (const { ask } of asked) expect((await ask()).status).not.toBe(503);
  expect((await node.get('/metrics')).text).toContain('agio_shed_total{calls="order"} 1\n');
});

test('new websockets are shed with the reads of their kind', async () => {
  expect(await upgraded('/ws/v1/public')).toBe(101);
  sampled(STEPS[0]!.delayMs);
  expect(await upgraded('/ws/v1/public')).toBe(503);
  expect(await upgraded('/ws/v1/private/orders')).toBe(101);
  sampled(STEPS[1]!.delayMs);
  expect(await upgraded('/ws/v1/private/orders')).toBe(503);
});
