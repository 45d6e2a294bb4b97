// Checks of cancels: by either id, what cannot be canceled, all at once, and the switch that
// cancels by itself.
import * as decimal from '../sdk/decimal.ts';
import { type Check, expect, expectSame, section } from './check.ts';
import { expectOk, expectRefused, expectShape } from './expect.ts';
import { type Kit, SPOT } from './kit.ts';
import type { Json } from './wire.ts';

const cancel = section('trading', 'cancelOrder');
const mass = section('trading', 'massCancel');
const errors = section('trading', 'Errors');
const dead = section('agio', 'Cancel all after');

const CANCEL = `${SPOT}/order/cancel`;
const MASS = `${SPOT}/order/masscancel`;
const AFTER = `${SPOT}/order/cancelallafter`;
const ORDERS = `${SPOT}/orders`;
const NO_ORDER = 9_007_199_254_740_991;
const TIMEOUT_MS = 60_000;

const openIn = async ({ wire }: Kit, symbol: string): Promise<Json[]> =>
  expectOk(await wire.get(ORDERS, { type: 'OPEN', symbol })).data as unknown as Json[];

export const cancelChecks: readonly Check[] = [
  cancel('CXL-01', 'A cancel is answered with orderId, clOrdId and origClOrdId.', async (kit) => {
    const origClOrdId = `kit-c1-${Date.now()}`;
    const orderId = await kit.rest({ clOrdId: origClOrdId });
    const answer = expectOk(await kit.wire.post(CANCEL, { orderId, clOrdId: 'kit-cancel' }));
    expectShape('the answer', answer, { orderId: 'integer', clOrdId: 'text', origClOrdId: 'text' });
    const told = [answer.orderId, answer.clOrdId, answer.origClOrdId];
    expectSame('the ids', told, [orderId, 'kit-cancel', origClOrdId]);
  }),
  cancel(
    'CXL-02',
    'A canceled order is ordStatus 4, execType 4, with nothing left.',
    async (kit) => {
      const orderId = await kit.rest();
      expectOk(await kit.wire.post(CANCEL, { orderId }));
      const row = await kit.row(orderId);
      expectSame('ordStatus and execType', [row.ordStatus, row.execType], [4, 4]);
      expectSame('leavesQty', row.leavesQty, 0);
    },
  ),
  errors('CXL-03', 'A canceled order may have a text, and has no reason code.', async (kit) => {
    const orderId = await kit.rest();
    expectOk(await kit.wire.post(CANCEL, { orderId }));
    const row = await kit.row(orderId);
    expectShape('the report', row, { ordRejReason: '-', ordRejText: '-' });
    expectShape('the report', row, { ordCxlText: 'text' });
  }),
  cancel('CXL-04', 'origClOrdId names the order as well.', async (kit) => {
    const origClOrdId = `kit-c4-${Date.now()}`;
    const orderId = await kit.rest({ clOrdId: origClOrdId });
    const answer = expectOk(await kit.wire.post(CANCEL, { origClOrdId }));
    expectSame('orderId', answer.orderId, orderId);
    expect(String(answer.clOrdId ?? '') !== '', 'a generated clOrdId', answer.clOrdId);
  }),
  cancel('CXL-05', 'orderId and origClOrdId have to match.', async (kit) => {
    const origClOrdId = `kit-c5-${Date.now()}`;
    await kit.rest({ clOrdId: origClOrdId });
    const other = await kit.rest();
    expectRefused(await kit.wire.post(CANCEL, { orderId: other, origClOrdId }), 400, 100204);
    expectSame('ordStatus of the order', (await kit.row(other)).ordStatus, 0);
  }),
  cancel('CXL-06', 'A cancel carries one of the two ids.', async ({ wire }) => {
    expectRefused(await wire.post(CANCEL, {}), 400, 100200, 'orderId');
    for (const orderId of [0, 1.5]) {
      expectRefused(await wire.post(CANCEL, { orderId }), 400, 100200, 'orderId');
    }
  }),
  cancel('CXL-07', 'An unknown order and a closed one are refused.', async (kit) => {
    const unknown = await kit.wire.post(CANCEL, { orderId: NO_ORDER });
    expectRefused(unknown, 400, 100203, 'orderId');
    const unnamed = await kit.wire.post(CANCEL, { origClOrdId: 'kit-none' });
    expectRefused(unnamed, 400, 100203, 'origClOrdId');
    const orderId = await kit.rest();
    expectOk(await kit.wire.post(CANCEL, { orderId }));
    expectRefused(await kit.wire.post(CANCEL, { orderId }), 400, 100205);
  }),
  mass('CXL-08', 'All open orders of the pair are canceled, and no other.', async (kit) => {
    const { symbol, securityId } = await kit.pair();
    await kit.requireNoOthers(symbol);
    await kit.rest();
    await kit.rest();
    const answer = expectOk(await kit.wire.post(MASS, { symbol, securityId, clOrdId: 'kit-mass' }));
    expectShape('the answer', answer, { clOrdId: 'text', symbol: 'text', securityId: 'integer' });
    const told = [answer.clOrdId, answer.symbol, answer.securityId];
    expectSame('the answer', told, ['kit-mass', symbol, securityId]);
    expectSame('open orders of the pair', await openIn(kit, symbol), []);
  }),
  mass('CXL-09', 'symbol and securityId have to correspond, and to exist.', async (kit) => {
    const { symbol, securityId } = await kit.pair();
    const answer = await kit.wire.post(MASS, { symbol, securityId: securityId + 1 });
    const code = String(answer.json?.code);
    const refused = answer.status === 400 && ['100201', '100202'].includes(code);
    expect(refused, '400 with code 100202', `${answer.status} ${code}`);
    expectRefused(await kit.wire.post(MASS, { symbol: 'NO-SUCH' }), 400, 100201);
  }),
  mass('CXL-10', 'Without a pair every open order of the account is canceled.', async (kit) => {
    await kit.requireNoOthers();
    const orderId = await kit.rest();
    const answer = expectOk(await kit.wire.post(MASS, {}));
    expectSame('symbol and securityId', [answer.symbol, answer.securityId], [null, null]);
    expectSame('ordStatus', (await kit.row(orderId)).ordStatus, 4);
  }),
  cancel('CXL-11', 'What an order held is free again when it is canceled.', async (kit) => {
    const { quote } = await kit.pair();
    const before = await kit.has(quote);
    const orderId = await kit.rest();
    expect(
      decimal.compare(await kit.has(quote), before) < 0,
      `less than ${before} available`,
      before,
    );
    expectOk(await kit.wire.post(CANCEL, { orderId }));
    expectSame(`available ${quote}`, await kit.has(quote), before);
  }),
  dead('CXL-12', 'The switch is armed, says when it fires, and is disarmed by 0.', async (kit) => {
    await kit.requireNoOthers();
    const armed = expectOk(await kit.wire.post(AFTER, { timeout: TIMEOUT_MS }));
    expectShape('the answer', armed, { triggerTime: 'time', currentTime: 'time' });
    const ahead = Number(armed.triggerTime) - Number(armed.currentTime);
    expectSame('triggerTime − currentTime', ahead, TIMEOUT_MS);
    const disarmed = expectOk(await kit.wire.post(AFTER, { timeout: 0 }));
    expectSame('triggerTime', disarmed.triggerTime, null);
  }),
];
