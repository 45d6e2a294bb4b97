// The plans of the random earn life: every kind, with bounds, capacities and rates from nothing to
// more than the principal a day; and plans that must be rejected.
import type { AmendPlan, CreatePlan } from '../../src/core/command.ts';
import type { BoosterTerms, PlanKind, PlanTerms } from '../../src/core/earn/plan.ts';
import { amount } from '../../src/core/units.ts';
import type { Prng } from '../support/prng.ts';
import type { VenueState } from './state.ts';

/** Decimals of the coins, by assetId: none, the usual, and the most. */
export const SCALES: readonly number[] = [8, 18, 0, 8, 18];
const MOST_PLANS = 16;
const UNBOUNDED = { userAmountMax: amount(10n ** 40n), poolCapacity: null };
/** Coins that boost, among them one that plans are in. */
const BOOSTERS = [3, 4, 0];
/** Annual rates: none, the smallest, ordinary and odd ones, and the most that there may be. */
const RATES: readonly (readonly [number, number])[] = [
  [2, 0],
  [3, 1],
  [20, 5_000_000],
  [20, 12_345_678],
  [10, 99_999_999],
  [12, 1_000_000_000],
];

/** A sum of a coin that an ordinary customer has. */
export const coinsOf = (assetId: number, thousandths: number): bigint =>
  (10n ** BigInt(SCALES[assetId] + 3) * BigInt(thousandths)) / 1_000n;

export class Plans {
  readonly #random: Prng;
  readonly #venue: VenueState;
  /** Nothing that depends on who comes first: no capacities, no bounds above. */
  readonly #ample: boolean;

  constructor(random: Prng, venue: VenueState, ample: boolean) {
    this.#random = random;
    this.#venue = venue;
    this.#ample = ample;
  }

  /** Some more plans than those of the opening, and attempts. */
  create(): CreatePlan {
    const kind = this.#kind();
    const command: CreatePlan = { type: 'createPlan', ...kind, ...this.#terms(kind) };
    const enough = this.#venue.earn.plans.length >= MOST_PLANS;
    return enough || this.#random.oneIn(4) ? spoil(this.#random, command) : command;
  }

  /** Three months at the highest rate: a term can earn more than it began with. */
  usurious(): CreatePlan {
    const plan = this.opening(2, 2);
    const days = { minLockDay: 90, maxLockDay: 90, rewardFrequency: 1 };
    const rates = { minRate: 1_000_000_000, maxRate: 1_000_000_000 };
    const terms = {
      supportEarlyRedemption: true,
      supportAutoRenew: true,
      redeemLockHours: 72,
    };
    return { ...plan, ...days, ...rates, ...terms };
  }

  /** A plan of a kind, for the opening. */
  opening(planType: 1 | 2 | 3, assetId: number): CreatePlan {
    const kind = { ...this.#kindOf(planType), assetId, autoCompound: planType === 1 };
    const terms = this.#terms(kind);
    const userAmountMin = terms.userAmountMin > 0 ? terms.userAmountMin : amount(1);
    const forAll = { userAmountMin, ...UNBOUNDED, open: true, requiresKyc: false };
    return { type: 'createPlan', ...kind, ...terms, ...forAll };
  }

  amend(): AmendPlan {
    const random = this.#random;
    const { plans } = this.#venue.earn;
    const plan = random.pick(plans);
    const { version: _, fromDay: __, ...now } = { version: 0, ...plan.versions.at(-1)! };
    const fresh = this.#terms(plan.kind);
    // Bounds that those who are in the plan reach with their next interest.
    const pool = this.#venue.earn.principalIn(plan, null);
    const someone = this.#venue.earn.subscriptions.find((one) => one.plan === plan);
    const total = someone === undefined ? 1n : this.#venue.earn.principalIn(plan, someone.uid);
    const tight = random.pick([
      { poolCapacity: amount(pool + random.belowBig(pool / 500n + 2n)) },
      { poolCapacity: amount(pool / 2n) },
      { userAmountMin: amount(1), userAmountMax: amount(total + 1n + total / 1_000n) },
    ]);
    const changed: Partial<PlanTerms> = random.weighted<() => Partial<PlanTerms>>([
      [6, () => ({ minRate: fresh.minRate, maxRate: fresh.maxRate })],
      [4, () => ({ open: !now.open })],
      [3, () => ({ poolCapacity: fresh.poolCapacity })],
      [2, () => ({ userAmountMin: fresh.userAmountMin, userAmountMax: fresh.userAmountMax })],
      [2, () => ({ redeemLockHours: fresh.redeemLockHours })],
      [2, () => ({ booster: fresh.booster })],
      [
        now.booster === null ? 0 : 2,
        () => ({ booster: { ...now.booster!, ratio: now.booster!.ratio * 2 } }),
      ],
      [this.#ample ? 0 : 3, () => tight],
      [4, () => UNBOUNDED],
      [2, () => ({ supportAutoRenew: !now.supportAutoRenew })],
      [2, () => ({ supportEarlyRedemption: !now.supportEarlyRedemption })],
      [1, () => ({ requiresKyc: !now.requiresKyc })],
      [1, () => ({ minRate: -1 })],
      [1, () => ({ userAmountMax: amount(0), userAmountMin: amount(1) })],
      [4, () => fresh],
    ])();
    const planId = random.oneIn(40) ? 777 : plan.planId;
    // A closed plan tests little for long.
    const open = now.open ? {} : { open: true };
    return { type: 'amendPlan', planId, ...now, ...open, ...changed };
  }

  #kind(): PlanKind {
    return this.#kindOf(this.#random.pick([1, 2, 2, 3] as const));
  }

  #kindOf(planType: 1 | 2 | 3): PlanKind {
    const random = this.#random;
    const shortest = random.pick([1, 2, 3, 7, 14, 30]);
    const minLockDay = planType === 1 ? 0 : shortest;
    const longer = random.pick([1, 5, 30, 90]);
    return {
      planType,
      assetId: random.below(3),
      minLockDay,
      maxLockDay: planType === 3 ? minLockDay + longer : minLockDay,
      rewardFrequency: random.pick([1, 1, 2, 3, 7, 30]),
      autoCompound: planType === 1 && random.percent(60),
    };
  }

  #terms({ planType, assetId }: PlanKind): PlanTerms {
    const random = this.#random;
    // Where reserves are ample for ever, nothing grows tenfold every quarter.
    const rates = this.#ample ? RATES.slice(0, 5) : RATES;
    const minRate = random.weighted(rates);
    const most = random.weighted([
      [6, 10n ** 30n],
      [3, coinsOf(assetId, random.between(1, 3_000))],
      [1, 10n],
    ]);
    const fewest = random.weighted([
      [1, 0n],
      [5, 1n],
      [this.#ample ? 0 : 2, coinsOf(assetId, 2)],
    ]);
    const capacity = random.weighted([
      [5, null],
      [5, coinsOf(assetId, random.between(1, 9_000))],
    ]);
    const userAmountMax = this.#ample ? 10n ** 40n : most;
    return {
      planName: `plan ${random.below(1_000)}`,
      minRate,
      maxRate: planType === 3 ? random.weighted(rates) : minRate,
      userAmountMin: amount(fewest < userAmountMax ? fewest : 1n),
      userAmountMax: amount(userAmountMax),
      poolCapacity: this.#ample || capacity === null ? null : amount(capacity),
      redeemLockHours: random.pick([0, 0, 1, 24, 72, random.below(72)]),
      supportEarlyRedemption: random.percent(75),
      supportAutoRenew: planType !== 1 && random.percent(75),
      requiresKyc: random.oneIn(5),
      label: random.pick(['', 'new', '最高']),
      booster: planType !== 1 && random.percent(50) ? this.#booster() : null,
      open: !random.oneIn(15),
    };
  }

  #booster(): BoosterTerms {
    const random = this.#random;
    return {
      assetId: random.pick(BOOSTERS),
      ratio: random.pick([1, 1_000_000, 33_333_333, 100_000_000, 250_000_001]),
      rate: random.pick([1, 2_000_000, 7_654_321, 500_000_000]),
    };
  }
}

/** One thing about the plan is not as it may be. */
function spoil(random: Prng, plan: CreatePlan): CreatePlan {
  const wrong: Partial<CreatePlan>[] = [
    { assetId: 99 },
    { minRate: -1, maxRate: -1 },
    { planType: 2, minLockDay: 3, maxLockDay: 4, autoCompound: false, maxRate: plan.minRate },
    { planType: 2, minLockDay: 0, maxLockDay: 0, autoCompound: false, maxRate: plan.minRate },
    { planType: 1, minLockDay: 7, maxLockDay: 7, booster: null, maxRate: plan.minRate },
    { planType: 3, minLockDay: 9, maxLockDay: 8, autoCompound: false },
    { planType: 2, autoCompound: true, minLockDay: 3, maxLockDay: 3, maxRate: plan.minRate },
    { rewardFrequency: 0 },
    { rewardFrequency: 36_501 },
    { minRate: 1_000_000_001, maxRate: 1_000_000_001 },
    { redeemLockHours: 8_761 },
    { planName: '' },
    { planType: 2, minLockDay: 5, maxLockDay: 5, booster: { assetId: 99, ratio: 1, rate: 1 } },
    { planType: 2, minLockDay: 5, maxLockDay: 5, booster: { assetId: 3, ratio: 0, rate: 1 } },
    { planType: 2, minLockDay: 5, maxLockDay: 5, booster: { assetId: 3, ratio: 1, rate: 0 } },
    { planType: 1, minLockDay: 0, maxLockDay: 0, booster: null, supportAutoRenew: true },
    { redeemLockHours: -1 },
    { userAmountMin: amount(10), userAmountMax: amount(9) },
    { poolCapacity: amount(-1) },
    {
      planType: 1,
      minLockDay: 0,
      maxLockDay: 0,
      maxRate: plan.minRate,
      booster: { assetId: 3, ratio: 1, rate: 1 },
    },
    {
      planType: 2,
      minLockDay: 5,
      maxLockDay: 5,
      autoCompound: false,
      minRate: 1_000,
      maxRate: 1_001,
    },
  ];
  return { ...plan, ...random.pick(wrong) };
}
