// Events are made for those who listen and nobody else, and whether anybody does changes nothing
// that is decided.
import { expect, test } from 'bun:test';
import { BTC_USDT, Venue } from '../../test/support/venue.ts';
import { Audience } from './audience.ts';
import { Exchange } from './exchange.ts';
import { Side } from './fix.ts';
import { ticks } from './units.ts';

test('nobody hears nothing, and listeners are counted', () => {
  const audience = Audience.none();
  expect([audience.ofOwner(1), audience.ofPair(1), audience.ofListings]).toEqual([
    false,
    false,
    false,
  ]);
  audience.addOwner(1);
  audience.addOwner(1);
  audience.removeOwner(1);
  expect([audience.ofOwner(1), audience.ofOwner(2)]).toEqual([true, false]);
  audience.removeOwner(1);
  expect(audience.ofOwner(1)).toBe(false);
  audience.addPair(3);
  audience.addListings();
  expect([audience.ofPair(3), audience.ofPair(1), audience.ofListings]).toEqual([
    true,
    false,
    true,
  ]);
  audience.removePair(3);
  audience.removeListings();
  expect([audience.ofPair(3), audience.ofListings]).toEqual([false, false]);
});

test('everybody hears everything', () => {
  const audience = Audience.all();
  expect([audience.ofOwner(1), audience.ofPair(1), audience.ofListings]).toEqual([
    true,
    true,
    true,
  ]);
});

/** A history with trades of two owners, and what an exchange with this audience tells of it. */
function tell(audience: Audience): { told: string[]; hash: string } {
  const venue = new Venue({ users: 3 });
  venue.limit(1, Side.sell, 100, 5);
  venue.limit(2, Side.buy, 100, 3);
  venue.limit(3, Side.buy, 90, 1);
  const exchange = new Exchange(undefined, audience);
  const told: string[] = [];
  for (const [i, { time, command }] of venue.log.entries()) {
    exchange.apply(i + 1, time, command);
    for (const event of exchange.events) {
      const of = 'uid' in event ? event.uid : 'securityId' in event && event.securityId;
      told.push(`${event.type} ${of}`);
    }
  }
  return { told, hash: exchange.state.stateHash() };
}

test('an owner hears their own reports and transfers; a pair its trades', () => {
  const all = tell(Audience.all());
  const none = tell(Audience.none());
  expect(none.told).toEqual([]);
  expect(none.hash).toBe(all.hash);
  const own = Audience.none();
  own.addOwner(2);
  expect(tell(own).told).toEqual(
    all.told.filter((line) => /^(executionReport|fundsTransferred) 2$/.test(line)),
  );
  expect(tell(own).told.length).toBeGreaterThan(2);
  const pair = Audience.none();
  pair.addPair(BTC_USDT);
  expect(tell(pair).told).toEqual(['trade 1']);
});

test('a watched book tells at which prices something changed, once, and only while it is watched', () => {
  const venue = new Venue({ users: 2 });
  const { book } = venue.exchange.state.instruments[BTC_USDT]!;
  venue.limit(1, Side.buy, 90, 1);
  expect(book.takeChanges()).toEqual({ bids: [], asks: [] });
  const before = venue.exchange.state.stateHash();
  book.watch();
  expect(venue.exchange.state.stateHash()).toBe(before);
  venue.limit(1, Side.buy, 91, 2);
  venue.limit(1, Side.sell, 95, 2);
  venue.limit(2, Side.sell, 91, 1);
  expect(book.takeChanges()).toEqual({ bids: [ticks(91)], asks: [ticks(95)] });
  expect(book.takeChanges()).toEqual({ bids: [], asks: [] });
  venue.limit(2, Side.sell, 91, 1);
  expect(book.takeChanges().bids).toEqual([ticks(91)]);
  book.unwatch();
  venue.limit(1, Side.buy, 92, 1);
  expect(book.takeChanges()).toEqual({ bids: [], asks: [] });
});
