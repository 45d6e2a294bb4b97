// The work of a trade among thousands of stops that trail the price: it does not grow with them.
import { expect, spyOn, test } from 'bun:test';
import { stopOf } from '../../../test/support/order-types.ts';
import { Venue } from '../../../test/support/venue.ts';
import { Side } from '../fix.ts';
import { checkInvariants } from '../invariants.ts';
import { PriceLadder } from '../matching/price-ladder.ts';
import { maxTrailingAmount, trailingTrigger } from '../order-rules.ts';
import { amount, MAX_INTEGER, ticks } from '../units.ts';

const STOPS = 10_000;
const START = 1_000_000;

/** A venue with a stop at each distance from 1 to 5,000 ‱, and as many at distances in ticks. */
function crowdedVenue(): Venue {
  const venue = new Venue({ users: 3, btc: amount(1e12), usdt: amount(1e15) });
  trade(venue, START);
  for (let n = 1; n <= STOPS / 2; n++) {
    for (const trail of [n, -n * 100]) {
      venue.must(stopOf([1, Side.sell, 0, 1], {}, { stopPx: ticks(0), trail }));
    }
  }
  return venue;
}

function trade(venue: Venue, price: number): void {
  venue.sell(2, price, 1);
  venue.buy(3, price, 1);
}

/** The calls that `work` makes of the ladders and of the details of orders. */
function callsOf(venue: Venue, work: () => void): number {
  const { orders } = venue.exchange.state;
  const spies = [
    spyOn(orders, 'details'),
    spyOn(orders, 'changeDetails'),
    ...(['find', 'insert', 'remove', 'best'] as const).map((name) =>
      spyOn(PriceLadder.prototype, name),
    ),
  ];
  work();
  const calls = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  for (const spy of spies) spy.mockRestore();
  return calls;
}

test('each new high among 10,000 trailing stops costs about what it costs among none', () => {
  const venue = crowdedVenue();
  const none = new Venue({ users: 3, btc: amount(1e12), usdt: amount(1e15) });
  const highs = (on: Venue) => () => {
    for (let n = 1; n <= 1_000; n++) trade(on, START + 10 * n);
  };
  const [calls, atLeast] = [callsOf(venue, highs(venue)), callsOf(none, highs(none))];
  expect((calls - atLeast) / 1_000).toBeLessThan(30);
  expect(venue.exchange.work).toBe(1);
  checkInvariants(venue.exchange.state);
});

test('a fall triggers the stops that it reaches, and does no work for the others', () => {
  const venue = crowdedVenue();
  const { state } = venue.exchange;
  trade(venue, 2 * START);
  const waiting = state.orders.countOf(1);
  // 10 stops at 1 to 10 ‱ of the price, and 20 at 100 to 2,000 ticks.
  venue.buy(3, 2 * START - 2_000, 1_000);
  const calls = callsOf(venue, () => venue.sell(2, 2 * START - 2_000, 1));
  expect(waiting - state.orders.countOf(1)).toBe(30);
  expect(calls).toBeLessThan(30 * 40);
  checkInvariants(state);
});

test('thousands of segments, each of a stop that began lower, become one at a new high', () => {
  const venue = new Venue({ users: 3, btc: amount(1e12), usdt: amount(1e15) });
  const { state } = venue.exchange;
  for (let n = 0; n < 2_000; n++) {
    trade(venue, START - n);
    venue.must(stopOf([1, Side.sell, 0, 1], {}, { stopPx: ticks(0), trail: 4_000 }));
  }
  const { trailing } = state.instruments[1]!.triggers.of(2);
  expect(trailing.segments.length).toBe(2_000);
  const calls = callsOf(venue, () => trade(venue, START + 1));
  expect(calls).toBeLessThan(2_000 * 6);
  expect(trailing.segments.map(({ best }) => best)).toEqual([ticks(START + 1)]);
  checkInvariants(state);
});

test.each([
  [1_000, 250, false, 975],
  [999, 250, false, 974],
  [999, 250, true, 1_024],
  [1, 1, false, 0],
  [1, 1, true, 2],
  [100, -30, false, 70],
  [100, -30, true, 130],
  [100, -100, false, 0],
  [MAX_INTEGER, 5_000, false, 4503599627370495],
  [MAX_INTEGER, 1, true, Number.POSITIVE_INFINITY],
])(
  'the trigger of a stop that trails %i by %i, upward: %p, is %i',
  (best, trail, isUp, trigger) => {
    expect(trailingTrigger(best, trail, isUp)).toBe(trigger);
  },
);

test('the largest distance in ticks is half of the price', () => {
  expect([1, 2, 3, MAX_INTEGER].map(maxTrailingAmount)).toEqual([0, 1, 1, 4503599627370495]);
});
