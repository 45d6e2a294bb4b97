// Facts in the journal about identity.db: which users own something.
import { expect, test } from 'bun:test';
import { placeOrder, Venue } from '../../test/support/venue.ts';
import { Side } from '../core/fix.ts';
import { lots, ticks } from '../core/units.ts';
import { unownedUids } from './identity-facts.ts';

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
