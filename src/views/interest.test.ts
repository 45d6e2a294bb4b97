// The interest view against the list of entries: subscriptions of any length, live, behind and
// closed, and every page and day of them.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Prng } from '../../test/support/prng.ts';
import {
  EARN_DAY,
  interestAccrued,
  noonOf,
  storeOfEvents,
  subscriptionChanged,
  TemporaryDirectory,
  TWO_PAIRS,
} from '../../test/support/view-files.ts';
import type { CoreEvent, InterestAccrued } from '../core/event.ts';
import { amount, ZERO } from '../core/units.ts';
import type { InterestEntry } from './interest.ts';
import { ViewStore, viewsPath } from './view-store.ts';
import { runQuery } from './views.ts';

const SUBSCRIPTIONS = 12;
const DAYS = 40;
const UNKNOWN = SUBSCRIPTIONS + 1;

interface History {
  readonly commands: CoreEvent[][];
  /** The entries of each subscription by applyId, newest first. */
  readonly entries: InterestEntry[][];
}

const entryOf = ({ type: _type, transactTime: _time, ...entry }: InterestAccrued): InterestEntry =>
  entry;

/** Created on any day, closed on any later one or never, and some behind in a backlog of days. */
function randomHistory(random: Prng): History {
  const entries: InterestEntry[][] = Array.from({ length: UNKNOWN + 1 }, () => []);
  const byDay: CoreEvent[][] = Array.from({ length: DAYS + 1 }, () => []);
  for (let applyId = 1; applyId <= SUBSCRIPTIONS; applyId++) {
    const created = random.below(DAYS);
    const end = random.oneIn(2) ? random.between(created, DAYS) : DAYS;
    const behind = random.oneIn(4) ? random.below(DAYS) : 0;
    const createTime = noonOf(EARN_DAY + created);
    byDay[created].push(subscriptionChanged({ applyId, createTime }));
    for (let day = created + 1; day <= end - behind; day++) {
      const basis = amount(random.oneIn(5) ? 10n ** 20n + BigInt(day) : random.below(10 ** 6));
      const event = interestAccrued(applyId, EARN_DAY + day, basis);
      byDay[day].push(event);
      entries[applyId].unshift(entryOf(event));
    }
    if (end === DAYS) continue;
    byDay[end].push(subscriptionChanged({ applyId, createTime, principal: ZERO }));
  }
  return { commands: byDay, entries };
}

function pagesOf(store: ViewStore, applyId: number, size: number): InterestEntry[] {
  const found: InterestEntry[] = [];
  for (let page = 1; ; page++) {
    const { total, items } = runQuery(store, { type: 'interest', applyId, page, size });
    found.push(...items);
    if (items.length < size) {
      expect(total).toBe(found.length);
      return found;
    }
  }
}

describe('any history', () => {
  test('has pages that join to all entries of a subscription, and each of its days', () => {
    const run = fc.record({
      seed: fc.integer(),
      batch: fc.integer({ min: 1, max: DAYS }),
      size: fc.integer({ min: 1, max: DAYS + 2 }),
    });
    fc.assert(
      fc.property(run, ({ seed, batch, size }) => {
        using directory = new TemporaryDirectory();
        const { commands, entries } = randomHistory(new Prng(seed));
        storeOfEvents(commands, directory.path, batch).close();
        // Opened again, so that nothing is known but what is in the file.
        const store = ViewStore.open(viewsPath(directory.path), TWO_PAIRS);
        for (let applyId = 1; applyId <= UNKNOWN; applyId++) {
          const expected = entries[applyId];
          expect(pagesOf(store, applyId, size)).toEqual(expected);
          for (let day = EARN_DAY; day <= EARN_DAY + DAYS + 1; day++) {
            const entry = runQuery(store, { type: 'interestDay', applyId, day });
            expect(entry).toEqual(expected.find((one) => one.day === day) ?? null);
          }
        }
        store.close();
      }),
      { numRuns: 40 },
    );
  });
});

describe('a subscription', () => {
  const days = (count: number): CoreEvent[] =>
    Array.from({ length: count }, (_, i) => interestAccrued(1, EARN_DAY + 1 + i, amount(i)));

  test('keeps its total on a page past its end, however far', () => {
    using directory = new TemporaryDirectory();
    const store = storeOfEvents(
      [[subscriptionChanged({ applyId: 1 }), ...days(25)]],
      directory.path,
    );
    for (const [page, items] of [
      [3, 5],
      [4, 0],
      [Number.MAX_SAFE_INTEGER, 0],
    ]) {
      const answer = store.interest.find({ type: 'interest', applyId: 1, page, size: 10 });
      expect([answer.total, answer.items.length]).toEqual([25, items]);
    }
    store.close();
  });

  test('that others are ahead of by years is found, and its entries are not theirs', () => {
    const ahead = Array.from({ length: 900 }, (_, i) =>
      interestAccrued(2, EARN_DAY + 1 + i, amount(7)),
    );
    const changes = [subscriptionChanged({ applyId: 1 }), subscriptionChanged({ applyId: 2 })];
    for (const count of [0, 1, 2, 3, 450, 899, 900]) {
      using directory = new TemporaryDirectory();
      const store = storeOfEvents([[...changes, ...ahead, ...days(count)]], directory.path);
      const page = store.interest.find({ type: 'interest', applyId: 1, page: 1, size: 1000 });
      expect(page.total).toBe(count);
      const other = store.interest.find({ type: 'interest', applyId: 2, page: 1, size: 1 });
      expect(other.total).toBe(ahead.length);
      expect(page.items.map(({ basis }) => basis)).toEqual(
        Array.from({ length: count }, (_, i) => amount(count - 1 - i)),
      );
      store.close();
    }
  });

  test('has one entry a day: a second one is rejected', () => {
    using directory = new TemporaryDirectory();
    const twice = [subscriptionChanged({ applyId: 1 }), ...days(1), ...days(1)];
    expect(() => storeOfEvents([twice], directory.path)).toThrow('UNIQUE constraint failed');
  });

  test.each([
    [0, 10, 'pages count from 1'],
    [1, 0, 'a page has 1 to 1000 rows'],
    [1, 1001, 'a page has 1 to 1000 rows'],
  ])('has no page %d of %d', (page, size, why) => {
    using directory = new TemporaryDirectory();
    const store = storeOfEvents([], directory.path);
    expect(() => store.interest.find({ type: 'interest', applyId: 1, page, size })).toThrow(why);
    store.close();
  });
});
