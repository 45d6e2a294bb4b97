// Checks of cancels: by either id, of orders that cannot be canceled, of all orders, and by the
// dead man's switch.
import { orderCalls } from '../contract/trading/calls.ts';
import * as decimal from '../sdk/decimal.ts';
import { type Check, section } from './check.ts';
import { expect, expectSame } from './expect.ts';
import { expectMismatch } from './kit.ts';

const cancel = section('trading', 'cancelOrder');
const mass = section('trading', 'massCancel');
const errors = section('trading', 'Errors');
const dead = section('agio', 'Cancel all after');

const { cancelOrder, massCancel, cancelAllAfter } = orderCalls;
const NO_ORDER = 9_007_199_254_740_991;
const TIMEOUT_MS = 60_000;

export const cancelChecks: readonly Check[] = [
  cancel('CXL-01', 'A cancel is answered with orderId, clOrdId and origClOrdId.', async (kit) => {
    const origClOrdId = `kit-c1-${Date.now()}`;
    const orderId = await kit.rest({ clOrdId: origClOrdId });
    const canceled = await kit.call(cancelOrder, { orderId, clOrdId: 'kit-cancel' });
    expectSame('the ids', canceled, { orderId, clOrdId: 'kit-cancel', origClOrdId });
  }),
  cancel(
    'CXL-02',
    'A canceled order is ordStatus 4, execType 4, with nothing left.',
    async (kit) => {
      const orderId = await kit.rest();
      await kit.cancel(orderId);
      const { ordStatus, execType, leavesQty } = await kit.row(orderId);
      expectSame('ordStatus, execType, leavesQty', [ordStatus, execType, leavesQty], [4, 4, '0']);
    },
  ),
  errors('CXL-03', 'A canceled order may have a text, and has no reason code.', async (kit) => {
    const orderId = await kit.rest();
    await kit.cancel(orderId);
    const { ordRejReason, ordRejText, ordCxlText } = await kit.row(orderId);
    expectSame('ordRejReason and ordRejText', [ordRejReason, ordRejText], [undefined, undefined]);
    expect(ordCxlText !== undefined, 'an ordCxlText', ordCxlText);
  }),
  cancel('CXL-04', 'origClOrdId names the order as well.', async (kit) => {
    const origClOrdId = `kit-c4-${Date.now()}`;
    const orderId = await kit.rest({ clOrdId: origClOrdId });
    const canceled = await kit.call(cancelOrder, { origClOrdId });
    expectSame('orderId', canceled.orderId, orderId);
    expect(canceled.clOrdId !== '', 'a generated clOrdId', canceled.clOrdId);
  }),
  cancel('CXL-05', 'orderId and origClOrdId have to match.', async (kit) => {
    const origClOrdId = `kit-c5-${Date.now()}`;
    await kit.rest({ clOrdId: origClOrdId });
    const orderId = await kit.rest();
    await kit.expectRejected(cancelOrder, { orderId, origClOrdId }, 'orderMismatch');
    expectSame('ordStatus of the order', (await kit.row(orderId)).ordStatus, 0);
  }),
  cancel('CXL-06', 'A cancel has one of the two ids.', async (kit) => {
    for (const fields of [{}, { orderId: 0 }, { orderId: 1.5 }]) {
      await kit.expectRejected(cancelOrder, fields, 'invalidField', 'orderId');
    }
  }),
  cancel('CXL-07', 'An unknown order and a closed one are rejected.', async (kit) => {
    await kit.expectRejected(cancelOrder, { orderId: NO_ORDER }, 'orderUnknown', 'orderId');
    const unknown = { origClOrdId: 'kit-none' };
    await kit.expectRejected(cancelOrder, unknown, 'orderUnknown', 'origClOrdId');
    const orderId = await kit.rest();
    await kit.cancel(orderId);
    await kit.expectRejected(cancelOrder, { orderId }, 'orderClosed');
  }),
  mass('CXL-08', 'All open orders of the pair are canceled, and no other.', async (kit) => {
    const { symbol, securityId } = await kit.pair();
    await kit.requireNoOthers(symbol);
    await kit.rest();
    await kit.rest();
    const request = { clOrdId: 'kit-mass', symbol, securityId };
    expectSame('the answer', await kit.call(massCancel, request), request);
    expectSame('open orders of the pair', await kit.rows({ type: 'OPEN', symbol }), []);
  }),
  mass('CXL-09', 'symbol and securityId have to correspond, and to exist.', async (kit) => {
    const { symbol, securityId } = await kit.pair();
    expectMismatch(await kit.wire.send(massCancel, { symbol, securityId: securityId + 1 }));
    await kit.expectRejected(massCancel, { symbol: 'NO-SUCH' }, 'unknownSymbol');
  }),
  mass('CXL-10', 'Without a pair every open order of the account is canceled.', async (kit) => {
    await kit.requireNoOthers();
    const orderId = await kit.rest();
    const { symbol, securityId } = await kit.call(massCancel);
    expectSame('symbol and securityId', [symbol, securityId], [null, null]);
    expectSame('ordStatus', (await kit.row(orderId)).ordStatus, 4);
  }),
  cancel('CXL-11', 'A cancel frees the money that the order held.', async (kit) => {
    const { quote } = await kit.pair();
    const before = await kit.has(quote);
    const orderId = await kit.rest();
    const during = await kit.has(quote);
    expect(decimal.compare(during, before) < 0, `less than ${before} available`, during);
    await kit.cancel(orderId);
    expectSame(`available ${quote}`, await kit.has(quote), before);
  }),
  dead('CXL-12', 'The switch is armed, says when it fires, and is disarmed by 0.', async (kit) => {
    await kit.requireNoOthers();
    const armed = await kit.call(cancelAllAfter, { timeout: TIMEOUT_MS });
    const ahead = Number(armed.triggerTime) - armed.currentTime;
    expectSame('triggerTime − currentTime', ahead, TIMEOUT_MS);
    const disarmed = await kit.call(cancelAllAfter, { timeout: 0 });
    expectSame('triggerTime', disarmed.triggerTime, null);
  }),
];
