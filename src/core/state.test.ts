// Every fact that decides about the future is in the state hash: of each kind of fact, each field
// is changed alone.
import { expect, test } from 'bun:test';
import { FLEXIBLE_PLAN } from '../../test/support/plan-terms.ts';
import { BTC_USDT_TERMS } from '../../test/support/venue.ts';
import type { Enterprise } from './earn/enterprise.ts';
import type { Plan, PlanVersion } from './earn/plan.ts';
import { type Redemption, Subscription } from './earn/subscription.ts';
import { Side } from './fix.ts';
import type { KeptOutcome } from './idempotency.ts';
import { IndexedHeap } from './indexed-heap.ts';
import type { Asset, Instrument } from './instrument.ts';
import { AccountCode } from './ledger/account-code.ts';
import type { LedgerAccount } from './ledger/ledger.ts';
import type { RecordedTransfer } from './ledger/references.ts';
import { OrderBook } from './matching/order-book.ts';
import type { OrderTerms } from './matching/order-store.ts';
import { accepted } from './outcome.ts';
import type { RememberedSignature } from './replay-guard.ts';
import { type Counters, State } from './state.ts';
import type { Sweep } from './trading/sweeps.ts';
import { TriggerBook } from './trading/trigger-book.ts';
import { amount, lots, ticks, ZERO } from './units.ts';
import { hashUser, newUser, type User } from './user.ts';

const ONE = amount(1);

/** The hash of a state into which `put` has put something. */
function hashOf(put: (state: State) => void): string {
  const state = new State();
  put(state);
  return state.stateHash();
}

/** Other values in the place of one: of an object or a map, one for each part. */
function othersOf(value: unknown): unknown[] {
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string') return [`${value}x`];
  if (Array.isArray(value)) return [value.toReversed()];
  if (value instanceof Map) {
    return [...value].flatMap(([key, n]) => [new Map([[key + 1, n]]), new Map([[key, n + 1]])]);
  }
  return Object.entries(value as object).flatMap(([name, part]) =>
    othersOf(part).map((other) => ({ ...(value as object), [name]: other })),
  );
}

/** The fields of `facts` that may change without a change of the hash; some may also be null. */
function unnoticed<T extends object>(
  facts: T,
  put: (state: State, facts: T) => void,
  nullable: readonly (keyof T)[] = [],
): string[] {
  const before = hashOf((state) => put(state, facts));
  // A fact has the same hash whatever was mixed before it: otherwise nothing could remove it.
  const after = hashOf((state) => {
    state.hash.begin(0);
    put(state, facts);
  });
  expect(after).toBe(before);
  return (Object.keys(facts) as (keyof T & string)[]).filter((name) => {
    const others = [...othersOf(facts[name]), ...(nullable.includes(name) ? [null] : [])];
    return others.some(
      (other) => hashOf((state) => put(state, { ...facts, [name]: other })) === before,
    );
  });
}

test('each balance', () => {
  const balance = amount(7);
  const account: LedgerAccount = { owner: 1, assetId: 0, code: AccountCode.available, balance };
  expect(unnoticed(account, ({ ledger }, facts) => ledger.restore(facts))).toEqual([]);
});

test('each order', () => {
  const terms: OrderTerms = {
    uid: 1,
    securityId: 1,
    side: Side.buy,
    price: ticks(1),
    orderQty: lots(9),
    postOnly: false,
    clOrdId: 'a',
  };
  const facts = { ...terms, orderId: 1, cumQty: lots(1), cumQuote: ONE, createTime: 1 };
  const put = ({ orders }: State, { createTime, ...order }: typeof facts): void => {
    const { orderId, cumQty, cumQuote, ...own } = order;
    orders.add({ terms: own, orderId, cumQty, cumQuote, details: null }, createTime);
  };
  expect(unnoticed(facts, put)).toEqual([]);
});

test('each user', () => {
  const user: User = { ...newUser(1, true), enterpriseId: 1 };
  const put = ({ hash }: State, facts: User): void => {
    hashUser(hash, facts);
    hash.add();
  };
  expect(unnoticed(user, put)).toEqual([]);
});

test('each transfer that a reference names', () => {
  const ids = { transferId: 1, seq: 5, owner: 1, assetId: 0 };
  const transfer: RecordedTransfer = { reference: 'a', ...ids, amount: amount(9) };
  expect(unnoticed(transfer, ({ references }, facts) => references.record(facts))).toEqual([]);
});

test('each outcome under an Idempotency-Key', () => {
  // The outcome follows from the command, which the seq names.
  const kept: Omit<KeptOutcome, 'outcome'> = { uid: 1, key: 'a', digest: 'x', seq: 5, time: 1 };
  const outcome = accepted({ canceled: 1 });
  const put = ({ outcomes }: State, facts: typeof kept): void =>
    outcomes.remember({ ...facts, outcome });
  expect(unnoticed(kept, put)).toEqual([]);
});

test('each signature', () => {
  const digest = { digestHigh: 1, digestLow: 1 };
  const facts: RememberedSignature = { keyId: 1, ...digest, timestamp: 1, uid: 1, arrival: 1 };
  expect(unnoticed(facts, ({ guard }, signature) => guard.restore(signature))).toEqual([]);
});

test('the floor of each key that dropped signatures', () => {
  const put = ({ guard }: State, { keyId, floor }: { keyId: number; floor: number }): void =>
    guard.restoreFloor(keyId, floor);
  expect(unnoticed({ keyId: 1, floor: 1 }, put)).toEqual([]);
});

test('each dead man’s switch', () => {
  const put = ({ switches }: State, facts: { uid: number; deadline: number }): void =>
    switches.arm(facts.uid, facts.deadline);
  expect(unnoticed({ uid: 1, deadline: 10 }, put)).toEqual([]);
});

test('each cancel in progress', () => {
  const sweep: Sweep = { uid: 1, securityId: 0, upToOrderId: 10, reason: 1 };
  expect(unnoticed(sweep, ({ sweeps }, facts) => sweeps.add(facts))).toEqual([]);
});

test('each counter of the venue', () => {
  type Facts = Counters & Pick<State, 'seq' | 'time' | 'clockOffset'>;
  const next: Counters = { orderId: 1, execId: 1, tradeId: 1, transferId: 1 };
  const counters: Facts = { seq: 1, time: 1, clockOffset: 1, ...next };
  const put = (state: State, { seq, time, clockOffset, ...others }: Facts): void => {
    Object.assign(state, { seq, time, clockOffset });
    Object.assign(state.next, others);
  };
  expect(unnoticed(counters, put)).toEqual([]);
});

const BTC: Asset = { assetId: 0, name: 'BTC', scale: 8, fiat: false };

test('each asset', () => {
  expect(unnoticed(BTC, ({ assets }, asset) => void assets.push(asset))).toEqual([]);
});

test('each instrument', () => {
  // The book's orders and the factors of the increments are other facts, or follow from these.
  type Derived =
    | 'base'
    | 'quote'
    | 'perTickLot'
    | 'baseUnitsPerLot'
    | 'quoteUnitsPerTick'
    | 'book'
    | 'triggers'
    | 'expiries'
    | 'matching';
  type Facts = Omit<Instrument, Derived> & {
    readonly baseId: number;
    readonly quoteId: number;
    readonly updateId: number;
  };
  const { type: _, baseAsset: __, quoteAsset: ___, ...terms } = BTC_USDT_TERMS;
  const ids = { securityId: 1, baseId: 0, quoteId: 1, updateId: 1 };
  const put = (state: State, { updateId, baseId, quoteId, ...facts }: Facts): void => {
    const book = new OrderBook(state.orders);
    book.updateId = updateId;
    const base = { ...BTC, assetId: baseId };
    const quote = { ...BTC, assetId: quoteId };
    const derived = { perTickLot: ZERO, baseUnitsPerLot: ZERO, quoteUnitsPerTick: ZERO };
    const triggers = new TriggerBook(state.orders);
    const expiries = new IndexedHeap();
    state.list({ ...facts, base, quote, ...derived, book, triggers, expiries, matching: null });
  };
  expect(unnoticed<Facts>({ ...ids, ...terms, lastPrice: ticks(1) }, put)).toEqual([]);
});

const VERSION: PlanVersion = {
  ...FLEXIBLE_PLAN,
  version: 0,
  fromDay: 5,
  planName: 'savings',
  userAmountMin: amount(1),
  userAmountMax: amount(10),
  poolCapacity: amount(0),
  booster: { assetId: 1, ratio: 1, rate: 1 },
};

type PlanFacts = Omit<Plan, 'versions' | 'pool' | 'yearlyCost' | 'overdue'> & PlanVersion;
const PLAN: PlanFacts = { ...FLEXIBLE_PLAN, planId: 1, assetId: 0, ...VERSION };

/** Totals follow from the subscriptions. */
const planOf = (facts: PlanFacts): Plan => ({
  ...facts,
  versions: [facts],
  pool: ZERO,
  yearlyCost: ZERO,
  overdue: new IndexedHeap(),
});

test('each plan and version of its terms', () => {
  const { type: _, ...facts } = PLAN as PlanFacts & { readonly type: string };
  const put = ({ earn }: State, plan: PlanFacts): void => void earn.plans.push(planOf(plan));
  expect(unnoticed<PlanFacts>(facts, put, ['poolCapacity', 'booster'])).toEqual([]);
});

test('each enterprise', () => {
  type Facts = Omit<Enterprise, 'refundable'>;
  const margins = new Map([[1, 5]]);
  const facts: Facts = { enterpriseId: 1, name: 'a', margins, selfTradePrevention: false };
  const put = ({ earn }: State, enterprise: Facts): void =>
    void earn.enterprises.push({ ...enterprise, refundable: new Map() });
  expect(unnoticed(facts, put)).toEqual([]);
});

/** Without what follows from the rest, and with the ids of plan and terms. */
type SubscriptionFacts = Omit<
  Subscription,
  | 'plan'
  | 'terms'
  | 'boosterRate'
  | 'boosterAmount'
  | 'enterpriseId'
  | 'margin'
  | 'marginAccrued'
  | 'marginEarned'
  | 'hashA'
  | 'hashB'
  | 'older'
  | 'newer'
> & { readonly planId: number; readonly version: number };

const SUBSCRIPTION: SubscriptionFacts = {
  applyId: 1,
  uid: 1,
  planId: 1,
  version: 1,
  rate: 1,
  booster: { rate: 1, amount: ONE, carry: 1 },
  share: { enterpriseId: 1, margin: 1, carry: 1, accrued: ONE, owed: ONE, paid: ONE, earned: ONE },
  principal: ONE,
  basis: ONE,
  lockDay: 1,
  startDay: 1,
  nextDay: 1,
  carry: 1,
  accrued: ONE,
  owed: ONE,
  paid: ONE,
  earned: ONE,
  redeeming: ONE,
  redemptions: 1,
  autoRenew: false,
  overdueNo: 1,
  consent: 1,
  createTime: 1,
};

function putSubscription({ earn }: State, facts: SubscriptionFacts): void {
  const { planId, version, ...rest } = facts;
  const plan = planOf({ ...PLAN, planId });
  const own = { ...rest, plan, terms: { ...VERSION, version } };
  earn.subscriptions.add(Object.assign(new Subscription(own), own));
}

test('each subscription, with its booster and the share of an enterprise', () => {
  const nullable = ['booster', 'share', 'consent'] as const;
  expect(unnoticed(SUBSCRIPTION, putSubscription, nullable)).toEqual([]);
});

test('each redemption', () => {
  const amounts = { amount: ONE, forfeited: ONE, boosterAmount: ONE };
  const times = { createTime: 1, redeemLockHours: 1, dueTime: 1 };
  const redemption: Redemption = { redemptionId: 1, applyId: 1, ...amounts, ...times };
  expect(unnoticed(redemption, ({ earn }, facts) => earn.redemptions.add(facts))).toEqual([]);
});

test('each counter of earn', () => {
  const counters: State['earn']['next'] = { applyId: 1, redemptionId: 1, overdueNo: 1 };
  const put = ({ earn }: State, next: typeof counters) => void Object.assign(earn.next, next);
  expect(unnoticed(counters, put)).toEqual([]);
});

test('the last closed day, and the plans that owe interest, in order', () => {
  const facts = { closingDay: 1, closedUpTo: 1, retrying: [1, 2] };
  const put = (state: State, { retrying, ...closed }: typeof facts): void => {
    putSubscription(state, SUBSCRIPTION);
    Object.assign(state.earn, closed);
    state.earn.retrying.push(...retrying);
  };
  expect(unnoticed(facts, put)).toEqual([]);
});
