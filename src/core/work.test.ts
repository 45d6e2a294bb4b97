// The work that a command is charged for is its own: not what it does for others.
import { expect, test } from 'bun:test';
import { limitWith, stopOf } from '../../test/support/order-types.ts';
import { placeOrder, Venue } from '../../test/support/venue.ts';
import { OrdType, Side, TimeInForce } from './fix.ts';
import { lots, ticks } from './units.ts';
import { CANCEL, unitsOf, Work } from './work.ts';

const { buy, sell } = Side;

test('fills, cancels and looks are units; every command is at least one', () => {
  const venue = new Venue();
  for (let i = 0; i < 60; i++) venue.sell(1, 100 + i, 1);
  expect(venue.exchange.work).toBe(1);
  const check = placeOrder({ uid: 2, side: buy, price: ticks(200), orderQty: lots(20) });
  venue.exchange.checkOrder(check);
  expect(venue.exchange.work).toBe(1);
  venue.buy(2, 200, 20);
  expect(venue.exchange.work).toBe(20);
  const cancel = { type: 'massCancel', uid: 1, securityId: 0, clOrdId: '' } as const;
  venue.must({ ...cancel, signature: null, idempotency: null });
  expect(venue.exchange.work).toBe(unitsOf(40 * CANCEL));
});

test('a check of many levels is charged, of an order and of a test', () => {
  const venue = new Venue();
  for (let i = 0; i < 900; i++) venue.sell(1, 100 + i, 1);
  venue.send(limitWith([2, buy, 2000, 901], { timeInForce: TimeInForce.fillOrKill }));
  expect(venue.exchange.work).toBe(9);
  venue.buy(1, 50, 1);
  const market = { side: buy, ordType: OrdType.market, orderQty: lots(900) };
  const work = new Work();
  venue.exchange.checkOrder(placeOrder({ uid: venue.addUser(), ...market }), work);
  expect(unitsOf(work.done)).toBe(9);
});

test('expired orders and triggered stops of others are not charged', () => {
  const venue = new Venue({ users: 3 });
  const extras = { timeInForce: TimeInForce.goodTillDate, expireTime: venue.time + 5 };
  for (let i = 0; i < 300; i++) venue.must(limitWith([1, sell, 100, 1], extras));
  for (let i = 0; i < 50; i++) venue.must(stopOf([1, buy, 90, 1]));
  venue.time += 10;
  venue.sell(3, 95, 1);
  expect(venue.exchange.state.orders.countOf(1)).toBe(50);
  expect(venue.exchange.work).toBe(1);
  venue.buy(2, 95, 1);
  expect(venue.exchange.state.orders.countOf(1)).toBe(0);
  expect(venue.exchange.work).toBe(1);
});
