// Many stops that trigger one another: in slices, with other commands in between, and in order.
import { expect, test } from 'bun:test';
import { amendOf, reportsOf, stopOf } from '../../../test/support/order-types.ts';
import { BTC_USDT, UNCHANGED_INSTRUMENT, Venue } from '../../../test/support/venue.ts';
import { Exchange } from '../exchange.ts';
import { ExecType, InstrumentStatus, Side } from '../fix.ts';
import { checkInvariants } from '../invariants.ts';
import { restore, snapshot } from '../snapshot.ts';
import { lots } from '../units.ts';
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
    for (const { orderId, stopPx } of reportsOf(venue)) stopPxs.set(orderId, stopPx);
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

test('another command comes between two slices', () => {
  const venue = crowded();
  venue.sell(3, PRICES, 1);
  expect(venue.exchange.nextTimer).toBe(0);
  const orderId = venue.buy(3, 1, 1);
  // It does not wait for the next slice, which a timer carries out.
  expect(reportsOf(venue)).toMatchObject([{ orderId, execType: ExecType.new }]);
  expect(venue.exchange.nextTimer).toBe(0);
  venue.must({ type: 'runTimers' });
  expect(triggeredIn(venue)).toHaveLength(TRIGGER_SLICE);
});

test('one trade takes the stops of many prices out of their ladder', () => {
  const venue = crowded();
  venue.must({ type: 'cancelOrders', uid: 2, securityId: 0 });
  venue.buy(2, 1, 10);
  const { triggers } = venue.exchange.state.instruments[1]!;
  expect(triggers.highestDown).toBe(PRICES);
  venue.sell(3, 1, 1);
  expect(triggers.highestDown).toBe(0);
  expect(triggeredIn(venue)).toHaveLength(TRIGGER_SLICE);
  checkInvariants(venue.exchange.state);
});

test('due stops of a halted market wait; their owner may cancel and not amend them', () => {
  const venue = crowded();
  venue.sell(3, PRICES, 1);
  const setStatus = (status: InstrumentStatus): void => {
    venue.must({ ...UNCHANGED_INSTRUMENT, securityId: BTC_USDT, status });
  };
  const { orders } = venue.exchange.state;
  // The halt itself is a command, so it comes before the next slice.
  setStatus(InstrumentStatus.HALTED);
  expect(triggeredIn(venue)).toEqual([]);
  expect(venue.exchange.nextTimer).toBe(Number.POSITIVE_INFINITY);
  const due = orders.orderId(orders.firstOf(1));
  const amended = venue.send(amendOf(1, due, { orderQty: lots(2) }));
  expect(amended).toMatchObject({ ok: false, reject: { name: 'notAmendable' } });
  expect(venue.cancel(1, due).ok).toBe(true);
  checkInvariants(venue.exchange.state);
  const copy = new Exchange(restore(snapshot(venue.exchange.state)));
  setStatus(InstrumentStatus.LIVE);
  const { time, command } = venue.log.at(-1)!;
  copy.apply(venue.seq, time, command);
  expect(triggeredIn(venue)).toHaveLength(TRIGGER_SLICE);
  expect(copy.events).toEqual([...venue.events]);
  expect(copy.state.stateHash()).toBe(venue.exchange.state.stateHash());
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
