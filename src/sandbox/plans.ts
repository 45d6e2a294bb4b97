// The earn plans of a sandbox: one of every kind, with reserves that last for years.
import type { CreatePlan } from '../core/command.ts';
import { initialTerms, type PlanKind, type PlanTerms, PlanType } from '../core/earn/plan.ts';
import { type Amount, multiply, powerOfTen } from '../core/units.ts';

export interface SandboxPlan {
  readonly command: CreatePlan;
  readonly reserve: Amount;
}

/** A row of the table below. Fields that it leaves out have the defaults of `createPlan`. */
interface Offer extends Partial<Omit<PlanKind, 'assetId'>>, Partial<PlanTerms> {
  readonly planName: string;
  readonly planType: PlanType;
  readonly coin: string;
  /** Annual rates in basis points: one, or those of the shortest and the longest term. */
  readonly rates: readonly [number] | readonly [number, number];
  /** The term in days, or the shortest and the longest term. */
  readonly days?: readonly [number] | readonly [number, number];
  /** The maximum of a user, and the reserve, in whole coins. */
  readonly maximum: number;
  readonly reserve: number;
  /** `ratio` in 10^-8, `rate` in basis points. */
  readonly boosterOf?: { readonly coin: string; readonly ratio: number; readonly rate: number };
}

/** 0.01 % in 10^-8. */
const BASIS_POINT = 10_000;
/** The minimum of every plan is a thousandth of a coin, so anybody can try it. */
const MINIMUM_DECIMALS = 3;

const { flexible, fixed, customized } = PlanType;

const OFFERS: readonly Offer[] = [
  {
    planName: 'USDT Flexible',
    planType: flexible,
    coin: 'USDT',
    rates: [400],
    autoCompound: true,
    maximum: 1_000_000,
    reserve: 1_000_000,
    label: 'Popular',
  },
  {
    planName: 'BTC Flexible',
    planType: flexible,
    coin: 'BTC',
    rates: [150],
    redeemLockHours: 24,
    maximum: 100,
    reserve: 100,
  },
  {
    planName: 'USDT 30 Days',
    planType: fixed,
    coin: 'USDT',
    rates: [800],
    days: [30],
    supportAutoRenew: true,
    maximum: 500_000,
    reserve: 1_000_000,
  },
  {
    planName: 'USDT 90 Days',
    planType: fixed,
    coin: 'USDT',
    rates: [1_000],
    days: [90],
    rewardFrequency: 7,
    redeemLockHours: 24,
    supportEarlyRedemption: true,
    boosterOf: { coin: 'MMX', ratio: 10_000_000, rate: 200 },
    maximum: 500_000,
    reserve: 1_000_000,
    label: 'Booster',
  },
  {
    planName: 'USDT Flexible Term',
    planType: customized,
    coin: 'USDT',
    rates: [300, 900],
    days: [7, 365],
    supportEarlyRedemption: true,
    supportAutoRenew: true,
    maximum: 500_000,
    reserve: 1_000_000,
  },
  {
    planName: 'USDC Verified',
    planType: flexible,
    coin: 'USDC',
    rates: [500],
    requiresKyc: true,
    maximum: 1_000_000,
    reserve: 1_000_000,
    label: 'KYC',
  },
];

/** `assetIdOf` finds the coins, which all have `scale` decimals. */
export const sandboxPlans = (scale: number, assetIdOf: (coin: string) => number): SandboxPlan[] =>
  OFFERS.map((offer) => ({
    command: createPlan(offer, scale, assetIdOf),
    reserve: multiply(offer.reserve, powerOfTen(scale)),
  }));

function createPlan(offer: Offer, scale: number, assetIdOf: (coin: string) => number): CreatePlan {
  const { coin, rates, days = [0], maximum, boosterOf, reserve: _, ...own } = offer;
  return {
    type: 'createPlan',
    rewardFrequency: 1,
    autoCompound: false,
    ...initialTerms(offer.planType),
    ...own,
    assetId: assetIdOf(coin),
    minLockDay: days[0],
    maxLockDay: days.at(-1)!,
    minRate: rates[0] * BASIS_POINT,
    maxRate: rates.at(-1)! * BASIS_POINT,
    userAmountMin: powerOfTen(scale - MINIMUM_DECIMALS),
    userAmountMax: multiply(maximum, powerOfTen(scale)),
    booster:
      boosterOf === undefined
        ? null
        : {
            assetId: assetIdOf(boosterOf.coin),
            ratio: boosterOf.ratio,
            rate: boosterOf.rate * BASIS_POINT,
          },
  };
}
