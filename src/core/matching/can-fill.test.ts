// A fill-or-kill order against an immediate-or-cancel order of the same terms in a copy of the
// venue: it fills exactly where the other one would.
import { expect, test } from 'bun:test';
import { limitWith, reportsOf, withExtras } from '../../../test/support/order-types.ts';
import { Prng } from '../../../test/support/prng.ts';
import { Venue } from '../../../test/support/venue.ts';
import type { PlaceOrder } from '../command.ts';
import type { CoreEvent } from '../event.ts';
import { Exchange } from '../exchange.ts';
import { CloseReason, ExecType, OrdType, SelfTradePrevention, Side, TimeInForce } from '../fix.ts';
import type { ResultOf } from '../outcome.ts';
import { restore, snapshot } from '../snapshot.ts';
import { amount, lots } from '../units.ts';

const { goodTillCancel, goodTillDate, immediateOrCancel, fillOrKill } = TimeInForce;

function resting(random: Prng, venue: Venue): PlaceOrder {
  const orderQty = random.between(1, 30);
  const expires = random.oneIn(4);
  const side = random.pick([Side.buy, Side.sell]);
  const price = side === Side.buy ? random.between(95, 99) : random.between(100, 104);
  return limitWith([random.between(1, 3), side, price, orderQty], {
    timeInForce: expires ? goodTillDate : goodTillCancel,
    expireTime: expires ? venue.time + random.between(1, 30) : 0,
    displayQty: lots(random.oneIn(2) ? random.between(1, orderQty) : 0),
  });
}

function taking(random: Prng): PlaceOrder {
  const side = random.pick([Side.buy, Side.sell]);
  const uid = random.between(1, 3);
  const { none, cancelNewest, cancelOldest, cancelBoth } = SelfTradePrevention;
  const selfTradePrevention = random.pick([none, cancelNewest, cancelOldest, cancelBoth]);
  const extras = { timeInForce: fillOrKill, selfTradePrevention };
  const price = side === Side.buy ? random.between(99, 104) : random.between(95, 100);
  const orderQty = random.between(1, 60);
  if (random.oneIn(2)) return limitWith([uid, side, price, orderQty], extras);
  const terms = { uid, side, ordType: OrdType.market };
  return random.oneIn(2)
    ? withExtras({ ...terms, orderQty: lots(orderQty) }, extras)
    : withExtras({ ...terms, quoteOrderQty: amount(orderQty * price) }, extras);
}

const isFilled = (events: readonly CoreEvent[], orderId: number): boolean =>
  events.some(
    (event) =>
      event.type === 'executionReport' &&
      event.orderId === orderId &&
      event.execType === ExecType.fill,
  );

test('a fill-or-kill order fills where an immediate-or-cancel order would', () => {
  const random = new Prng(11);
  const venue = new Venue({ users: 3, btc: amount(10 ** 12), usdt: amount(10 ** 12) });
  const met = new Set<string>();
  for (let i = 0; i < 1_500; i++) {
    venue.time += random.below(5);
    if (random.percent(60)) {
      venue.send(resting(random, venue));
      continue;
    }
    const order = taking(random);
    const copy = new Exchange(restore(snapshot(venue.exchange.state)));
    const other = { ...order, extras: { ...order.extras!, timeInForce: immediateOrCancel } };
    copy.apply(venue.seq + 1, venue.time, other);
    const outcome = venue.send(order);
    if (!outcome.ok) continue;
    const { orderId } = outcome.result as ResultOf<PlaceOrder>;
    const filled = isFilled(venue.events, orderId);
    expect(`${i} ${filled}`).toBe(`${i} ${isFilled(copy.events, orderId)}`);
    // Without a fill nothing changes but what has expired.
    const others = reportsOf(venue).filter((report) => report.orderId !== orderId);
    if (!filled) expect(others.every(({ reason }) => reason === CloseReason.expired)).toBe(true);
    met.add(`${order.ordType} ${order.orderQty === 0} ${filled}`);
  }
  const limits = ['2 false true', '2 false false'];
  const markets = ['1 false true', '1 false false', '1 true true', '1 true false'];
  expect([...limits, ...markets].filter((name) => !met.has(name))).toEqual([]);
});
