// Facts in the journal about identity.db: whether it has had MACs, and which users own something.
import { expect, test } from 'bun:test';
import { placeOrder, Venue } from '../../test/support/venue.ts';
import { Side } from '../core/fix.ts';
import { FIRST_RULES, RULES } from '../core/rules.ts';
import { lots, ticks } from '../core/units.ts';
import { journalFacts, unownedUids } from './identity-facts.ts';

test('commands of a release that makes MACs show that there were some', () => {
  const venue = new Venue({ users: 2 });
  const { state } = venue.exchange;
  state.rules = FIRST_RULES;
  expect(journalFacts(state)).toEqual({ users: 2, hasMacs: false });
  state.rules = RULES;
  expect(journalFacts(state)).toEqual({ users: 2, hasMacs: true });
});

test('users who own nothing need no owner, and users with money or orders do', () => {
  const venue = new Venue({ users: 2 });
  const { state } = venue.exchange;
  const empty = venue.addUser();
  venue.send(placeOrder({ uid: 2, side: Side.buy, price: ticks(100), orderQty: lots(1) }));
  expect(unownedUids(state, new Set())).not.toContain(empty);
  expect(unownedUids(state, new Set())).toEqual([1, 2]);
  expect(unownedUids(state, new Set([1]))).toEqual([2]);
  expect(unownedUids(state, new Set([1, 2]))).toEqual([]);
});
