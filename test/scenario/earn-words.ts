// The words of the examples in docs/earn.md: amounts and rates, times counted from the day of the
// first step, the terms of a plan, and commands as sentences (`subscribes 1000 for 45 days`,
// `redeems 500 of subscription 2`).
import { DAY_MS } from '../../src/core/calendar.ts';
import type { Command, CreatePlan, SubscribePlan } from '../../src/core/command.ts';
import { type PlanTerms, PlanType } from '../../src/core/earn/plan.ts';
import { type Amount, amount, RATE_ONE } from '../../src/core/units.ts';
import { parseDecimal, parseRate, SCALE, showDecimal } from './scenario-words.ts';

/** 00:00 UTC of day 0 of every example. */
export const DAY_ZERO = Date.UTC(2026, 5, 1) / DAY_MS;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The coin of every plan of the examples. */
export const COIN = 'USDT';

export const toUnits = (decimal: string, scale = SCALE): Amount =>
  amount(parseDecimal(decimal, scale));
export const showUnits = (units: Amount, scale = SCALE): string =>
  showDecimal(BigInt(units), scale);

/** A rate in 10^-8 as a percentage. */
export const showRate = (rate: number): string => `${showDecimal(BigInt(rate), 6)} %`;

/** `day 3, 10:00` as business time. */
export function parseWhen(text: string): number {
  const match = /^day (\d+), (\d\d):(\d\d)$/.exec(text);
  if (match === null) throw new Error(`not a time: ${text}`);
  const [day, hours, minutes] = match.slice(1).map(Number) as [number, number, number];
  return (DAY_ZERO + day) * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS;
}

export function showWhen(time: number): string {
  const day = Math.floor(time / DAY_MS);
  const [hours, minutes] = [(time % DAY_MS) / HOUR_MS, (time % HOUR_MS) / MINUTE_MS];
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  return `day ${day - DAY_ZERO}, ${two(hours)}:${two(minutes)}`;
}

/** The terms of a plan that an example does not name. */
const USUAL: CreatePlan = {
  type: 'createPlan',
  planType: PlanType.flexible,
  assetId: 0,
  minLockDay: 0,
  maxLockDay: 0,
  rewardFrequency: 1,
  autoCompound: false,
  planName: 'Example',
  minRate: 0,
  maxRate: 0,
  userAmountMin: amount(1),
  userAmountMax: toUnits('1000000000'),
  poolCapacity: null,
  redeemLockHours: 0,
  supportEarlyRedemption: false,
  supportAutoRenew: false,
  requiresKyc: false,
  label: '',
  booster: null,
  open: true,
};

const { flexible, fixed, customized } = PlanType;
type Terms = { -readonly [K in keyof CreatePlan]?: CreatePlan[K] };

/** The phrase of each term, and its value. `assetId` finds a booster's coin by its name. */
const TERMS: readonly (readonly [
  RegExp,
  (words: readonly string[], assetId: (coin: string) => number) => Terms,
])[] = [
  [/^flexible$/, () => ({ planType: flexible, supportEarlyRedemption: true })],
  [
    /^fixed (\d+) days$/,
    ([days]) => ({ planType: fixed, minLockDay: Number(days), maxLockDay: Number(days) }),
  ],
  [
    /^customized (\d+) to (\d+) days$/,
    ([min, max]) => ({ planType: customized, minLockDay: Number(min), maxLockDay: Number(max) }),
  ],
  [/^(\S+) %$/, ([rate]) => ({ minRate: parseRate(rate!), maxRate: parseRate(rate!) })],
  [
    /^(\S+) % to (\S+) %$/,
    ([min, max]) => ({ minRate: parseRate(min!), maxRate: parseRate(max!) }),
  ],
  [/^paid every (\d+) days$/, ([days]) => ({ rewardFrequency: Number(days) })],
  [/^compounding$/, () => ({ autoCompound: true })],
  [/^lock time (\d+) h$/, ([hours]) => ({ redeemLockHours: Number(hours) })],
  [/^early redemption$/, () => ({ supportEarlyRedemption: true })],
  [/^auto renew$/, () => ({ supportAutoRenew: true })],
  [/^at most (\S+) each$/, ([most]) => ({ userAmountMax: toUnits(most!) })],
  [/^capacity (\S+)$/, ([most]) => ({ poolCapacity: toUnits(most!) })],
  [/^closed$/, () => ({ open: false })],
  [
    /^booster (\S+) (\w+) for each (\w+), (\S+) %$/,
    ([ratio, coin, , rate], assetId) => ({
      booster: {
        assetId: assetId(coin!),
        ratio: Number(parseDecimal(ratio!, String(RATE_ONE).length - 1)),
        rate: parseRate(rate!),
      },
    }),
  ],
];

/** The terms that `fixed 30 days; 5 %; paid every 7 days` names. */
export function parseTerms(text: string, assetId: (coin: string) => number): Terms {
  const terms: Terms = {};
  for (const item of text.split('; ')) {
    const known = TERMS.find(([pattern]) => pattern.test(item));
    if (known === undefined) throw new Error(`no such term: ${item}`);
    const [pattern, read] = known;
    Object.assign(terms, read(pattern.exec(item)!.slice(1), assetId));
  }
  return terms;
}

export const newPlan = (terms: Terms): CreatePlan => ({ ...USUAL, ...terms });

/** The next version of the terms: the current ones with the named changes. */
export function amendedPlan(planId: number, now: PlanTerms, terms: Partial<PlanTerms>): Command {
  return { type: 'amendPlan', planId, ...now, ...terms };
}

/** `1000 for 45 days with 5 MMX renewing in plan 2 adding to subscription 1` */
export function parseApply(
  text: string,
  scaleOf: (coin: string) => number,
): Omit<SubscribePlan, 'type' | 'uid' | 'signature' | 'idempotency'> {
  const terms = /^(\S+)(?: for (\d+) days)?(?: with (\S+) (\w+))?( renewing)?/;
  const target = /(?: in plan (\d+))?(?: adding to subscription (\d+))?$/;
  const match = new RegExp(terms.source + target.source).exec(text);
  if (match === null) throw new Error(`nobody subscribes: ${text}`);
  const [, money, lockDay, locked, coin, renewing, planId, applyId] = match;
  return {
    planId: Number(planId ?? 1),
    amount: toUnits(money!),
    lockDay: Number(lockDay ?? 0),
    autoRenew: renewing !== undefined,
    boosterAmount: locked === undefined ? null : toUnits(locked, scaleOf(coin!)),
    applyId: Number(applyId ?? 0),
  };
}

/** `500`, `500 of subscription 2` */
export function parseRedeem(text: string): { readonly applyId: number; readonly amount: Amount } {
  const match = /^(\S+)(?: of subscription (\d+))?$/.exec(text);
  if (match === null) throw new Error(`nobody redeems: ${text}`);
  return { applyId: Number(match[2] ?? 1), amount: toUnits(match[1]!) };
}
