// Entering orders at the borders of what numbers can hold; the rules themselves are in
// test/scenario, all else in the model.
import { describe, expect, test } from 'bun:test';
import { BTC, placeOrder, Venue } from '../../../test/support/venue.ts';
import { ExecType, OrdType, Side } from '../fix.ts';
import { checkInvariants } from '../invariants.ts';
import { AccountCode } from '../ledger/account-code.ts';
import { amount, MAX_INTEGER } from '../units.ts';

const PLENTY = amount(10n ** 30n);

describe('the largest order', () => {
  test('by quote is one of the largest quantity, and is reported filled', () => {
    const venue = new Venue({ btc: PLENTY, usdt: PLENTY });
    venue.sell(1, 1, MAX_INTEGER - 5);
    venue.sell(1, 1, 10);
    const order = { uid: 2, side: Side.buy, ordType: OrdType.market, quoteOrderQty: PLENTY };
    expect(venue.send(placeOrder(order)).ok).toBe(true);
    const last = venue.events.at(-1)!;
    expect(last).toMatchObject({ execType: ExecType.fill, cumQty: MAX_INTEGER, leavesQty: 0 });
    const { ledger } = venue.exchange.state;
    const bought = BigInt(ledger.balanceOf(2, BTC, AccountCode.available)) - 10n ** 30n;
    // A lot is 0.000001 BTC: a hundred units.
    expect(bought).toBe(BigInt(MAX_INTEGER) * 100n);
    checkInvariants(venue.exchange.state);
  });
});

test('an aggregate of trades has at most a thousand', () => {
  const venue = new Venue();
  for (let i = 0; i < 1500; i++) venue.sell(1, 5000, 1);
  venue.market(2, Side.buy, 1500);
  const ids = venue.events.flatMap((event) => (event.type === 'trade' ? [event.aggTradeId] : []));
  expect(
    Map.groupBy(ids, (id) => id)
      .values()
      .map(({ length }) => length)
      .toArray(),
  ).toEqual([1000, 500]);
});
