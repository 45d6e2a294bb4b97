// Checks of orders of version 2: times in force, stops, icebergs, amendments, OCO pairs, batches.
// The kit's orders rest far from the market, so stops wait and nothing trades.
import { orderCalls } from '../contract/trading/calls.ts';
import * as decimal from '../sdk/decimal.ts';
import { type Check, section } from './check.ts';
import { type CodeName, expect, expectDescribed, expectSame, Skip } from './expect.ts';
import { isCode, type Kit } from './kit.ts';
import type { Fields } from './wire.ts';

const types = section('agio', 'Order types');
const amending = section('agio', 'Amendments');
const pairs = section('agio', 'OCO pairs');
const batches = section('agio', 'Batches');

const { amendOrder, createOco, createOrders, createOrderV2, testOrderV2 } = orderCalls;
/** Far enough for any clock, ms. */
const FUTURE = Date.UTC(2100, 0);

/** Enters an order of version 2 that has to be accepted; returns its orderId. */
async function enter(kit: Kit, fields: Fields): Promise<number> {
  const answer = await kit.wire.send(createOrderV2, fields);
  // Before the first trade of a pair a stop waits; after it, one may be reached already.
  if (isCode(answer, 'wouldTrigger')) throw new Skip('the last price has reached the stop');
  const { orderId } = expectDescribed(createOrderV2, answer);
  kit.noteEntered(orderId);
  return orderId;
}

/** A stop limit order that buys far above the market. */
async function stopOf(kit: Kit, more: Fields = {}): Promise<Fields> {
  const { bidPrice } = await kit.pair();
  const stopPx = decimal.multiply(bidPrice, '100');
  return kit.bid({ ordType: 4, stopPx, ...more });
}

const rejected = (kit: Kit, fields: Fields, code: CodeName, field: string) =>
  kit.expectRejected(testOrderV2, fields, code, field);

export const orderTypeChecks: readonly Check[] = [
  types('TYP-01', 'A body of version 1 means the same in version 2.', async (kit) => {
    const row = await kit.row(await enter(kit, await kit.bid()));
    const terms = [row.ordStatus, row.timeInForce, row.stopPx, row.workingIndicator];
    expectSame('ordStatus, timeInForce, stopPx, workingIndicator', terms, [0, '1', null, true]);
  }),
  types('TYP-02', 'Immediate or cancel never rests, and its report says so.', async (kit) => {
    const row = await kit.row(await enter(kit, await kit.bid({ timeInForce: 3 })));
    const ended = [row.timeInForce, row.ordStatus, row.execType, row.leavesQty];
    expectSame('timeInForce, ordStatus, execType, leavesQty', ended, ['3', 4, 4, '0']);
    expect(row.ordCxlText !== undefined, 'an ordCxlText', row);
  }),
  types('TYP-03', 'Fill or kill fills nothing where it cannot fill all.', async (kit) => {
    const row = await kit.row(await enter(kit, await kit.bid({ timeInForce: 4 })));
    expectSame('ordStatus and cumQty', [row.ordStatus, row.cumQty], [4, '0']);
  }),
  types('TYP-04', 'Good till date needs an expireTime, and reports it.', async (kit) => {
    await rejected(kit, await kit.bid({ timeInForce: 6 }), 'invalidField', 'expireTime');
    await rejected(kit, await kit.bid({ expireTime: FUTURE }), 'invalidField', 'expireTime');
    const past = await kit.bid({ timeInForce: 6, expireTime: 1 });
    await rejected(kit, past, 'expireTimePassed', 'expireTime');
    const dated = await kit.bid({ timeInForce: 6, expireTime: FUTURE });
    const row = await kit.row(await enter(kit, dated));
    expectSame('timeInForce and expireTime', [row.timeInForce, row.expireTime], ['6', FUTURE]);
  }),
  types('TYP-05', 'A stop waits for its trigger, outside of the book.', async (kit) => {
    await rejected(kit, await kit.bid({ stopPx: 1 }), 'invalidField', 'stopPx');
    const needsOne = await stopOf(kit, { stopPx: undefined });
    await rejected(kit, needsOne, 'invalidField', 'stopPx');
    const stop = await stopOf(kit);
    const row = await kit.row(await enter(kit, stop));
    const waiting = [row.ordStatus, row.workingIndicator, row.stopPx, row.triggerPriceDirection];
    expectSame('ordStatus, workingIndicator, stopPx, direction', waiting, [
      ...[0, false],
      String(stop.stopPx),
      'U',
    ]);
  }),
  types('TYP-06', 'An iceberg reports what it shows, at most its quantity.', async (kit) => {
    const { quantity } = await kit.pair();
    const half = decimal.multiply(quantity, '0.5');
    const row = await kit.row(await enter(kit, await kit.bid({ displayQty: half })));
    expectSame('displayQty and leavesQty', [row.displayQty, row.leavesQty], [half, quantity]);
    const more = await kit.bid({ displayQty: decimal.multiply(quantity, '2') });
    await rejected(kit, more, 'invalidField', 'displayQty');
  }),
  types('TYP-07', 'Terms that do not fit together are rejected by name.', async (kit) => {
    await rejected(kit, await stopOf(kit, { ordType: 3 }), 'invalidField', 'price');
    const postOnly = await kit.bid({ execInst: 6, timeInForce: 3 });
    await rejected(kit, postOnly, 'unsupported', 'execInst');
    const dated = { ordType: 1, price: undefined, timeInForce: 6, expireTime: FUTURE };
    await rejected(kit, await kit.bid(dated), 'unsupported', 'timeInForce');
  }),
  amending('TYP-08', 'An amended order keeps its ids and has the new terms.', async (kit) => {
    const { quantity, symbol } = await kit.pair();
    const origClOrdId = `kit-t8-${Date.now()}`;
    const orderId = await kit.rest({ clOrdId: origClOrdId });
    const orderQty = decimal.multiply(quantity, '0.5');
    const change = { orderId, symbol, orderQty, clOrdId: 'kit-amend' };
    const { transactTime: _, ...ids } = await kit.call(amendOrder, change);
    expectSame('the ids', ids, { orderId, clOrdId: 'kit-amend', origClOrdId });
    const row = await kit.row(orderId);
    const terms = [row.clOrdId, row.orderQty, row.ordStatus, row.execType];
    expectSame('clOrdId, orderQty, ordStatus, execType', terms, [origClOrdId, orderQty, 0, 5]);
  }),
  amending('TYP-09', 'A rejected amendment changes nothing.', async (kit) => {
    const orderId = await kit.rest();
    const before = await kit.row(orderId);
    await kit.expectRejected(amendOrder, { orderId }, 'invalidField', 'orderQty');
    await kit.expectRejected(amendOrder, { orderId, stopPx: 1 }, 'notAmendable', 'stopPx');
    expectSame('the order', await kit.row(orderId), before);
    await kit.cancel(orderId);
    await kit.expectRejected(amendOrder, { orderId, orderQty: 1 }, 'orderClosed', 'orderId');
  }),
  pairs('TYP-10', 'A cancel of one order of an OCO pair cancels the other.', async (kit) => {
    const { symbol, quantity, bidPrice } = await kit.pair();
    const stopPx = decimal.multiply(bidPrice, '100');
    const pair = { symbol, side: 1, orderQty: quantity, price: bidPrice, stopPx };
    const oneSide = { ...pair, stopPx: bidPrice };
    await kit.expectRejected(createOco, oneSide, 'invalidField', 'price');
    const answer = await kit.wire.send(createOco, pair);
    if (isCode(answer, 'insufficientBalance')) throw new Skip('the stop costs too much');
    const { orderId, stopOrderId } = expectDescribed(createOco, answer);
    kit.noteEntered(orderId);
    kit.noteEntered(stopOrderId);
    const [limit, stop] = [await kit.row(orderId), await kit.row(stopOrderId)];
    const links = [limit.ocoOrderId, stop.ocoOrderId];
    expectSame('ocoOrderId of both', links, [stopOrderId, orderId]);
    await kit.cancel(orderId);
    expectSame('ordStatus of the stop', (await kit.row(stopOrderId)).ordStatus, 4);
  }),
  batches('TYP-11', 'Each entry of a batch has its own answer, in order.', async (kit) => {
    const bid = await kit.bid();
    const clOrdId = `kit-t11-${Date.now()}`;
    const { orders } = await kit.call(createOrders, {
      orders: [
        { op: 'place', ...bid, clOrdId },
        { op: 'place', ...bid, price: 'many' },
        { op: 'cancel', origClOrdId: clOrdId },
        { op: 'cancel', origClOrdId: clOrdId },
      ],
    });
    const codes = orders.map((one) => ('code' in one ? one.code : null));
    expectSame('the codes', codes, [null, '100200', null, '100205']);
    const [placed] = orders;
    expectSame('clOrdId', placed !== undefined && 'clOrdId' in placed && placed.clOrdId, clOrdId);
  }),
  batches('TYP-12', 'A batch has 1 to 50 entries with a known op.', async (kit) => {
    const many = Array.from({ length: 51 }, () => ({ op: 'cancel', orderId: 1 }));
    for (const orders of [[], many, [{ op: 'replace' }]]) {
      await kit.expectRejected(createOrders, { orders }, 'invalidField');
    }
  }),
];
