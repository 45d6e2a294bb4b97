// Reads while the history is behind or unreadable: 503 with the time to wait, and never a 500.
// Trading continues.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { FollowerHandle } from '../../src/engine/follower-handle.ts';
import { ViewsUnavailable } from '../../src/views/views.ts';
import {
  type Answer,
  CANCEL,
  CANDLES,
  type Client,
  FILLS,
  LEDGER,
  ORDERBOOK,
  ORDERS,
  ORDERS_V2,
  TestNode,
  TICKERS,
  TRADES,
} from '../support/node.ts';
import { until } from '../support/waiting.ts';

let node: TestNode;
let client: Client;
let answerable = true;

beforeAll(async () => {
  node = await TestNode.start();
  client = await node.client();
  const views = node.services.views as FollowerHandle;
  const query = views.query.bind(views);
  views.query = ((...asked) =>
    answerable
      ? query(...asked)
      : Promise.reject(new ViewsUnavailable('behind', 7))) as FollowerHandle['query'];
});
afterAll(async () => {
  answerable = true;
  await node.stop();
});

async function whileBehind<T>(work: () => Promise<T>): Promise<T> {
  answerable = false;
  try {
    return await work();
  } finally {
    answerable = true;
  }
}

function expectUnavailable({ status, headers, body }: Answer): void {
  expect(status).toBe(503);
  expect(headers.get('retry-after')).toBe('1');
  expect<unknown>(body.code).toBe('100503');
  expect<unknown>(body.details).toEqual({ rule: 'behind' });
}

describe('while the history is behind', () => {
  test('reads of it are 503 with Retry-After', async () => {
    await client.limit(1, '100', '1');
    await whileBehind(async () => {
      expectUnavailable(await client.get(ORDERS, 'type=OPEN'));
      expectUnavailable(await client.get(FILLS));
      expectUnavailable(await client.get(LEDGER));
      expectUnavailable(await client.get(LEDGER, 'format=csv'));
      expectUnavailable(await node.get(TRADES, 'symbol=BTC-USDT'));
      expectUnavailable(await node.get(TICKERS));
      expectUnavailable(await node.get(CANDLES, 'symbol=BTC-USDT&interval=1m'));
    });
  });

  test('the live state is read and orders are taken', async () => {
    await whileBehind(async () => {
      const orderId = await client.limit(1, '100', '1');
      expect((await node.get(ORDERBOOK, 'symbol=BTC-USDT')).status).toBe(200);
      expect((await client.post(CANCEL, { orderId })).status).toBe(200);
    });
  });

  test('a cancel of a closed order is a 503 with the known details, never a 500', async () => {
    const orderId = await client.limit(1, '100', '1');
    expect((await client.post(CANCEL, { orderId })).status).toBe(200);
    const answer = await whileBehind(() => client.post(CANCEL, { orderId }));
    expectUnavailable(answer);
    expect(String(answer.body.userMsg)).toStartWith('No open order of yours has this id');
    expect<unknown>((await client.post(CANCEL, { orderId })).body.code).toBe('100205');
  });

  test('an entry of a batch is answered by the history once it is there', async () => {
    const orderId = await client.limit(1, '100', '1');
    expect((await client.post(CANCEL, { orderId })).status).toBe(200);
    const place = { op: 'place', symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 1 };
    const body = { orders: [{ op: 'cancel', orderId }, place] };
    const send = () => client.post(ORDERS_V2, body, { headers: { 'Idempotency-Key': 'behind' } });
    const entriesOf = ({ body: { orders } }: Answer) => orders as unknown as Answer['body'][];
    const first = await whileBehind(send);
    const [unavailable, placed] = entriesOf(first);
    expect(unavailable).toMatchObject({ code: '100503', details: { rule: 'behind' } });
    expect(String(unavailable!.userMsg)).toStartWith('No open order of yours has this id');
    const seq = node.seq;
    const [second, third] = [await send(), await send()];
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(entriesOf(second)).toMatchObject([{ code: '100205' }, placed!]);
    expect(third.text).toBe(second.text);
    expect(node.seq).toBeLessThanOrEqual(seq + 2);
  });
});

test('/ready and /metrics say how far the history is', async () => {
  await until(() => node.services.node.follower.appliedSeq >= node.seq);
  const { body } = await node.get('/ready');
  expect<unknown>(body).toEqual({
    status: 'ready',
    seq: node.seq,
    followerSeq: node.seq,
    history: { status: 'ready', lag: 0, lagSeconds: 0 },
  });
  const { text } = await node.get('/metrics');
  for (const line of [
    'agio_follower_lag 0',
    'agio_follower_lag_seconds 0',
    'agio_history_available 1',
    'agio_view_failures_total 0',
    'agio_snapshot_failures_total 0',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
});
