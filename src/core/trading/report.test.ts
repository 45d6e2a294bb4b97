// Execution reports keep what held when they were made.
import { expect, test } from 'bun:test';
import { amendOf, limitWith, reportsOf } from '../../../test/support/order-types.ts';
import { Venue } from '../../../test/support/venue.ts';
import { Side } from '../fix.ts';
import { lots } from '../units.ts';

test('a report keeps its extras when the order is amended', () => {
  const venue = new Venue();
  const { orderId } = venue.must(limitWith([1, Side.sell, 100, 10_000], { displayQty: lots(500) }));
  const [entered] = reportsOf(venue);
  venue.must(amendOf(1, orderId, { displayQty: lots(400) }));
  const [amended] = reportsOf(venue);
  venue.must(amendOf(1, orderId, { displayQty: lots(600) }));
  const [replaced] = reportsOf(venue);
  const shown = [entered, amended, replaced].map(({ extras }) => extras.displayQty as number);
  expect(shown).toEqual([500, 400, 600]);
});
