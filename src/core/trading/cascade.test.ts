// Many stops that trigger one another: in slices, with other commands in between, and in order.
import { expect, test } from 'bun:test';
import { reportsOf, stopOf } from '../../../test/support/order-types.ts';
import { BTC_USDT, Venue } from '../../../test/support/venue.ts';
import { ExecType, Side } from '../fix.ts';
import { checkInvariants } from '../invariants.ts';
import { restore, snapshot } from '../snapshot.ts';
import { TRIGGER_SLICE } from './run-due.ts';

const PRICES = 250;
const COUNT = 5 * PRICES;
/** More than four commands carry out. */
const MANY = 4 * TRIGGER_SLICE + PRICES;

/** Stops to sell one lot each, five at each price from 250 down to 1, and bids for four of them. */
function crowded(count = COUNT): Venue {
  const venue = new Venue({ users: 3 });
  const unchanged = { kyc: null, suspended: null, makerFee: null, takerFee: null };
  venue.must({ type: 'amendUser', uid: 1, ...unchanged, maxOpenOrders: count });
  venue.sell(2, 2_000, 1);
  venue.buy(3, 2_000, 1);
  for (let i = 0; i < count; i++) venue.must(stopOf([1, Side.sell, PRICES - (i % PRICES), 1]));
  for (let price = PRICES; price >= 1; price--) venue.buy(2, price, 4);
  return venue;
}

const triggeredIn = (venue: Venue): number[] =>
  reportsOf(venue)
    .filter(({ execType }) => execType === ExecType.triggered)
    .map(({ orderId }) => orderId);

test('a cascade is carried out in slices, in the order of its triggers', () => {
  const venue = crowded();
  const stopPxs = new Map<number, number>();
  venue.sell(3, PRICES, 1);
  const order: number[] = [];
  const slices: number[] = [];
  for (;;) {
    const triggered = triggeredIn(venue);
    for (const { orderId, extras } of reportsOf(venue)) stopPxs.set(orderId, extras.stopPx);
    order.push(...triggered);
    slices.push(triggered.length);
    checkInvariants(venue.exchange.state);
    if (venue.exchange.nextTimer === Number.POSITIVE_INFINITY) break;
    venue.must({ type: 'runTimers' });
  }
  expect(slices).toEqual([TRIGGER_SLICE, TRIGGER_SLICE, COUNT - 2 * TRIGGER_SLICE]);
  const expected = [...order].sort((a, b) => stopPxs.get(b)! - stopPxs.get(a)! || a - b);
  expect(order).toEqual(expected);
});

test('a stop that comes after a trade waits, also at a price that has due stops', () => {
  const venue = crowded(MANY);
  venue.must({ type: 'cancelOrders', uid: 2, securityId: 0 });
  venue.buy(2, 1, 1);
  venue.sell(3, 1, 1);
  // Nobody buys what the stops sell, so the price stays where these two put it.
  venue.sell(2, 900, 1);
  venue.buy(3, 900, 1);
  const late = venue.must(stopOf([1, Side.sell, 1, 1])).orderId;
  const { state } = venue.exchange;
  const dueAtItsPrice = state.due.entriesOf(state.instruments[BTC_USDT]!);
  expect(dueAtItsPrice).toHaveLength(1);
  const copy = restore(snapshot(state));
  checkInvariants(copy);
  expect(copy.stateHash()).toBe(state.stateHash());
  while (venue.exchange.nextTimer === 0) venue.must({ type: 'runTimers' });
  expect(state.orders.countOf(1)).toBe(1);
  expect(state.orders.isWaiting(state.orders.find(late))).toBe(true);
});
