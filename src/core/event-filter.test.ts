// Events are made for those who listen and nobody else, and whether anybody does changes nothing
// that is decided.
import { expect, test } from 'bun:test';
import { BTC_USDT, Venue } from '../../test/support/venue.ts';
import { EventFilter } from './event-filter.ts';
import { Exchange } from './exchange.ts';
import { Side } from './fix.ts';
import { ticks } from './units.ts';

test('nobody hears nothing, and listeners are counted', () => {
  const eventFilter = EventFilter.none();
  expect([
    eventFilter.includesOwner(1),
    eventFilter.includesPair(1),
    eventFilter.includesListings,
  ]).toEqual([false, false, false]);
  eventFilter.addOwner(1);
  eventFilter.addOwner(1);
  eventFilter.removeOwner(1);
  expect([eventFilter.includesOwner(1), eventFilter.includesOwner(2)]).toEqual([true, false]);
  eventFilter.removeOwner(1);
  expect(eventFilter.includesOwner(1)).toBe(false);
  eventFilter.addPair(3);
  eventFilter.addListings();
  expect([
    eventFilter.includesPair(3),
    eventFilter.includesPair(1),
    eventFilter.includesListings,
  ]).toEqual([true, false, true]);
  eventFilter.removePair(3);
  eventFilter.removeListings();
  expect([eventFilter.includesPair(3), eventFilter.includesListings]).toEqual([false, false]);
});

test('everybody hears everything', () => {
  const eventFilter = EventFilter.all();
  expect([
    eventFilter.includesOwner(1),
    eventFilter.includesPair(1),
    eventFilter.includesListings,
  ]).toEqual([true, true, true]);
});

/** A history with trades of two owners, and what an exchange with this eventFilter tells of it. */
function tell(eventFilter: EventFilter): { told: string[]; hash: string } {
  const venue = new Venue({ users: 3 });
  venue.limit(1, Side.sell, 100, 5);
  venue.limit(2, Side.buy, 100, 3);
  venue.limit(3, Side.buy, 90, 1);
  const exchange = new Exchange(undefined, eventFilter);
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
  const all = tell(EventFilter.all());
  const none = tell(EventFilter.none());
  expect(none.told).toEqual([]);
  expect(none.hash).toBe(all.hash);
  const own = EventFilter.none();
  own.addOwner(2);
  expect(tell(own).told).toEqual(
    all.told.filter((line) => /^(executionReport|fundsTransferred) 2$/.test(line)),
  );
  expect(tell(own).told.length).toBeGreaterThan(2);
  const pair = EventFilter.none();
  pair.addPair(BTC_USDT);
  expect(tell(pair).told).toEqual(['trade 1']);
});

test('a watched book reports each changed price once, and only while it is watched', () => {
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
