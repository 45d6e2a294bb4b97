// An amendment that an order cannot have; test/model has all others.
import { expect, test } from 'bun:test';
import { amendOf, limitWith } from '../../../test/support/order-types.ts';
import { Venue } from '../../../test/support/venue.ts';
import { Side, TimeInForce } from '../fix.ts';

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
