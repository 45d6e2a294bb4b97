// The self-trade prevention of an order that was placed under an earlier rule of its pair.
import { expect, test } from 'bun:test';
import { limitWith, reportsOf, stopOf } from '../../../test/support/order-types.ts';
import { BTC_USDT, UNCHANGED_INSTRUMENT, Venue } from '../../../test/support/venue.ts';
import { CloseReason, SelfTradePrevention, Side } from '../fix.ts';

const { none, cancelNewest, cancelOldest } = SelfTradePrevention;

/** A stop of user 1 that trades with user 1, and that the trade of others triggers. */
function triggered(own: SelfTradePrevention): Venue {
  const venue = new Venue({ users: 3 });
  venue.must(stopOf([1, Side.sell, 950, 5], {}, { selfTradePrevention: own }));
  venue.must({ ...UNCHANGED_INSTRUMENT, securityId: BTC_USDT, selfTradePrevention: cancelNewest });
  venue.buy(2, 950, 1);
  venue.buy(1, 940, 5);
  venue.buy(2, 930, 5);
  venue.sell(3, 950, 1);
  return venue;
}

test('none yields to the rule that the pair has when the stop is triggered', () => {
  const closed = reportsOf(triggered(none)).filter(({ uid, reason }) => uid === 1 && reason !== 0);
  expect(closed).toMatchObject([{ cumQty: 0, reason: CloseReason.selfTrade, side: Side.sell }]);
});

test('another rule of the order stays its own', () => {
  const reports = reportsOf(triggered(cancelOldest)).filter(({ uid }) => uid === 1);
  expect(reports).toContainEqual(
    expect.objectContaining({ side: Side.buy, reason: CloseReason.selfTrade }),
  );
  expect(reports.at(-1)).toMatchObject({ side: Side.sell, cumQty: 5 });
});

test('a new order cannot ask for none where the pair prevents', () => {
  const venue = new Venue({ terms: { selfTradePrevention: cancelNewest } });
  const outcome = venue.send(limitWith([1, Side.buy, 900, 1], { selfTradePrevention: none }));
  expect(outcome).toMatchObject({ ok: false, reject: { name: 'preventionRequired' } });
});
