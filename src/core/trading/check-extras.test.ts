// Terms that the edge never lets through: the core rejects them too, and names the field.
import { expect, test } from 'bun:test';
import { amendOf, limitWith, ocoOf, stopOf } from '../../../test/support/order-types.ts';
import { placeOrder, Venue } from '../../../test/support/venue.ts';
import { OrdType, Side, TimeInForce } from '../fix.ts';
import { amount, lots, ticks } from '../units.ts';

const { buy, sell } = Side;
const { immediateOrCancel, fillOrKill } = TimeInForce;
const PAIR = { uid: 1, side: buy, price: 900, stopPx: 1_100, orderQty: 1 };
const { extras } = limitWith([1, buy, 1, 1], {});
const MARKET = { uid: 1, side: buy, ordType: OrdType.market, orderQty: lots(1), extras };

test.each([
  ['a limit order at 0', limitWith([1, buy, 0, 1], {}), 'price'],
  ['a stop limit at 0', stopOf([1, sell, 900, 1], { price: ticks(0) }), 'price'],
  ['a market order with a price', placeOrder({ ...MARKET, price: ticks(1) }), 'price'],
  ['a pair at 0', ocoOf({ ...PAIR, price: 0 }), 'price'],
  ['a pair that triggers at 0', ocoOf({ ...PAIR, side: sell, stopPx: 0 }), 'stopPx'],
  ['a pair of nothing', ocoOf({ ...PAIR, orderQty: 0 }), 'quoteOrderQty'],
  ...[immediateOrCancel, fillOrKill].map((timeInForce) => {
    const more = { timeInForce, stopLimitPx: ticks(1_100) };
    return [`a pair of timeInForce ${timeInForce}`, ocoOf(PAIR, more), 'timeInForce'] as const;
  }),
  ['an amendment to a price of 0', amendOf(1, 2, { price: ticks(0) }), 'price'],
  ['an amendment to a stopPx of 0', amendOf(1, 1, { stopPx: ticks(0) }), 'stopPx'],
] as const)('%s is rejected', (_, command, field) => {
  const venue = new Venue({ terms: { minNotional: amount(0) } });
  venue.must(stopOf([1, buy, 1_100, 1]));
  venue.must(limitWith([1, buy, 900, 1], {}));
  const reject = { name: 'invalidTerms', field };
  expect<unknown>(venue.send(command)).toMatchObject({ ok: false, reject });
});
