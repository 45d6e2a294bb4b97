// Every fact that decides about the future is in the state hash: of each kind of fact, each part is
// changed alone. Of orders the same is shown beside their store.
import { describe, expect, test } from 'bun:test';
import type { Enterprise } from './earn/enterprise.ts';
import { OverdueQueue } from './earn/overdue.ts';
import { type Plan, PlanType, type PlanVersion } from './earn/plan.ts';
import { type NewSubscription, type Redemption, Subscription } from './earn/subscription.ts';
import { InstrumentStatus, SelfTradePrevention } from './fix.ts';
import type { StoredAnswer } from './idempotency.ts';
import type { Asset, Instrument } from './instrument.ts';
import { AccountCode } from './ledger/account-code.ts';
import type { RecordedTransfer } from './ledger/references.ts';
import { OrderBook } from './matching/order-book.ts';
import { accepted } from './outcome.ts';
import { type Counters, State } from './state.ts';
import type { Sweep } from './trading/sweeps.ts';
import { amount, lots, ticks, ZERO } from './units.ts';
import { hashUser, type User } from './user.ts';

/** The hash of a state into which `put` has put something. */
function hashOf(put: (state: State) => void): string {
  const state = new State();
  put(state);
  return state.stateHash();
}

/**
 * The names of the facts that `put` may change without a change of the hash. `others` has another
 * value of each, so that a new fact does not compile without one.
 */
function unnoticed<T extends object>(
  facts: T,
  others: Readonly<Required<T>>,
  put: (state: State, facts: T) => void,
): string[] {
  const before = hashOf((state) => put(state, facts));
  // A fact has the same hash whatever was mixed before it: else it could not be taken out again.
  const after = hashOf((state) => {
    state.hash.begin(0);
    put(state, facts);
  });
  expect(after).toBe(before);
  return (Object.keys(others) as (keyof T & string)[]).filter((name) => {
    expect(others[name]).not.toEqual(facts[name]);
    return hashOf((state) => put(state, { ...facts, [name]: others[name] })) === before;
  });
}

describe('of customers', () => {
  test('each balance: whose, of what, in which account, how much', () => {
    const unseen = unnoticed(
      { owner: 1, assetId: 0, code: AccountCode.available as AccountCode, money: amount(7) },
      { owner: -1, assetId: 1, code: AccountCode.held, money: amount(8) },
      ({ ledger }, { owner, assetId, code, money }) =>
        ledger.restore({ owner, assetId, code, balance: money }),
    );
    expect(unseen).toEqual([]);
  });

  test('each user', () => {
    const user: User = {
      uid: 1,
      kyc: true,
      suspended: false,
      makerFee: -1,
      takerFee: -1,
      maxOpenOrders: 10,
      enterpriseId: 1,
      enterpriseAdmin: false,
    };
    const other: User = {
      uid: 2,
      kyc: false,
      suspended: true,
      makerFee: 0,
      takerFee: 0,
      maxOpenOrders: 11,
      enterpriseId: 2,
      enterpriseAdmin: true,
    };
    const put = ({ hash }: State, facts: User): void => {
      hashUser(hash, facts);
      hash.add();
    };
    expect(unnoticed(user, other, put)).toEqual([]);
  });

  test('each transfer that a reference names', () => {
    const transfer: RecordedTransfer = {
      reference: 'a',
      transferId: 1,
      seq: 5,
      owner: 1,
      assetId: 0,
      amount: amount(9),
    };
    const other: RecordedTransfer = {
      reference: 'b',
      transferId: 2,
      seq: 6,
      owner: -1,
      assetId: 1,
      amount: amount(-9),
    };
    const put = ({ references }: State, facts: RecordedTransfer): void => references.record(facts);
    expect(unnoticed(transfer, other, put)).toEqual([]);
  });

  test('each answer to an Idempotency-Key', () => {
    // What was answered follows from the command, which the seq names.
    type Facts = Omit<StoredAnswer, 'outcome'>;
    const answer: Facts = { uid: 1, key: 'a', digest: 'x', seq: 5, time: 100 };
    const other: Facts = { uid: 2, key: 'b', digest: 'y', seq: 6, time: 101 };
    const outcome = accepted({ canceled: 1 });
    const unseen = unnoticed(answer, other, ({ answers }, facts) =>
      answers.remember({ ...facts, outcome }),
    );
    expect(unseen).toEqual([]);
  });

  test('each signature', () => {
    const unseen = unnoticed(
      { keyId: 1, digestHigh: 1, digestLow: 1, timestamp: 1, uid: 1, arrival: 1 },
      { keyId: 2, digestHigh: 2, digestLow: 2, timestamp: 2, uid: 2, arrival: 2 },
      ({ guard }, signature) => guard.restore(signature),
    );
    expect(unseen).toEqual([]);
  });

  test('the floor of each key that let signatures go', () => {
    const unseen = unnoticed(
      { keyId: 1, floor: 1 },
      { keyId: 2, floor: 2 },
      ({ guard }, { keyId, floor }) => {
        guard.restoreFloor(keyId, floor);
      },
    );
    expect(unseen).toEqual([]);
  });

  test('each dead man’s switch', () => {
    const unseen = unnoticed(
      { uid: 1, deadline: 10 },
      { uid: 2, deadline: 11 },
      ({ switches }, { uid, deadline }) => switches.arm(uid, deadline),
    );
    expect(unseen).toEqual([]);
  });

  test('each cancel that is carried on', () => {
    const sweep: Sweep = { uid: 1, securityId: 0, upToOrderId: 10, reason: 1 };
    const other: Sweep = { uid: 2, securityId: 1, upToOrderId: 11, reason: 2 };
    expect(unnoticed(sweep, other, ({ sweeps }, facts) => sweeps.add(facts))).toEqual([]);
  });
});

const BTC: Asset = { assetId: 0, name: 'BTC', scale: 8, fiat: false };
const USDT: Asset = { assetId: 1, name: 'USDT', scale: 8, fiat: false };

describe('of the venue', () => {
  test('each counter', () => {
    type Facts = Counters & Pick<State, 'seq' | 'time' | 'clockOffset'>;
    const counters: Facts = {
      seq: 1,
      time: 1,
      clockOffset: 1,
      orderId: 1,
      execId: 1,
      tradeId: 1,
      transferId: 1,
    };
    const other: Facts = {
      seq: 2,
      time: 2,
      clockOffset: 2,
      orderId: 2,
      execId: 2,
      tradeId: 2,
      transferId: 2,
    };
    const unseen = unnoticed(counters, other, (state, { seq, time, clockOffset, ...next }) => {
      Object.assign(state, { seq, time, clockOffset });
      Object.assign(state.next, next);
    });
    expect(unseen).toEqual([]);
  });

  test('each asset', () => {
    const other: Asset = { assetId: 1, name: 'ETH', scale: 9, fiat: true };
    expect(unnoticed(BTC, other, ({ assets }, asset) => void assets.push(asset))).toEqual([]);
  });

  test('each instrument', () => {
    type Derived = 'perTickLot' | 'baseUnitsPerLot' | 'quoteUnitsPerTick' | 'book';
    type Facts = Omit<Instrument, Derived> & Pick<OrderBook, 'updateId'>;
    const instrument: Facts = {
      securityId: 1,
      symbol: 'BTC-USDT',
      base: BTC,
      quote: USDT,
      tick: { mantissa: 1, decimals: 2 },
      lot: { mantissa: 1, decimals: 6 },
      minQuantity: lots(1),
      minNotional: amount(1),
      makerFee: 1,
      takerFee: 1,
      selfTradePrevention: SelfTradePrevention.none,
      priceBand: 1,
      status: InstrumentStatus.LIVE,
      lastPrice: ticks(1),
      updateId: 1,
    };
    const other: Facts = {
      securityId: 2,
      symbol: 'BTC-EUR',
      base: { ...BTC, assetId: 2 },
      quote: { ...USDT, assetId: 2 },
      tick: { mantissa: 5, decimals: 2 },
      lot: { mantissa: 5, decimals: 6 },
      minQuantity: lots(2),
      minNotional: amount(2),
      makerFee: 2,
      takerFee: 2,
      selfTradePrevention: SelfTradePrevention.cancelNewest,
      priceBand: 2,
      status: InstrumentStatus.HALTED,
      lastPrice: ticks(2),
      updateId: 2,
    };
    const decimals: Facts = {
      ...other,
      tick: { mantissa: 1, decimals: 1 },
      lot: { mantissa: 1, decimals: 5 },
    };
    const put = (state: State, { updateId, ...facts }: Facts): void => {
      const book = new OrderBook(state.orders);
      book.updateId = updateId;
      // What follows from the increments is in the hash with them.
      const derived = { perTickLot: ZERO, baseUnitsPerLot: ZERO, quoteUnitsPerTick: ZERO };
      state.list({ ...facts, ...derived, book });
    };
    expect(unnoticed(instrument, other, put)).toEqual([]);
    expect(unnoticed(instrument, decimals, put)).toEqual([]);
  });
});

const VERSION: PlanVersion = {
  version: 0,
  fromDay: 5,
  planName: 'savings',
  minRate: 1,
  maxRate: 3,
  userAmountMin: amount(1),
  userAmountMax: amount(10),
  poolCapacity: amount(0),
  redeemLockHours: 1,
  supportEarlyRedemption: false,
  supportAutoRenew: false,
  requiresKyc: false,
  label: 'hot',
  booster: { assetId: 1, ratio: 1, rate: 1 },
  open: false,
};
const OTHER_VERSION: PlanVersion = {
  version: 1,
  fromDay: 6,
  planName: 'saving',
  minRate: 2,
  maxRate: 4,
  userAmountMin: amount(2),
  userAmountMax: amount(11),
  poolCapacity: null,
  redeemLockHours: 2,
  supportEarlyRedemption: true,
  supportAutoRenew: true,
  requiresKyc: true,
  label: 'new',
  booster: null,
  open: true,
};

type PlanFacts = Omit<Plan, 'versions' | 'pool' | 'yearlyCost' | 'overdue'> & PlanVersion;
const PLAN: PlanFacts = {
  planId: 1,
  planType: PlanType.flexible,
  assetId: 0,
  minLockDay: 1,
  maxLockDay: 3,
  rewardFrequency: 1,
  autoCompound: false,
  ...VERSION,
};

/** Totals follow from the subscriptions. */
const planOf = (facts: PlanFacts): Plan => ({
  ...facts,
  versions: [facts],
  pool: ZERO,
  yearlyCost: ZERO,
  overdue: new OverdueQueue(),
});

type SubscriptionFacts = Omit<
  Subscription,
  // What follows from the rest, and the list of the owner.
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
>;
const SUBSCRIPTION: SubscriptionFacts = {
  applyId: 1,
  uid: 1,
  plan: planOf(PLAN),
  terms: VERSION,
  rate: 1,
  booster: { rate: 1, amount: amount(1), carry: 1 },
  share: {
    enterpriseId: 1,
    margin: 1,
    carry: 1,
    accrued: amount(1),
    owed: amount(1),
    paid: amount(1),
    earned: amount(1),
  },
  principal: amount(1),
  basis: amount(1),
  lockDay: 1,
  startDay: 1,
  nextDay: 1,
  carry: 1,
  accrued: amount(1),
  owed: amount(1),
  paid: amount(1),
  earned: amount(1),
  redeeming: amount(1),
  redemptions: 1,
  autoRenew: false,
  overdueNo: 1,
  consent: 1,
  createTime: 1,
};

function putSubscription({ earn }: State, facts: SubscriptionFacts): void {
  const from: NewSubscription = facts;
  earn.subscriptions.add(Object.assign(new Subscription(from), facts));
}

describe('of earn', () => {
  test('each plan and version of its terms', () => {
    const other: PlanFacts = {
      planId: 2,
      planType: PlanType.fixed,
      assetId: 1,
      minLockDay: 2,
      maxLockDay: 4,
      rewardFrequency: 2,
      autoCompound: true,
      ...OTHER_VERSION,
    };
    const put = ({ earn }: State, facts: PlanFacts): void => void earn.plans.push(planOf(facts));
    expect(unnoticed(PLAN, other, put)).toEqual([]);
    const unseen = unnoticed(
      VERSION.booster!,
      { assetId: 2, ratio: 2, rate: 2 },
      (state, booster) => put(state, { ...PLAN, booster }),
    );
    expect(unseen).toEqual([]);
    expect(hashOf((state) => put(state, { ...PLAN, poolCapacity: amount(1) }))).not.toBe(
      hashOf((state) => put(state, PLAN)),
    );
  });

  test('each enterprise', () => {
    type Facts = Omit<Enterprise, 'refundable'>;
    const facts = (n: number, selfTradePrevention: boolean, margins: [number, number]): Facts => ({
      enterpriseId: n,
      name: `${n}`,
      margins: new Map([margins]),
      selfTradePrevention,
    });
    const enterprise = facts(1, false, [1, 5]);
    const put = ({ earn }: State, facts: Facts) =>
      earn.enterprises.push({ ...facts, refundable: new Map() });
    expect(unnoticed(enterprise, facts(2, true, [2, 5]), put)).toEqual([]);
    expect(unnoticed(enterprise, facts(2, true, [1, 6]), put)).toEqual([]);
  });

  test('each subscription', () => {
    const other: SubscriptionFacts = {
      applyId: 2,
      uid: 2,
      plan: planOf({ ...PLAN, planId: 2 }),
      terms: OTHER_VERSION,
      rate: 2,
      booster: null,
      share: null,
      principal: amount(2),
      basis: amount(2),
      lockDay: 2,
      startDay: 2,
      nextDay: 2,
      carry: 2,
      accrued: amount(2),
      owed: amount(2),
      paid: amount(2),
      earned: amount(2),
      redeeming: amount(2),
      redemptions: 2,
      autoRenew: true,
      overdueNo: 2,
      consent: 2,
      createTime: 2,
    };
    expect(unnoticed(SUBSCRIPTION, other, putSubscription)).toEqual([]);
  });

  test('each booster that is locked, and each share of an enterprise', () => {
    const { booster, share } = SUBSCRIPTION;
    const unseen = [
      unnoticed(booster!, { rate: 2, amount: amount(2), carry: 2 }, (state, facts) =>
        putSubscription(state, { ...SUBSCRIPTION, booster: facts }),
      ),
      unnoticed(
        share!,
        {
          enterpriseId: 2,
          margin: 2,
          carry: 2,
          accrued: amount(2),
          owed: amount(2),
          paid: amount(2),
          earned: amount(2),
        },
        (state, facts) => putSubscription(state, { ...SUBSCRIPTION, share: facts }),
      ),
    ];
    expect(unseen).toEqual([[], []]);
  });

  test('each redemption on its way', () => {
    const redemption: Redemption = {
      redemptionId: 1,
      applyId: 1,
      amount: amount(1),
      forfeited: amount(1),
      boosterAmount: amount(1),
      createTime: 1,
      redeemLockHours: 1,
      dueTime: 1,
    };
    const other: Redemption = {
      redemptionId: 2,
      applyId: 2,
      amount: amount(2),
      forfeited: amount(2),
      boosterAmount: amount(2),
      createTime: 2,
      redeemLockHours: 2,
      dueTime: 2,
    };
    const put = ({ earn }: State, facts: Redemption): void => earn.redemptions.add(facts);
    expect(unnoticed(redemption, other, put)).toEqual([]);
  });

  test('each counter', () => {
    const unseen = unnoticed(
      { applyId: 1, redemptionId: 1, overdueNo: 1 },
      { applyId: 2, redemptionId: 2, overdueNo: 2 },
      ({ earn }, next) => void Object.assign(earn.next, next),
    );
    expect(unseen).toEqual([]);
  });

  test('how far the days are closed, and which plans are to pay what they owe, in order', () => {
    const unseen = unnoticed(
      { closingDay: 1, closedUpTo: 1, retrying: [1, 2] },
      { closingDay: 2, closedUpTo: 2, retrying: [2, 1] },
      (state, { retrying, ...closed }) => {
        putSubscription(state, SUBSCRIPTION);
        Object.assign(state.earn, closed);
        state.earn.retrying.push(...retrying);
      },
    );
    expect(unseen).toEqual([]);
  });
});
