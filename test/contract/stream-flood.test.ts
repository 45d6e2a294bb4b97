// Floods of the websockets on real sockets: their bounded cost in snapshots, bytes and connections.
// The budgets are small here, so that a small flood exceeds them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type Json, TestNode } from '../support/node.ts';
import { loginMessage, OWN_ACCOUNT, OWN_ORDERS, StreamClient, UPGRADE } from '../support/stream.ts';
import { jumpAhead, until } from '../support/waiting.ts';

const BYTES_PER_SECOND = 65_536;
/** The snapshot bytes that a payer may get immediately. */
const BURST = 8 * BYTES_PER_SECOND;
const PER_ACCOUNT = 4;
const ORDERS = 2000;
const LEVEL_3 = { op: 'subscribe', channel: 'l3orderbook', symbol: 'BTC-USDT' };

let node: TestNode;
let client: Client;
beforeAll(async () => {
  const budgets = ['--stream-bytes', String(BYTES_PER_SECOND)];
  const places = ['--streams-per-account', String(PER_ACCOUNT)];
  node = await TestNode.start({ flags: [...budgets, ...places, '--rate-limits', 'off'] });
  client = await node.client();
  await node.placeBids(client.uid, ORDERS);
});
afterAll(async () => {
  await node.stop();
});

/** Each test begins with full budgets. */
beforeEach(() => jumpAhead(30_000));

describe('an unknown client that repeats its requests', () => {
  /** Every snapshot of these connections, as text. */
  const snapshotsOf = (streams: readonly StreamClient[]) =>
    streams.flatMap(({ texts }) => texts.filter((text) => text.includes('"type":"snapshot"')));

  test('is rejected by the name of the budget, and gets no more than that', async () => {
    const start = performance.now();
    const before = await node.metric('agio_stream_refused_total');
    const streams: StreamClient[] = [];
    const rejections: Json[] = [];
    // Every connection asks until it is rejected; the last one is rejected at its first request.
    for (let accepted = 1; accepted > 0; ) {
      const stream = await StreamClient.open(node);
      streams.push(stream);
      for (accepted = 0; ; accepted++) {
        const answer = await stream.ask(LEVEL_3);
        if (String(answer.op) === 'error') {
          rejections.push(answer);
          break;
        }
        await stream.take({ channel: 'l3orderbook', type: 'snapshot' });
      }
    }
    const budgets = rejections.map(({ details }) => String(details!.value));
    expect(budgets[0]).toBe('bytes of the connection');
    // A new connection brings no new budget.
    expect(budgets.at(-1)).toEndWith('of the address');
    for (const { code, details } of rejections) {
      expect<unknown>([code, details!.rule]).toEqual(['100429', 'budget']);
      expect(Number(details!.retryAfterMs)).toBeGreaterThan(0);
    }
    const snapshots = snapshotsOf(streams);
    const size = Math.max(...snapshots.map(({ length }) => length));
    const sent = snapshots.reduce((sum, { length }) => sum + length, 0);
    const seconds = (performance.now() - start) / 1000;
    // The last snapshot may go beyond the budget.
    expect(sent).toBeLessThanOrEqual(BURST + BYTES_PER_SECOND * seconds + size);
    expect((await node.metric('agio_stream_refused_total')) - before).toBe(rejections.length);
    for (const stream of streams) await stream.close();
  });
});

describe('one account', () => {
  test('has so many private websockets, however they log in', async () => {
    const streams = await Promise.all(
      Array.from({ length: PER_ACCOUNT }, () => StreamClient.login(node, OWN_ORDERS, client)),
    );
    const headers = { ...client.headersOf(OWN_ACCOUNT), ...UPGRADE };
    const answer = await node.request(OWN_ACCOUNT, { headers });
    expect([answer.status, String(answer.body.code)]).toEqual([429, '100603']);
    expect(answer.text).toContain('of this account');
    await using late = await StreamClient.open(node, OWN_ORDERS);
    late.say(loginMessage(client.credentials, OWN_ORDERS, client.timestamp()));
    expect<unknown>(await late.take({ op: 'error' })).toMatchObject({ code: '100603' });
    expect((await late.closed).code).toBe(1008);
    await streams.pop()!.close();
    await until(async () => {
      const again = await StreamClient.login(node, OWN_ORDERS, client).catch(() => null);
      if (again !== null) streams.push(again);
      return again !== null;
    });
    for (const stream of streams) await stream.close();
  });
});
