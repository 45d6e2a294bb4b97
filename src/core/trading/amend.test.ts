// Amendments where an order keeps its place and its terms are checked all the same.
import { expect, test } from 'bun:test';
import { amendOf, limitWith, stopOf } from '../../../test/support/order-types.ts';
import { BTC_USDT, UNCHANGED_INSTRUMENT, Venue } from '../../../test/support/venue.ts';
import { InstrumentStatus, Side, TimeInForce } from '../fix.ts';
import { ticks } from '../units.ts';

/** A venue whose last price is 1,000 with a band of 10 %, and a stop limit that waits. */
function withStopLimit(): { readonly venue: Venue; readonly orderId: number } {
  const venue = new Venue({ terms: { priceBand: 10_000_000 } });
  venue.buy(1, 1_000, 1);
  venue.sell(2, 1_000, 1);
  const { orderId } = venue.must(stopOf([1, Side.sell, 950, 5], { price: ticks(940) }));
  return { venue, orderId };
}

test('the new price of a stop limit has to be within the band', () => {
  const { venue, orderId } = withStopLimit();
  const outcome = venue.send(amendOf(1, orderId, { price: ticks(800) }));
  expect(outcome).toMatchObject({
    ok: false,
    reject: { name: 'priceOutsideBand', field: 'price' },
  });
  expect(venue.send(amendOf(1, orderId, { price: ticks(930) })).ok).toBe(true);
});

test('the new price of a stop limit needs an instrument that takes orders', () => {
  const { venue, orderId } = withStopLimit();
  venue.must({ ...UNCHANGED_INSTRUMENT, securityId: BTC_USDT, status: InstrumentStatus.HALTED });
  const outcome = venue.send(amendOf(1, orderId, { price: ticks(930) }));
  expect(outcome).toMatchObject({ ok: false, reject: { name: 'instrumentClosed' } });
});

test('an order that expires cannot lose its expireTime', () => {
  const venue = new Venue();
  const dated = { timeInForce: TimeInForce.goodTillDate, expireTime: venue.time + 1_000 };
  const { orderId } = venue.must(limitWith([1, Side.buy, 1_000, 1], dated));
  const outcome = venue.send(amendOf(1, orderId, { expireTime: 0 }));
  expect(outcome).toMatchObject({
    ok: false,
    reject: { name: 'expireTimePassed', field: 'expireTime' },
  });
  venue.time += 1_000;
  expect(venue.must({ type: 'runTimers' })).toEqual({ canceled: 1 });
});
