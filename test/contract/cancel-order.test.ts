// cancelOrder, massCancel and cancelAllAfter: the answers, the rejections, and the remaining
// orders.
import { beforeEach, describe, expect, test } from 'bun:test';
import { InstrumentStatus } from '../../src/core/fix.ts';
import {
  CANCEL,
  CANCEL_ALL_AFTER,
  type Client,
  MASS_CANCEL,
  ORDERS,
  TestNode,
} from '../support/node.ts';
import { expectError, expectOk, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();
let client: Client;
beforeEach(async () => {
  client = await node.client();
});

const openOrders = async (of: Client): Promise<number[]> =>
  rowsOf(expectOk(await of.get(ORDERS, 'type=OPEN')).data!).map((row) => Number(row.orderId));

describe('POST /spot-api/api/private/v1/order/cancel', () => {
  test('by origClOrdId: the newest open order of that name', async () => {
    const older = await client.limit(1, '100', '1', { clOrdId: 'same' });
    const newer = await client.limit(1, '100', '1', { clOrdId: 'same' });
    const cancel = { origClOrdId: 'same' };
    expect<unknown>(expectOk(await client.post(CANCEL, cancel)).orderId).toBe(newer);
    expect<unknown>(expectOk(await client.post(CANCEL, cancel)).orderId).toBe(older);
    expectError(await client.post(CANCEL, cancel), 400, 100205, 'origClOrdId');
  });

  test('by a generated clOrdId, and with an orderId as text', async () => {
    const orderId = await client.limit(1, '100', '1');
    const origClOrdId = `api_${client.uid}_${orderId}`;
    const body = expectOk(await client.post(CANCEL, { orderId: String(orderId), origClOrdId }));
    expect<unknown>(body).toMatchObject({ orderId, origClOrdId });
    expect(String(body.clOrdId)).not.toBe('');
    expect<unknown>((await client.row(orderId)).ordCxlText).toBe('Canceled by the account holder');
    expect(node.balance(client.uid, 'USDT').held).toBe('0');
  });

  test('a closed order: 100205, whether filled, canceled or rejected', async () => {
    const other = await node.client();
    const filled = await other.limit(2, '100', '1', { clOrdId: 'filled' });
    await client.limit(1, '100', '1');
    expectError(await other.post(CANCEL, { orderId: filled }), 400, 100205, 'orderId');
    expectError(await other.post(CANCEL, { origClOrdId: 'filled' }), 400, 100205, 'origClOrdId');
    const both = { orderId: filled, origClOrdId: 'filled' };
    expectError(await other.post(CANCEL, both), 400, 100205);
    const canceled = await client.limit(1, '100', '1');
    expectOk(await client.post(CANCEL, { orderId: canceled }));
    expectError(await client.post(CANCEL, { orderId: canceled }), 400, 100205, 'orderId');
  });

  test('an order of a halted instrument, by every call', async () => {
    const first = await client.limit(1, '100', '1');
    await client.limit(1, '100', '1', { clOrdId: 'named' });
    await client.limit(1, '100', '1');
    await node.amend('BTC-USDT', { status: InstrumentStatus.HALTED });
    try {
      expectOk(await client.post(CANCEL, { orderId: first }));
      expectOk(await client.post(CANCEL, { origClOrdId: 'named' }));
      expectOk(await client.post(MASS_CANCEL, { symbol: 'BTC-USDT' }));
    } finally {
      await node.amend('BTC-USDT', { status: InstrumentStatus.LIVE });
    }
    expect(await openOrders(client)).toEqual([]);
  });
});

describe('POST /spot-api/api/private/v1/order/masscancel', () => {
  const eth = { symbol: 'ETH-USDT', side: 1, ordType: 2, price: 10, orderQty: 1 };

  test('of a pair: by symbol, by securityId, by both', async () => {
    for (const named of [
      { symbol: 'BTC-USDT' },
      { securityId: 1 },
      { symbol: 'BTC-USDT', securityId: 1 },
    ]) {
      await client.limit(1, '100', '1');
      await client.limit(2, '200', '1');
      const kept = await client.order(eth);
      const body = expectOk(await client.post(MASS_CANCEL, { ...named, clOrdId: 'all' }));
      expect<unknown>(body).toEqual({ clOrdId: 'all', symbol: 'BTC-USDT', securityId: 1 });
      expect(await openOrders(client)).toEqual([kept]);
      await client.post(MASS_CANCEL, {});
    }
  });

  test('of all pairs: symbol and securityId of the answer are null', async () => {
    const other = await node.client();
    const theirs = await other.limit(1, '100', '1');
    await client.limit(1, '100', '1');
    const last = await client.order(eth);
    const body = expectOk(await client.post(MASS_CANCEL, {}));
    expect<unknown>(body).toMatchObject({ symbol: null, securityId: null });
    expect(String(body.clOrdId)).toStartWith(`api_${client.uid}_`);
    expect(await openOrders(client)).toEqual([]);
    expect<unknown>((await client.row(last)).ordCxlText).toBe('Canceled by mass cancel');
    expect(await openOrders(other)).toEqual([theirs]);
  });
});

describe('POST /spot-api/api/private/v1/order/cancelallafter', () => {
  test('cancels everything when it is not renewed', async () => {
    const orderId = await client.limit(1, '100', '1');
    const body = expectOk(await client.post(CANCEL_ALL_AFTER, { timeout: 60_000 }));
    expect(Number(body.triggerTime) - Number(body.currentTime)).toBe(60_000);
    await node.engine.advanceClock(59_000);
    expect(await openOrders(client)).toEqual([orderId]);
    await node.engine.advanceClock(2_000);
    expect(await openOrders(client)).toEqual([]);
    expect(String((await client.row(orderId)).ordCxlText)).toContain('not renewed');
  });

  test('is disarmed with 0', async () => {
    const orderId = await client.limit(1, '100', '1');
    expectOk(await client.post(CANCEL_ALL_AFTER, { timeout: 1_000 }));
    const body = expectOk(await client.post(CANCEL_ALL_AFTER, { timeout: 0 }));
    expect<unknown>(body.triggerTime).toBe(null);
    await node.engine.advanceClock(10_000);
    expect(await openOrders(client)).toEqual([orderId]);
  });
});
