// The looks of an order at its own orders, among very many orders at one price.
import { expect, test } from 'bun:test';
import { limitWith } from '../../../test/support/order-types.ts';
import { Venue } from '../../../test/support/venue.ts';
import { CloseReason, SelfTradePrevention, Side, TimeInForce } from '../fix.ts';
import { amount } from '../units.ts';
import { LOOKS_OF_A_CHECK, UNIT } from '../work.ts';

const { buy, sell } = Side;

/** Orders of one lot at one price by many accounts, before one of account 1. */
function crowded(accounts: number, each: number): Venue {
  const venue = new Venue({ users: accounts, btc: amount(1e12), usdt: amount(1e15) });
  for (let n = 0; n < (accounts - 1) * each; n++) venue.sell(2 + (n % (accounts - 1)), 100, 1);
  venue.sell(1, 100, 1);
  return venue;
}

const killOf = (
  venue: Venue,
  orderQty: number,
  selfTradePrevention: SelfTradePrevention = SelfTradePrevention.cancelNewest,
): { work: number; reason: number | undefined } => {
  const extras = { timeInForce: TimeInForce.fillOrKill, selfTradePrevention };
  venue.send(limitWith([1, buy, 100, orderQty], extras));
  const { work } = venue.exchange;
  const last = venue.events.findLast((event) => event.type === 'executionReport');
  return { work, reason: last?.reason };
};

test('a check ends before the own order of a level with too many orders', () => {
  const venue = crowded(13, 9_000);
  const { work, reason } = killOf(venue, 108_001);
  expect(reason).toBe(CloseReason.fillOrKill);
  expect(work).toBeLessThan(LOOKS_OF_A_CHECK / UNIT + 10);
});

test('a check for a member of an enterprise ends in a level with too many orders', () => {
  const venue = crowded(13, 9_000);
  venue.must({ type: 'createEnterprise', name: 'one' });
  venue.must({ type: 'amendEnterprise', enterpriseId: 1, selfTradePrevention: true });
  venue.must({ type: 'assignEnterprise', uid: 1, enterpriseId: 1, admin: false });
  const { work, reason } = killOf(venue, 108_000, SelfTradePrevention.cancelOldest);
  expect(reason).toBe(CloseReason.fillOrKill);
  expect(work).toBeLessThan(LOOKS_OF_A_CHECK / UNIT + 10);
  // One that stops the order ends the looks.
  venue.sell(1, 99, 1);
  for (let n = 0; n < 10_000; n++) venue.sell(2 + (n % 12), 99, 1);
  expect(killOf(venue, 2).work).toBeLessThan(10);
});

test('a level with icebergs of many accounts costs the looks at the own orders', () => {
  const venue = crowded(3, 2_000);
  venue.must(limitWith([2, sell, 100, 100], { displayQty: 1 } as never));
  const selfTradePrevention = SelfTradePrevention.cancelOldest;
  venue.send(limitWith([1, buy, 100, 1], { selfTradePrevention }));
  expect(venue.exchange.work).toBeLessThan(4);
});
