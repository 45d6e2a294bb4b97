// Random orders of every type, amended, canceled and triggered, in small books: the invariants hold
// after each command, and a snapshot has the same future. test/model has the rules themselves.
import { expect, test } from 'bun:test';
import { reportsOf } from '../../../test/support/order-types.ts';
import { OrderWorkload, USERS } from '../../../test/support/order-workload.ts';
import { Prng } from '../../../test/support/prng.ts';
import { Venue } from '../../../test/support/venue.ts';
import { Exchange } from '../exchange.ts';
import { checkInvariants } from '../invariants.ts';
import type { Outcome } from '../outcome.ts';
import { restore, snapshot } from '../snapshot.ts';
import { amount } from '../units.ts';

/** Branches that the runs meet, by name. */
const met = new Set<string>();

function note(venue: Venue, outcome: Outcome): void {
  const names = reportsOf(venue).map(
    ({ execType, reason, ordType }) => `${ordType} ${execType} ${reason}`,
  );
  if (!outcome.ok) names.push(outcome.reject.name);
  for (const name of names) met.add(name);
}

test.each([1, 2, 3, 4])('random orders of every type keep the invariants (seed %i)', (seed) => {
  const random = new Prng(seed);
  const funds = { btc: amount(500_000), usdt: amount(600_000) };
  const terms = { makerFee: 100_000, takerFee: 200_000, priceBand: seed % 2 === 0 ? 8_000_000 : 0 };
  const venue = new Venue({ users: USERS, ...funds, terms });
  const workload = new OrderWorkload(random, venue);
  let other = new Exchange(restore(snapshot(venue.exchange.state)));
  for (let i = 0; i < 1_500; i++) {
    if (random.oneIn(4)) venue.time += random.below(60);
    const command = workload.next();
    const seq = venue.seq + 1;
    note(venue, venue.send(command));
    other.apply(seq, venue.time, command);
    checkInvariants(venue.exchange.state);
    expect(other.state.stateHash()).toBe(venue.exchange.state.stateHash());
    expect(other.events).toEqual([...venue.events]);
    if (i % 50 === 0) other = new Exchange(restore(snapshot(venue.exchange.state)));
  }
});
/** A report by ordType, execType and reason, or a rejection. */
const EXPECTED = [
  ...['1 4 4', '1 4 6', '1 4 7', '1 4 12', '2 4 5', '2 4 11', '2 4 12', '2 4 13', '2 4 14'],
  ...['2 5 0', '2 8 8', '2 8 17', '3 2 0', '3 21 0', '3 4 7', '3 4 13', '3 4 14', '3 5 0'],
  ...['4 2 0', '4 21 0', '4 4 5', '4 4 6', '4 4 13', '4 4 14', '4 5 0'],
  ...['belowFilled', 'displayTooSmall', 'expireTimePassed', 'notAmendable', 'wouldTrigger'],
];

test('the random orders meet what they are for', () => {
  expect(EXPECTED.filter((name) => !met.has(name))).toEqual([]);
});
