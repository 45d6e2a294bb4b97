// The core emits events for subscribers only, and the filter never changes a result.
import { expect, test } from 'bun:test';
import { BTC_USDT, Venue } from '../../test/support/venue.ts';
import { EventFilter } from './event-filter.ts';
import { Exchange } from './exchange.ts';
import { Side } from './fix.ts';

test('subscribers are counted', () => {
  const eventFilter = EventFilter.none();
  const included = () => [
    ...[1, 2].map((uid) => eventFilter.includesOwner(uid)),
    ...[3, 1].map((securityId) => eventFilter.includesPair(securityId)),
    eventFilter.includesListings,
  ];
  expect(included()).toEqual([false, false, false, false, false]);
  for (let times = 0; times < 2; times++) eventFilter.owners.add(1);
  eventFilter.pairs.add(3);
  eventFilter.listings.add(0);
  eventFilter.owners.remove(1);
  expect(included()).toEqual([true, false, true, false, true]);
  eventFilter.owners.remove(1);
  eventFilter.pairs.remove(3);
  eventFilter.listings.remove(0);
  expect(included()).toEqual([false, false, false, false, false]);
});

/** The events of a history with trades of two owners, under this filter. */
function replay(eventFilter: EventFilter): { emitted: string[]; hash: string } {
  const venue = new Venue({ users: 3 });
  venue.limit(1, Side.sell, 100, 5);
  venue.limit(2, Side.buy, 100, 3);
  venue.limit(3, Side.buy, 90, 1);
  const exchange = new Exchange(undefined, eventFilter);
  const emitted: string[] = [];
  for (const [i, { time, command }] of venue.log.entries()) {
    exchange.apply(i + 1, time, command);
    for (const event of exchange.events) {
      const of = 'uid' in event ? event.uid : 'securityId' in event && event.securityId;
      emitted.push(`${event.type} ${of}`);
    }
  }
  return { emitted, hash: exchange.state.stateHash() };
}

test('an owner includes their reports, transfers and trades; a pair its trades', () => {
  const all = replay(EventFilter.all());
  const none = replay(EventFilter.none());
  expect(none.emitted).toEqual([]);
  expect(none.hash).toBe(all.hash);
  const own = EventFilter.none();
  own.owners.add(2);
  expect(replay(own).emitted).toEqual(
    all.emitted.filter((line) => /^(executionReport|fundsTransferred) 2$|^trade/.test(line)),
  );
  const stranger = EventFilter.none();
  stranger.owners.add(3);
  expect(replay(stranger).emitted.filter((line) => line.startsWith('trade'))).toEqual([]);
  expect(replay(own).emitted.length).toBeGreaterThan(2);
  const pair = EventFilter.none();
  pair.pairs.add(BTC_USDT);
  expect(replay(pair).emitted).toEqual(['trade 1']);
});
