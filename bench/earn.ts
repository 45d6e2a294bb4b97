// Part `earn`: the time to close a day for a million subscriptions, their memory, and the latency
// of orders meanwhile. Ten plans have ample reserves, and each customer has a subscription to each
// of them.
import { join } from 'node:path';
import { readSandboxFile } from '../src/cli/data-directory.ts';
import { DAY_MS } from '../src/core/calendar.ts';
import type { Command, CreatePlan } from '../src/core/command.ts';
import { PlanType } from '../src/core/earn/plan.ts';
import { amount } from '../src/core/units.ts';
import { OperatorClient } from '../src/sdk/operator-client.ts';
import { FLEXIBLE_PLAN } from '../test/support/plan-terms.ts';
import { USDT } from '../test/support/venue.ts';
import { growthOf, settledMemory } from './support/accounts.ts';
import { createKeys, follow, Writer } from './support/history.ts';
import { CONNECTIONS, Loaded, startNode } from './support/load.ts';
import { many, part } from './support/part.ts';
import { program } from './support/processes.ts';
import { venueCommands } from './support/venue.ts';

const RATE = 5_000_000;
const PLAN: CreatePlan = {
  ...FLEXIBLE_PLAN,
  assetId: USDT,
  planName: 'Bench',
  minRate: RATE,
  maxRate: RATE,
  userAmountMin: amount(1),
  userAmountMax: amount(10n ** 18n),
  redeemLockHours: 24,
  autoCompound: true,
};
const TERM = { supportAutoRenew: true, autoCompound: false } as const;
const YEAR = { minLockDay: 365, maxLockDay: 365 } as const;
const MONTHLY = { minLockDay: 30, maxLockDay: 730, rewardFrequency: 30, maxRate: 9_000_000 };

/** Compounds every day, is paid every day, and is paid at the end of its month. */
const KINDS: readonly CreatePlan[] = [
  PLAN,
  { ...PLAN, ...TERM, ...YEAR, planType: PlanType.fixed },
  { ...PLAN, ...TERM, ...MONTHLY, planType: PlanType.customized },
];
/** A plan for each subscription of a customer: a second one to a flexible plan would add to it. */
const PLANS = Array.from({ length: 10 }, (_, i) => KINDS[i % KINDS.length]);

/** A venue of these customers and the plans. */
function* commandsOf(users: number, maxOpenOrders: number): Generator<Command> {
  yield* venueCommands(users, maxOpenOrders);
  for (const [i, plan] of PLANS.entries()) {
    yield plan;
    const [money, reference] = [amount(10n ** 20n), `bench-reserve-${i}`];
    yield { type: 'fundReserve', planId: i + 1, amount: money, reference };
  }
}

/** Subscriptions `from` to `to`; customers have ten each. */
function* subscriptions(from: number, to: number): Generator<Command> {
  for (let number = from; number < to; number++) {
    const plan = number % PLANS.length;
    const { planType } = PLANS[plan];
    yield {
      type: 'subscribePlan',
      uid: 1 + Math.floor(number / PLANS.length),
      signature: null,
      idempotency: null,
      planId: plan + 1,
      // 100 to 1,100 USDT.
      amount: amount(10_000_000_000 + ((number * 7_919_777) % 100_000_000_000)),
      lockDay: planType === PlanType.customized ? 365 : 0,
      autoRenew: planType !== PlanType.flexible,
      boosterAmount: null,
      applyId: 0,
    };
  }
}

const MAX_OPEN_ORDERS = 20_000;
/** Subscriptions before the first look, so that compiled code and first pages are not counted. */
const WARM_UP = 20_000;
const CLOSED_DAYS = 3;

const { once } = program(import.meta, {
  /** Writes a data directory as a node leaves it at a stop. Returns the keys of some customers. */
  async write(dataDir: string, count: number) {
    // Today, so that a node that starts has no day to close.
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const writer = await new Writer(today).open(dataDir);
    const users = Math.max(CONNECTIONS, Math.ceil(count / PLANS.length));
    await writer.sendAll(commandsOf(users, MAX_OPEN_ORDERS));
    await writer.sendAll(subscriptions(0, count));
    await writer.close();
    await follow(dataDir, writer.exchange);
    return createKeys(dataDir, CONNECTIONS);
  },

  /**
   * Subscriptions in a fresh exchange: what each takes, and the mean seconds in which the core
   * closes a day for all. A first day warms up and is not counted.
   */
  async closeDays(count: number) {
    const writer = new Writer();
    const users = Math.ceil((WARM_UP + count) / PLANS.length);
    await writer.sendAll(commandsOf(users, MAX_OPEN_ORDERS));
    await writer.sendAll(subscriptions(0, WARM_UP));
    const before = await settledMemory();
    await writer.sendAll(subscriptions(WARM_UP, WARM_UP + count));
    const { live } = growthOf(before, await settledMemory(), count);
    let start = 0;
    for (let day = 0; day <= CLOSED_DAYS; day++) {
      if (day === 1) start = performance.now();
      await writer.advance(DAY_MS);
      await writer.runTimers();
    }
    return { live, seconds: (performance.now() - start) / 1000 / CLOSED_DAYS };
  },
});

/** Orders a second while a day is closed: about a third of a node's capacity. */
const ORDERS_PER_SECOND = 10_000;
/** The share of a phase of load that passes before the day ends. */
const CLOSE_AFTER = 0.2;

/** The p99 of orders while a day is closed, as a multiple of that in calm. */
async function delayOf(node: Loaded, operator: OperatorClient, seconds: number): Promise<number> {
  const load = { mix: 'quiet', perSecond: ORDERS_PER_SECOND, seconds } as const;
  await node.caughtUp();
  const calm = await node.run(load);
  await node.caughtUp();
  const [closing] = await Promise.all([
    node.run(load),
    Bun.sleep(seconds * CLOSE_AFTER * 1000).then(() => operator.advanceClock({ ms: DAY_MS })),
  ]);
  await node.caughtUp();
  return closing.p99 / calm.p99;
}

export const earn = part({
  name: 'earn',
  question:
    'How long does a day close of a million subscriptions take, and how much does it delay orders?',
  against: 'orders without a day close',
  size: { subscriptions: 1_000_000, warmUp: 50_000, openSeconds: 6 },
  async subjects({ subscriptions: count, warmUp, openSeconds }, context) {
    context.step('writing the subscriptions');
    const dataDir = join(context.directory, 'data');
    const keys = await once.write(dataDir, count);
    context.step('starting the node');
    const node = context.resources.use(await Loaded.connect(await startNode(dataDir), keys));
    const { operatorToken } = readSandboxFile(dataDir)!;
    const operator = new OperatorClient({ url: node.server.url, operatorToken });
    await node.run({ mix: 'quiet', requests: warmUp });
    return {
      close: () => once.closeDays(count),
      delay: () => delayOf(node, operator, openSeconds),
    };
  },
  rows: () => [
    ['closing a day, core', 's', ({ close }) => close.seconds, { atMost: 5 }],
    ['live memory a subscription', 'bytes', ({ close }) => close.live, { atMost: 400 }],
    ['p99 while a day is closed ÷ p99 in calm', '×', ({ delay }) => delay, { atMost: 2 }],
  ],
  notes: ({ subscriptions: count }) => [
    `${many(count)} subscriptions of ${many(count / 10)} customers in ten plans: four tenths ` +
      'compound every day, three are paid every day, three every 30 days. Memory: growth of live ' +
      'objects in a process in which only the core grows.',
    `While a day is closed, ${many(ORDERS_PER_SECOND)} signed orders and cancels a second come ` +
      `over ${CONNECTIONS} connections, open loop: the clock of each starts at its due time. The ` +
      'node closes the day through its journal, slice by slice, and its follower writes an ' +
      'interest entry for each subscription.',
  ],
});
