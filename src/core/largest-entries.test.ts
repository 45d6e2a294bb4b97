// The structures that an account can make the core keep, filled with the largest entries.
import { expect, test } from 'bun:test';
import { limitWith } from '../../test/support/order-types.ts';
import { BTC_USDT, Venue } from '../../test/support/venue.ts';
import type { OrderBatch } from './command.ts';
import { Side, TimeInForce } from './fix.ts';
import { checkInvariants } from './invariants.ts';
import { restore, snapshot } from './snapshot.ts';
import { ticks } from './units.ts';

const OPEN_ORDERS = 10_000;
/** Bytes of the largest open order in a snapshot; in memory it takes less than twice that. */
const ORDER_BYTES = 192;
const DAY = 24 * 60 * 60 * 1000;

const nameOf = (n: number): string => String(n).padStart(64, 'o');

/** An iceberg of 100 parts until a date, with a bracket and the longest name. */
function largestOrder(venue: Venue, n: number) {
  const extras = {
    timeInForce: TimeInForce.goodTillDate,
    expireTime: venue.time + DAY,
    displayQty: 1_000,
    bracket: { takeProfitPx: 2 ** 40, stopPx: 1, stopLimitPx: 1, trail: 0 },
  } as unknown as Parameters<typeof limitWith>[1];
  const order = limitWith([1, Side.buy, 2 + (n % 5_000), 100_000], extras);
  return { ...order, clOrdId: nameOf(n) };
}

test('the open orders of an account are bounded in number, and so in bytes', () => {
  const venue = new Venue({ users: 1 });
  const before = snapshot(venue.exchange.state).length;
  for (let n = 0; n < OPEN_ORDERS; n++) venue.must(largestOrder(venue, n));
  const more = venue.send(largestOrder(venue, OPEN_ORDERS));
  expect(more.ok ? null : more.reject.name).toBe('tooManyOpenOrders');
  const { state } = venue.exchange;
  const bytes = snapshot(state).length - before;
  expect(bytes).toBeLessThan(OPEN_ORDERS * ORDER_BYTES);
  expect(bytes).toBeGreaterThan(OPEN_ORDERS * 100);
  checkInvariants(state);
});

test('outcomes of the largest batches stay within their bytes, in each copy of the state', () => {
  const venue = new Venue({ users: 1 });
  const orderIds = Array.from({ length: 50 }, (_, n) =>
    venue.buy(1, 1 + n, 10, { clOrdId: nameOf(n) }),
  );
  const { state } = venue.exchange;
  const kept = () => [state.outcomes.count, state.outcomes.bytesOf(1)] as const;
  let batches = 0;
  const amendAll = (): void => {
    venue.log.length = 0;
    const entries = orderIds.map((orderId, n) => ({
      type: 'amendOrder',
      securityId: BTC_USDT,
      orderId,
      origClOrdId: nameOf(n),
      clOrdId: nameOf(n + 1_000),
      ...{ orderQty: null, price: ticks(1 + n + (batches % 2)), stopPx: null },
      ...{ displayQty: null, expireTime: null, bracket: null },
    }));
    const key = String(batches++).padStart(128, 'k');
    const idempotency = { key, digest: key.slice(-32) };
    venue.must({ type: 'orderBatch', uid: 1, entries, signature: null, idempotency } as OrderBatch);
  };
  amendAll();
  const each = kept()[1];
  const most = Math.floor((32 << 20) / each);
  while (batches < most + 20) amendAll();
  expect(kept()).toEqual([most, most * each]);
  const copy = restore(snapshot(state));
  expect([copy.outcomes.count, copy.outcomes.bytes]).toEqual([most, most * each]);
  expect(copy.stateHash()).toBe(state.stateHash());
});

test('brackets that are due count as open orders, though their entry orders are done', () => {
  const venue = new Venue({ users: 2, workScale: 0.0005 });
  const { state } = venue.exchange;
  const unchanged = { kyc: null, suspended: null, makerFee: null, takerFee: null };
  venue.must({ type: 'amendUser', uid: 1, ...unchanged, maxOpenOrders: 20 });
  for (let n = 0; n < 30; n++) venue.sell(2, 100, 1);
  const bracket = { takeProfitPx: ticks(200), stopPx: ticks(50), stopLimitPx: ticks(50), trail: 0 };
  const rejects = new Set<string>();
  for (let n = 0; n < 30; n++) {
    // An order that never rests leaves exits that are due too.
    const timeInForce = n % 2 === 0 ? TimeInForce.goodTillCancel : TimeInForce.immediateOrCancel;
    const outcome = venue.send(limitWith([1, Side.buy, 100, 1], { bracket, timeInForce }));
    if (!outcome.ok) rejects.add(outcome.reject.name);
  }
  expect([...rejects]).toEqual(['tooManyOpenOrders']);
  expect(state.due.bracketsOf(1) + state.orders.countOf(1)).toBe(20);
  while (venue.exchange.nextTimer <= venue.time) venue.must({ type: 'runTimers' });
  expect([state.due.bracketsOf(1), state.due.isEmpty]).toEqual([0, true]);
  checkInvariants(state);
});
