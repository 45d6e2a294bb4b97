// A seeded life of an earn service: customers who subscribe, add, redeem and switch auto renew;
// enterprises; an operator who changes plans and fills reserves, sometimes too late; and a clock
// that meets midnights exactly and jumps over days. It looks into the model to aim, and emits plain
// data.
import type { Command } from '../../src/core/command.ts';
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import { type Amount, amount } from '../../src/core/units.ts';
import { Prng } from '../support/prng.ts';
import { Authorship, type UnsignedWrite } from './authorship.ts';
import type { EarnProfile, EarnStep } from './earn-lockstep.ts';
import { coinsOf, Plans, SCALES } from './earn-plans.ts';
import {
  boosterNeeded,
  DAY,
  HOUR,
  type ModelPlan,
  type ModelSubscription,
  newestOf,
  owedTo,
} from './earn-state.ts';
import type { VenueState } from './state.ts';

const USERS = 20;
const START = 1_700_000_000_000;
const UNKNOWN = 9_999;
/** The plan whose terms earn more than was subscribed, where there is one. */
const USURIOUS = 10;

type Choice<T> = readonly (readonly [weight: number, choice: () => T])[];

export class EarnWorkload {
  readonly #random: Prng;
  readonly #venue: VenueState;
  readonly #authorship: Authorship;
  readonly #plans: Plans;
  readonly #ample: boolean;
  #queue: EarnStep[];
  #time = START;
  #references = 0;
  #lastFunded: Command | null = null;
  #lastWithdrawn: Command | null = null;
  /** Interleaved: what is due was left to wait. */
  #undrained = false;

  constructor(seed: number, venue: VenueState, profile: EarnProfile) {
    this.#random = new Prng(seed);
    this.#venue = venue;
    this.#authorship = new Authorship(this.#random, false);
    this.#ample = profile === 'interleaved';
    this.#plans = new Plans(this.#random, venue, this.#ample);
    this.#queue = this.#opening().map((command) => ({ time: START, command }));
  }

  /** Business days that have passed. */
  get days(): number {
    return (this.#time - START) / DAY;
  }

  next(): EarnStep {
    const first = this.#queue.shift();
    if (first !== undefined) return first;
    if (this.#undrained && this.#random.oneIn(12)) {
      this.#undrained = false;
      return { time: this.#time, command: { type: 'drain' } };
    }
    this.#time = this.#nextTime();
    if (this.#ample) this.#undrained = true;
    return { time: this.#time, command: this.#command() };
  }

  /** Minutes or hours; the exact midnight and the exact end of a lock; sometimes days. */
  #nextTime(): number {
    const random = this.#random;
    const midnight = (Math.floor(this.#time / DAY) + 1) * DAY;
    const due = Math.min(...this.#venue.earn.redemptions.map(({ dueTime }) => dueTime));
    return random.weighted<() => number>([
      [600, () => this.#time],
      [300, () => this.#time + random.below(HOUR)],
      [80, () => this.#time + random.below(3 * HOUR)],
      [6, () => midnight],
      [4, () => midnight - 1],
      [8, () => (Number.isFinite(due) && due >= this.#time ? due : midnight)],
      [1, () => this.#time + random.between(1, 9) * DAY + random.below(DAY)],
    ])();
  }

  #opening(): Command[] {
    const commands: Command[] = SCALES.map((scale, assetId) => ({
      type: 'createAsset',
      asset: `COIN${assetId}`,
      scale,
      fiat: false,
    }));
    for (let uid = 1; uid <= USERS; uid++) {
      commands.push({ type: 'createUser', kyc: uid % 2 === 0 });
      for (let assetId = 0; assetId < SCALES.length; assetId++) {
        const money = coinsOf(assetId, 2_000) * (this.#ample ? 10n ** 15n : 10n ** BigInt(uid % 5));
        commands.push(this.#credit(uid, assetId, amount(money)));
      }
    }
    commands.push({ type: 'createEnterprise', name: 'first' });
    commands.push({ type: 'createEnterprise', name: 'second' });
    for (let uid = 1; uid <= 8; uid++) {
      const enterpriseId = 1 + (uid % 2);
      commands.push({ type: 'assignEnterprise', uid, enterpriseId, admin: uid <= 2 });
    }
    for (let assetId = 0; assetId < 3; assetId++) {
      for (const planType of [1, 2, 3] as const) {
        commands.push(this.#plans.opening(planType, assetId));
      }
    }
    if (!this.#ample) commands.push(this.#plans.usurious());
    for (let planId = 1; planId <= 10; planId++) commands.push(this.#fund(planId));
    if (this.#ample) {
      for (const uid of [1, 2]) {
        for (let planId = 1; planId <= 9; planId += 2) {
          commands.push(this.#sign({ type: 'setMargin', uid, planId, margin: planId % 2 }));
        }
      }
    }
    return commands;
  }

  #command(): Command {
    const random = this.#random;
    const kind = random.weighted<() => Command>([
      [34, () => this.#sign(this.#apply())],
      [24, () => this.#sign(this.#redeem())],
      [8, () => this.#sign(this.#autoRenew())],
      [8, () => this.#plans.amend()],
      [6, () => this.#transfer()],
      [14, () => this.#reserve()],
      ...(this.#ample ? [] : ([[5, () => this.#withdrawal()]] as const)),
      [3, (): Command => ({ type: 'runTimers' })],
      ...(this.#ample ? SLICES : []),
      ...(this.#ample ? [] : this.#people()),
    ]);
    return kind();
  }

  /** Margins, members and standing, which decide what a renewal is worth, and empty plans. */
  #people(): Choice<Command> {
    const random = this.#random;
    return [
      [1, () => this.#plans.create()],
      [6, () => this.#sign(this.#margin())],
      [8, () => this.#member()],
      [
        4,
        (): Command => ({
          type: 'amendUser',
          uid: this.#suspended() ?? this.#uid(),
          kyc: random.pick([null, true, true, false]),
          suspended: random.oneIn(5),
          makerFee: null,
          takerFee: null,
          maxOpenOrders: null,
        }),
      ],
    ];
  }

  #sign(command: UnsignedWrite): Command {
    // A request that is sent again may find what is on its way credited on one side already.
    if (this.#ample) return { ...command, signature: null, idempotency: null };
    return this.#authorship.author(command, this.#time);
  }

  #uid(): number {
    return this.#random.oneIn(60) ? UNKNOWN : this.#random.between(1, USERS);
  }

  /** A suspension does not last long. */
  #suspended(): number | undefined {
    const suspended = [...this.#venue.users].filter(([, user]) => user.suspended);
    return this.#random.percent(70) ? suspended[0]?.[0] : undefined;
  }

  #plan(): ModelPlan {
    return this.#random.pick(this.#venue.earn.plans);
  }

  #subscription(wanted: (one: ModelSubscription) => boolean): ModelSubscription | undefined {
    const { subscriptions } = this.#venue.earn;
    const fitting = subscriptions.filter(wanted);
    return this.#random.pick(fitting.length > 0 ? fitting : subscriptions);
  }

  #apply(): UnsignedWrite {
    const random = this.#random;
    const usurious = this.#ample ? undefined : this.#venue.earn.plan(USURIOUS);
    const plan = usurious !== undefined && random.oneIn(10) ? usurious : this.#plan();
    const uid = this.#uid();
    const { planType, minLockDay, maxLockDay } = plan.kind;
    const money = this.#sum(plan, uid);
    const fitting = planType === 3 ? random.between(minLockDay, maxLockDay) : 0;
    const lockDay = random.weighted([
      [20, fitting],
      [2, minLockDay],
      [1, 0],
      [1, maxLockDay + 1],
      [1, Math.max(0, minLockDay - 1)],
    ]);
    const mayRenew = planType !== 1 && newestOf(plan).supportAutoRenew;
    const mine = this.#venue.earn
      .of(uid)
      .find((one) => one.plan === plan && (one.principal > 0n || !this.#ample));
    // Between slices, another customer's subscription may be over or not.
    const someone = this.#ample ? UNKNOWN : (this.#subscription(() => true)?.applyId ?? UNKNOWN);
    const named = random.weighted([
      [20, 0],
      [planType === 1 ? 8 : 1, mine?.applyId ?? 0],
      [1, someone],
      [1, UNKNOWN],
    ]);
    return {
      type: 'subscribePlan',
      uid,
      planId: random.oneIn(40) ? UNKNOWN : plan.planId,
      amount: money,
      lockDay,
      autoRenew: random.oneIn(20) || (mayRenew && random.percent(65)),
      boosterAmount: this.#booster(plan, uid, money),
      applyId: named,
    };
  }

  /** Near a bound of the plan, of the pool or of the balance; in ample times only what is there. */
  #sum(plan: ModelPlan, uid: number): Amount {
    const random = this.#random;
    const { earn } = this.#venue;
    const { assetId } = plan.kind;
    const { userAmountMin, userAmountMax, poolCapacity } = newestOf(plan);
    const free = this.#venue.freeOf(uid, assetId);
    const some = coinsOf(assetId, random.between(1, 800)) + random.belowBig(1_000n);
    const room = poolCapacity === null ? some : BigInt(poolCapacity) - earn.principalIn(plan, null);
    const left = BigInt(userAmountMax) - earn.principalIn(plan, uid);
    const usual: Choice<bigint> = [
      [40, () => some],
      [10, () => BigInt(random.between(1, 3))],
      [2, () => 0n],
      [1, () => -1n],
    ];
    if (this.#ample) return amount(random.weighted(usual)());
    return amount(
      random.weighted<() => bigint>([
        ...usual,
        [8, () => BigInt(userAmountMin) - BigInt(random.below(2))],
        [8, () => left + BigInt(random.below(2))],
        [10, () => room + BigInt(random.below(2))],
        [6, () => free / BigInt(random.between(2, 9))],
        [2, () => free],
        [2, () => free + 1n],
      ])(),
    );
  }

  #booster(plan: ModelPlan, uid: number, money: Amount): Amount | null {
    const random = this.#random;
    const { booster } = newestOf(plan);
    if (booster === null) return random.oneIn(25) ? amount(random.between(-1, 5)) : null;
    if (random.percent(45)) return null;
    const scale = SCALES[plan.kind.assetId];
    const needed = boosterNeeded(BigInt(money), booster.ratio, scale, SCALES[booster.assetId]);
    const free = this.#ample ? needed : this.#venue.freeOf(uid, booster.assetId);
    return amount(
      random.weighted([
        [14, needed],
        [4, needed * 2n + 1n],
        [2, needed - 1n],
        [1, 0n],
        [1, free],
        [1, this.#ample ? needed : free + 1n],
      ]),
    );
  }

  #redeem(): UnsignedWrite {
    const random = this.#random;
    const early = ({ principal, lockDay, terms }: ModelSubscription): boolean =>
      principal > 0n && lockDay > 0 && terms.supportEarlyRedemption;
    const picked = random.weighted<(one: ModelSubscription) => boolean>([
      [4, () => true],
      [3, (one) => this.#hasEnded(one)],
      [8, ({ principal, lockDay }) => principal > 0n && lockDay === 0],
      [4, (one) => early(one) && !isUsurious(one)],
      [3, (one) => early(one) && !isUsurious(one) && one.paid > 0n],
      [6, (one) => early(one) && one.paid >= one.principal],
      [2, (one) => early(one) && one.owedBefore.owner > 0n],
      [2, (one) => early(one) && one.boosterAmount > 0n],
      [1, ({ createTime }) => this.#time - createTime < DAY],
      [this.#ample ? 0 : 3, ({ principal }) => principal === 0n],
      [this.#ample ? 0 : 5, isCollectable],
      [this.#ample ? 0 : 3, (one) => one.principal === 0n && this.#venue.earn.awaitsCredit(one)],
      [this.#ample ? 0 : 4, (one) => one.principal === 0n && this.#awaitsNothing(one)],
    ]);
    const heldOnly = (one: ModelSubscription): boolean => one.principal > 0n && picked(one);
    const target = this.#subscription(this.#ample ? heldOnly : picked);
    const principal = target?.principal ?? 5n;
    const money = random.weighted<() => bigint>([
      [16, () => (principal > 0n ? principal : 1n)],
      [target?.lockDay === 0 ? 12 : 2, () => 1n + random.belowBig(principal + 1n) / 2n],
      [2, () => 1n],
      [2, () => principal + 1n],
      [1, () => 0n],
    ])();
    // After a time without service, a redemption may be over on one side already.
    const mayMistake = !this.#ample || target?.lockDay === 0;
    const gone = this.#ample && target?.principal === 0n;
    return {
      type: 'redeemPlan',
      uid: random.oneIn(25) && mayMistake ? this.#uid() : (target?.uid ?? 1),
      applyId: gone || random.oneIn(40) ? UNKNOWN : (target?.applyId ?? UNKNOWN),
      amount: amount(money),
    };
  }

  /** On its way is nothing but what was taken back. */
  #awaitsNothing(one: ModelSubscription): boolean {
    const { earn } = this.#venue;
    return earn.awaitsCredit(one) && earn.redeemingOf(one) === 0n;
  }

  /** Its last day is over, and nobody has seen to it. */
  #hasEnded({ principal, lockDay, startDay, autoRenew }: ModelSubscription): boolean {
    const end = (startDay + lockDay) * DAY;
    return lockDay > 0 && principal > 0n && end <= this.#time && !autoRenew;
  }

  #autoRenew(): UnsignedWrite {
    const random = this.#random;
    const ended = random.oneIn(6);
    const target = this.#subscription((one) =>
      ended ? this.#hasEnded(one) : one.lockDay > 0 || random.oneIn(8),
    );
    const held = target !== undefined && (target.principal > 0n || !this.#ample);
    const all = !this.#ample && random.oneIn(3);
    const named = held && !random.oneIn(30) ? target.applyId : UNKNOWN;
    return {
      type: 'setAutoRenew',
      uid: random.oneIn(20) && !this.#ample ? this.#uid() : (target?.uid ?? 1),
      applyId: all ? 0 : named,
      autoRenew: random.percent(70),
    };
  }

  #margin(): UnsignedWrite {
    const random = this.#random;
    const plan = this.#plan();
    const { minRate, maxRate } = newestOf(plan);
    const most = Math.min(minRate, maxRate);
    return {
      type: 'setMargin',
      uid: random.percent(75) ? random.between(1, 2) : this.#uid(),
      planId: random.oneIn(20) ? UNKNOWN : plan.planId,
      margin: random.weighted<() => number>([
        [10, () => random.below(most + 1)],
        [3, () => most],
        [1, () => most + 1],
      ])(),
    };
  }

  #member(): Command {
    const random = this.#random;
    const owes = this.#subscription((one) => one.autoRenew && owedTo(one).enterprise > 0n);
    const leaver = random.oneIn(2) && owes !== undefined && owes.uid > 2 ? owes.uid : null;
    const uid = leaver ?? (random.oneIn(20) ? UNKNOWN : random.between(3, USERS));
    const enterpriseId = random.oneIn(15) ? 77 : random.below(3);
    return { type: 'assignEnterprise', uid, enterpriseId, admin: false };
  }

  #credit(uid: number, assetId: number, money: Amount): Command {
    const reference = `transfer-${this.#references++}`;
    return { type: 'transferFunds', direction: 'credit', uid, assetId, amount: money, reference };
  }

  #transfer(): Command {
    const random = this.#random;
    const uid = this.#uid();
    const assetId = random.below(SCALES.length);
    const credit = this.#credit(uid, assetId, amount(coinsOf(assetId, random.between(1, 900))));
    if (credit.type !== 'transferFunds' || random.percent(80)) return credit;
    const taken = this.#venue.freeOf(uid, assetId) / 3n + 1n;
    // In ample times a debit must not meet an account that waits for a credit.
    return this.#ample ? credit : { ...credit, direction: 'debit', amount: amount(taken) };
  }

  /** A little more than the plan owes, a drop, or plenty; sometimes the same reference again. */
  #reserve(): Command {
    const random = this.#random;
    const again = this.#lastFunded;
    if (again?.type === 'fundReserve' && random.oneIn(8)) {
      return random.oneIn(2) ? again : { ...again, planId: 1 + (again.planId % 9) };
    }
    if (!this.#ample && random.oneIn(6)) return this.#fund(USURIOUS);
    const planId = random.oneIn(30) ? UNKNOWN : this.#plan().planId;
    return this.#fund(planId);
  }

  /** All that a plan or an enterprise has, a part of it, or more; sometimes repeated. */
  #withdrawal(): Command {
    const random = this.#random;
    const { earn } = this.#venue;
    if (this.#lastWithdrawn !== null && random.oneIn(8)) return this.#lastWithdrawn;
    const paid = earn.enterprises.filter(({ income }) => [...income.values()].some((n) => n > 0n));
    const enterprise = random.percent(60) ? random.pick([...paid, undefined]) : undefined;
    // One plan has to pay more than was subscribed, and so keeps what it has.
    const others = earn.plans.filter(({ planId }) => planId !== USURIOUS);
    const plan = enterprise === undefined ? random.pick(others) : undefined;
    const [assetId, balance] =
      enterprise === undefined
        ? [plan!.kind.assetId, plan!.reserve]
        : random.pick([...enterprise.income]);
    const money = random.pick([balance, balance / 50n + 1n, balance / 9n + 1n, 1n, 0n]);
    this.#lastWithdrawn = {
      type: 'withdrawIncome',
      account:
        enterprise === undefined ? AccountCode.interestReserve : AccountCode.enterpriseMargin,
      planId: random.oneIn(40) ? UNKNOWN : (plan?.planId ?? 0),
      enterpriseId: random.oneIn(40) ? 77 : (enterprise?.enterpriseId ?? 0),
      assetId: random.oneIn(40) ? 0 : assetId,
      amount: amount(money),
      reference: `income-${this.#references++}`,
    };
    return this.#lastWithdrawn;
  }

  #fund(planId: number): Command {
    const random = this.#random;
    const plan = this.#venue.earn.plan(planId);
    const assetId = plan?.kind.assetId ?? 0;
    const overdue = plan?.overdue ?? [];
    const owed = overdue.map(owedTo).reduce((sum, one) => sum + one.owner + one.enterprise, 0n);
    const money = random.weighted<() => bigint>([
      [4, () => owed],
      [3, () => owed / 2n],
      [3, () => 1n + random.belowBig(1_000n)],
      [5, () => coinsOf(assetId, random.between(1, 20))],
      [2, () => coinsOf(assetId, 5_000)],
    ])();
    const reserve = this.#ample ? 10n ** 60n : money;
    const reference = `reserve-${this.#references++}`;
    const command = { type: 'fundReserve', planId, amount: amount(reserve), reference } as const;
    this.#lastFunded = command;
    return command;
  }
}

/** Left alone until it has earned more than it began with. */
const isUsurious = ({ lockDay, rate, margin, paid, principal }: ModelSubscription): boolean =>
  lockDay >= 90 && rate + margin >= 1_000_000_000n && paid < principal;

/** Only interest is left, and the reserve could pay this one. */
const isCollectable = (one: ModelSubscription): boolean => {
  const { owner, enterprise } = owedTo(one);
  return one.principal === 0n && owner > 0n && one.plan.reserve >= owner + enterprise;
};

const SLICES: Choice<Command> = [[20, (): Command => ({ type: 'runTimers' })]];

/** For the shrinker: what every later command may rely on. */
export const isOpening = ({ time }: EarnStep): boolean => time === START;
