// The subscriptions view against the list of changes: random lives of subscriptions, and every page
// and filter of the enterprises' lists.
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
} from '../../test/support/view-files.ts';
import { PlanType } from '../core/earn/plan.ts';
import { SubscriptionStatus } from '../core/earn/subscription.ts';
import type { CoreEvent, SubscriptionChanged } from '../core/event.ts';
import { type Amount, add, amount, ZERO } from '../core/units.ts';
import type { EnterpriseSubscriptionsQuery, SubscriptionFacts } from './subscriptions.ts';
import { compareViews, StoredViews } from './verify.ts';
import { type ViewStore, viewsPath } from './view-store.ts';
import { runQuery } from './views.ts';

const PLAN_TYPES = Object.values(PlanType);
const ENTERPRISES = 3;
const ASSETS = 2;
const DAYS = 25;

const money = (random: Prng): Amount =>
  amount(random.oneIn(4) ? 2n ** 53n + BigInt(random.below(10)) : random.between(1, 100));

/**
 * Changes of one with principal: additions, redemptions in part or whole, renewals, maturity.
 */
function nextChange(random: Prng, last: SubscriptionChanged, day: number): SubscriptionChanged {
  const transactTime = noonOf(day);
  const common = { ...last, transactTime, earned: add(last.earned, amount(1)) };
  switch (random.below(5)) {
    case 0:
      return { ...common, principal: add(last.principal, money(random)) };
    case 1:
      return {
        ...common,
        principal: amount(random.between(1, 3)),
        status: 2,
        redeeming: amount(9),
      };
    case 2:
      return { ...common, principal: ZERO, status: SubscriptionStatus.redeeming };
    case 3:
      return {
        ...common,
        startDay: day,
        enterpriseId: random.below(ENTERPRISES + 1),
        principal: money(random),
        autoRenew: random.oneIn(2),
        margin: random.below(100),
      };
    default:
      return { ...common, principal: ZERO, redeeming: ZERO, status: SubscriptionStatus.redeemed };
  }
}

const created = (random: Prng, applyId: number, day: number): SubscriptionChanged =>
  subscriptionChanged({
    applyId,
    uid: random.between(1, 5),
    planType: random.pick(PLAN_TYPES),
    assetId: random.below(ASSETS),
    enterpriseId: random.below(ENTERPRISES + 1),
    principal: money(random),
    createTime: noonOf(day),
  });

/** The events of a command for each day: days are closed, some subscriptions change, some begin. */
function randomHistory(random: Prng): CoreEvent[][] {
  const live: SubscriptionChanged[] = [];
  let nextId = 1;
  return Array.from({ length: DAYS }, (_, i) => {
    const day = EARN_DAY + i;
    const events: CoreEvent[] = [];
    live.forEach((last, at) => {
      if (last.principal > 0 && noonOf(day - 1) > last.createTime) {
        events.push(interestAccrued(last.applyId, day - 1, last.principal));
      }
      // One without principal may still get a credit, which is another change.
      const credited = { ...last, status: SubscriptionStatus.redeemed, redeeming: ZERO };
      if (!random.oneIn(4)) return;
      live[at] = last.principal > 0 ? nextChange(random, last, day) : credited;
      events.push(live[at]);
    });
    for (let n = random.below(4); n > 0; n--) {
      const subscription = created(random, nextId++, day);
      live.push(subscription);
      events.push(subscription);
    }
    return events;
  });
}

/** Every subscription as it has to be, newest first. */
function expectedOf(commands: readonly CoreEvent[][]): SubscriptionFacts[] {
  const found = new Map<number, SubscriptionFacts>();
  const lastEntry = new Map<number, number>();
  for (const event of commands.flat()) {
    if (event.type === 'interestAccrued') lastEntry.set(event.applyId, event.day);
    if (event.type !== 'subscriptionChanged') continue;
    const { type: _type, ...facts } = event;
    const before = found.get(event.applyId);
    const firstDay = Math.floor(event.createTime / 86_400_000) + 1;
    const known = before?.startDay === event.startDay ? before.maturityPrincipal : ZERO;
    found.set(event.applyId, {
      ...facts,
      firstDay,
      lastDay: event.principal > 0 ? null : (lastEntry.get(event.applyId) ?? firstDay - 1),
      maturityPrincipal: event.principal > known ? event.principal : known,
    });
  }
  return [...found.values()].sort((a, b) => b.applyId - a.applyId);
}

type Filter = Pick<EnterpriseSubscriptionsQuery, 'enterpriseId' | 'planType' | 'assetId'>;

function listOf(store: ViewStore, filter: Filter, size: number): SubscriptionFacts[] {
  const found: SubscriptionFacts[] = [];
  for (let page = 1; ; page++) {
    const query = { type: 'enterpriseSubscriptions', ...filter, page, size } as const;
    const { total, items } = runQuery(store, query);
    found.push(...items);
    if (items.length < size) {
      expect(total).toBe(found.length);
      return found;
    }
  }
}

const filters: fc.Arbitrary<Filter> = fc.record(
  {
    enterpriseId: fc.integer({ min: 1, max: ENTERPRISES }),
    planType: fc.constantFrom(...PLAN_TYPES),
    assetId: fc.integer({ min: 0, max: ASSETS - 1 }),
  },
  { requiredKeys: ['enterpriseId'] },
);

describe('any history', () => {
  test('leaves each subscription as its last change did, and lists it for its enterprise', () => {
    const run = fc.record({
      seed: fc.integer(),
      batch: fc.integer({ min: 1, max: DAYS }),
      size: fc.integer({ min: 1, max: 30 }),
      asked: fc.array(filters, { minLength: 1, maxLength: 10 }),
    });
    fc.assert(
      fc.property(run, ({ seed, batch, size, asked }) => {
        using directory = new TemporaryDirectory();
        const commands = randomHistory(new Prng(seed));
        const expected = expectedOf(commands);
        const store = storeOfEvents(commands, directory.path, batch);
        for (const facts of expected) {
          const { applyId } = facts;
          expect(runQuery(store, { type: 'subscription', applyId })).toEqual(facts);
        }
        for (const filter of asked) {
          const { enterpriseId, planType, assetId } = filter;
          expect(listOf(store, filter, size)).toEqual(
            expected.filter(
              (facts) =>
                facts.enterpriseId === enterpriseId &&
                facts.planType === (planType ?? facts.planType) &&
                facts.assetId === (assetId ?? facts.assetId),
            ),
          );
        }
        for (const uid of new Set(expected.map((facts) => facts.uid))) {
          const ended = runQuery(store, { type: 'endedSubscriptions', uid, page: 1, size: 500 });
          expect(ended.items).toEqual(
            expected.filter(
              (facts) => facts.uid === uid && facts.status === SubscriptionStatus.redeemed,
            ),
          );
          expect(ended.total).toBe(ended.items.length);
        }
        store.close();
      }),
      { numRuns: 60 },
    );
  });

  test('leaves the same rows wherever batches end', () => {
    for (let seed = 1; seed <= 20; seed++) {
      using one = new TemporaryDirectory();
      using many = new TemporaryDirectory();
      const commands = randomHistory(new Prng(seed));
      storeOfEvents(commands, one.path, DAYS).close();
      storeOfEvents(commands, many.path, 1 + (seed % 5)).close();
      using a = new StoredViews(viewsPath(one.path));
      using b = new StoredViews(viewsPath(many.path));
      const { rows, differences } = compareViews(a, b);
      expect(differences).toEqual([]);
      expect(rows).toBeGreaterThan(DAYS);
    }
  });
});

describe('a subscription', () => {
  test('is null when nobody made it, and belongs to no list without an enterprise', () => {
    using directory = new TemporaryDirectory();
    const store = storeOfEvents([[subscriptionChanged({ applyId: 1 })]], directory.path);
    expect(store.subscriptions.find({ type: 'subscription', applyId: 2 })).toBeNull();
    expect(listOf(store, { enterpriseId: 0 }, 10)).toEqual([]);
    store.close();
  });
});
