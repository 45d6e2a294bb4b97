// The measured subscriptions: plans of every type with ample reserves, and ten subscriptions for
// each of many customers. Amounts have realistic sizes, and a few are beyond 2^53 units.
import { mkdirSync } from 'node:fs';
import { DAY_MS } from '../../src/core/calendar.ts';
import type { Command, CreatePlan, SubscribePlan } from '../../src/core/command.ts';
import type { PlanTerms } from '../../src/core/earn/plan.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { amount } from '../../src/core/units.ts';
import { createKeys, followHistory, HistoryWriter } from './data-directory.ts';
import { job } from './processes.ts';
import { type Memory, settledMemory } from './settled-memory.ts';
import { START, venueCommands } from './venue.ts';

/** Subscriptions of one customer. */
const EACH = 10;
const USDT = 1;

const TERMS: PlanTerms = {
  planName: 'Bench',
  minRate: 5_000_000,
  maxRate: 5_000_000,
  userAmountMin: amount(1),
  userAmountMax: amount(10n ** 18n),
  poolCapacity: null,
  redeemLockHours: 24,
  supportEarlyRedemption: true,
  supportAutoRenew: true,
  requiresKyc: false,
  label: '',
  booster: null,
  open: true,
};

interface Kind {
  readonly planType: 1 | 2 | 3;
  readonly lockDays: readonly [number, number];
  readonly rewardFrequency: number;
  readonly autoCompound: boolean;
}

/**
 * A third of the subscriptions is paid every day, a third compounds every day, a third is paid at
 * the end of its month.
 */
const KINDS: readonly Kind[] = [
  { planType: 1, lockDays: [0, 0], rewardFrequency: 1, autoCompound: true },
  { planType: 2, lockDays: [365, 365], rewardFrequency: 1, autoCompound: false },
  { planType: 3, lockDays: [30, 730], rewardFrequency: 30, autoCompound: false },
];

const planOf = (kind: Kind): CreatePlan => ({
  type: 'createPlan',
  planType: kind.planType,
  assetId: USDT,
  minLockDay: kind.lockDays[0],
  maxLockDay: kind.lockDays[1],
  rewardFrequency: kind.rewardFrequency,
  autoCompound: kind.autoCompound,
  ...TERMS,
  maxRate: kind.planType === 3 ? 9_000_000 : TERMS.maxRate,
  supportAutoRenew: kind.planType !== 1,
});

/**
 * One flexible plan for each subscription that a customer can have of one, since a second would add
 * to the first.
 */
const PLANS: readonly Kind[] = Array.from({ length: EACH }, (_, i) => KINDS[i % KINDS.length]);

/** Opens the plans and funds their reserves. */
const PLAN_COMMANDS: readonly Command[] = PLANS.flatMap((kind, i): Command[] => [
  planOf(kind),
  {
    type: 'fundReserve',
    planId: i + 1,
    amount: amount(10n ** 20n),
    reference: `bench-reserve-${i}`,
  },
]);

/** The subscription number `number` (from 0), of the customer `uid`. */
function subscribeCommand(uid: number, number: number): SubscribePlan {
  const plan = number % EACH;
  return {
    type: 'subscribePlan',
    uid,
    signature: null,
    idempotency: null,
    planId: plan + 1,
    // 100 to 1,100 USDT.
    amount: amount(10_000_000_000 + ((number * 7_919_777) % 100_000_000_000)),
    lockDay: PLANS[plan].planType === 3 ? 365 : 0,
    autoRenew: PLANS[plan].planType !== 1,
    boosterAmount: null,
    applyId: 0,
  };
}

interface SaversPlan {
  readonly dataDir: string;
  readonly subscriptions: number;
  /** Days that have passed since they were opened. */
  readonly days: number;
  /** The first customers, as many, get a key. */
  readonly keys: number;
}

/**
 * Writes a data directory with many subscriptions, or a few with many past days; with the views and
 * a snapshot, as a node leaves them at a stop. Returns the keys.
 */
export const writeSavers = job(
  import.meta,
  async ({ dataDir, subscriptions, days, keys }: SaversPlan) => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // The last day is today, so that a node that starts has no day to close.
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const exchange = new Exchange(undefined, EventFilter.none());
    const history = await HistoryWriter.open(dataDir, exchange, today - days * DAY_MS);
    await history.sendAll(venueCommands(Math.max(keys, Math.ceil(subscriptions / EACH)), 20_000));
    await history.sendAll(PLAN_COMMANDS);
    for (let number = 0; number < subscriptions; number++) {
      history.send(subscribeCommand(1 + Math.floor(number / EACH), number));
      await history.flushFull();
    }
    for (let day = 0; day < days; day++) {
      await history.advance(DAY_MS);
      while (exchange.nextTimer <= history.time) {
        history.send({ type: 'runTimers' });
        await history.flushFull();
      }
    }
    await history.close();
    await followHistory(dataDir, exchange);
    return createKeys(dataDir, keys);
  },
  'write',
);

/** Memory is that of a subscription. */
export interface DayClose extends Memory {
  /** To close one day for all, the mean. */
  readonly seconds: number;
  readonly longestSliceMs: number;
}

/** Subscriptions before the first look, so that compiled code and first pages are not counted. */
const WARM_UP = 20_000;

/**
 * Subscriptions in a fresh exchange: how much a process grows by each, and how long the core takes
 * to close days for all. A first day warms up and is not counted.
 */
export const closeDays = job(
  import.meta,
  async ({ subscriptions, days }: { subscriptions: number; days: number }): Promise<DayClose> => {
    // Without events, like the leader: the follower makes them.
    const exchange = new Exchange(undefined, EventFilter.none());
    const { state } = exchange;
    let time = START;
    const send = (command: Parameters<Exchange['apply']>[2]): void => {
      const outcome = exchange.apply(state.seq + 1, time, command);
      if (!outcome.ok) throw new Error(`${command.type} was rejected: ${outcome.reject.name}`);
    };
    const subscribe = (count: number): void => {
      const first = state.earn.subscriptions.size;
      for (let number = first; number < first + count; number++) {
        send(subscribeCommand(1 + Math.floor(number / EACH), number));
      }
    };

    const users = Math.ceil((WARM_UP + subscriptions) / EACH);
    for (const command of [...venueCommands(users), ...PLAN_COMMANDS]) send(command);
    subscribe(WARM_UP);
    const before = await settledMemory();
    subscribe(subscriptions);
    const after = await settledMemory();

    let longestSliceMs = 0;
    let began = 0;
    for (let day = 0; day <= days; day++) {
      if (day === 1) {
        began = performance.now();
        longestSliceMs = 0;
      }
      time += DAY_MS;
      while (exchange.nextTimer <= time) {
        const start = performance.now();
        send({ type: 'runTimers' });
        longestSliceMs = Math.max(longestSliceMs, performance.now() - start);
      }
    }
    return {
      resident: (after.resident - before.resident) / subscriptions,
      live: (after.live - before.live) / subscriptions,
      seconds: (performance.now() - began) / 1000 / days,
      longestSliceMs,
    };
  },
  'close',
);
