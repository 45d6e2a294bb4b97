// The nearest value of a rejection at the limits of an order; test/scenario has the rules.
import { expect, test } from 'bun:test';
import { amendOf, ocoOf, stopOf } from '../../../test/support/order-types.ts';
import {
  BTC_USDT,
  placeOrder,
  UNCHANGED_INSTRUMENT,
  USDT,
  Venue,
} from '../../../test/support/venue.ts';
import { InstrumentStatus, OrdType, Side } from '../fix.ts';
import { accepted, type Outcome } from '../outcome.ts';
import { amount, lots, MAX_INTEGER, RATE_ONE, ticks } from '../units.ts';
import { priceBand } from './price-band.ts';

const rejection = (outcome: Outcome) => (outcome.ok ? null : outcome.reject);

test('the minimum quantity is named when an order can have it, and else none', () => {
  const minNotional = amount(BigInt(MAX_INTEGER) * 10n);
  const venue = new Venue({ terms: { minNotional } });
  const nearestAt = (price: number) =>
    rejection(venue.place({ uid: 1, side: Side.buy, price: ticks(price), orderQty: lots(1) }))!
      .nearest;
  // A tick times a lot is one unit of USDT.
  expect(nearestAt(10)).toEqual({ unit: 'lots', securityId: 1, n: MAX_INTEGER });
  expect(nearestAt(9)).toBeNull();
});

test('a budget of nothing is not recommended, also where there is no minimum', () => {
  const venue = new Venue({ terms: { minNotional: amount(0) } });
  // A budget goes in steps of 0.01 USDT: a million units.
  const step = 1_000_000;
  const nearestOf = (available: number) => {
    const uid = venue.addUser(amount(0), amount(available));
    const order = { uid, side: Side.buy, ordType: OrdType.market, quoteOrderQty: amount(9 * step) };
    return rejection(venue.send(placeOrder(order)))!.nearest;
  };
  expect(nearestOf(step - 1)).toBeNull();
  expect(nearestOf(2 * step - 1)).toEqual({ unit: 'amount', assetId: USDT, n: amount(step) });
});

test('the ends of a band are prices: from one tick to the largest integer', () => {
  for (const [last, band] of [
    [1, { low: 1, high: 1 }],
    [2, { low: 1, high: 3 }],
    [MAX_INTEGER, { low: Math.ceil(MAX_INTEGER / 100_000_000), high: MAX_INTEGER }],
  ] as const) {
    // The widest that may be.
    const venue = new Venue({
      btc: amount(10n ** 30n),
      usdt: amount(10n ** 40n),
      terms: { priceBand: RATE_ONE - 1 },
    });
    venue.sell(1, last, 1);
    venue.buy(2, last, 1);
    expect<unknown>(priceBand(venue.exchange.state.instruments[1]!)).toEqual(band);
  }
});

test('a stop that is reached names the next tick that would wait, while that is a price', () => {
  const measure = (n: number | null) => (n === null ? null : { unit: 'ticks', securityId: 1, n });
  for (const [last, below, above] of [
    [1, null, 2],
    [2, 1, 3],
    [MAX_INTEGER, MAX_INTEGER - 1, null],
  ] as const) {
    const venue = new Venue({ btc: amount(10n ** 30n), usdt: amount(10n ** 40n) });
    venue.sell(1, last, 1);
    venue.buy(2, last, 1);
    const nearestOf = (side: Side, stopPx: number) =>
      rejection(venue.send(stopOf([1, side, stopPx, 1])))!.nearest;
    expect<unknown>(nearestOf(Side.sell, MAX_INTEGER)).toEqual(measure(below));
    expect<unknown>(nearestOf(Side.buy, 1)).toEqual(measure(above));
  }
});

test('an amendment of a stop to a price that is reached names the tick that would wait', () => {
  const venue = new Venue();
  venue.sell(1, 100, 1);
  venue.buy(2, 100, 1);
  const { orderId } = venue.must(stopOf([1, Side.sell, 90, 1]));
  const amended = (stopPx: number) =>
    rejection(venue.send(amendOf(1, orderId, { stopPx: ticks(stopPx) })));
  expect(amended(100)).toMatchObject({
    name: 'wouldTrigger',
    nearest: { unit: 'ticks', securityId: 1, n: 99 },
  });
  expect(amended(99)).toBeNull();
});

test('strict or not, orders without a clOrdId are no duplicates of one another', () => {
  const venue = new Venue();
  const order = { uid: 1, side: Side.buy, price: ticks(1), orderQty: lots(1), strictClOrdId: true };
  for (const orderId of [1, 2]) {
    const { time } = venue;
    expect(venue.place(order)).toEqual(accepted({ orderId, clOrdId: '', transactTime: time }));
  }
});

test('a pair of orders is rejected with a field that it has', () => {
  const venue = new Venue();
  const rejectedField = (more: Parameters<typeof ocoOf>[1]) => {
    const terms = { uid: 1, side: Side.sell, price: 110, stopPx: 90, orderQty: 1 };
    return rejection(venue.send(ocoOf(terms, more)))!.field;
  };
  venue.must({
    ...UNCHANGED_INSTRUMENT,
    securityId: BTC_USDT,
    priceBand: RATE_ONE / 10,
  });
  venue.sell(1, 100, 1);
  venue.buy(2, 100, 1);
  expect(rejectedField({ price: ticks(111) })).toBe('price');
  expect(rejectedField({ stopLimitPx: ticks(80) })).toBe('stopLimitPx');
  const status = InstrumentStatus.POST_ONLY;
  venue.must({ ...UNCHANGED_INSTRUMENT, securityId: BTC_USDT, status });
  expect(rejectedField({})).toBe('symbol');
});
