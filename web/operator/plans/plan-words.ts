// A plan in words: its type, its rate, its term, and what an offer or an edit comes to.
import type { Booster, NewPlan, Plan, PlanTerms, PlanType } from '../../api/operator.ts';
import { hours, TYPE_CHOICES } from '../../earn/words.ts';
import * as d from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';

const WHAT: Readonly<Record<PlanType, string>> = {
  '1': 'No term: savers take their principal out at any time.',
  '2': 'One term for everyone, at one rate.',
  '3': 'Savers choose the term within a range; the rate grows from the shortest to the longest.',
};

/** The kinds by the names that savers read, each with what it means for the operator. */
export const TYPES = TYPE_CHOICES.map((type) => ({ ...type, what: WHAT[type.value] }));

type Offer = Pick<Plan, 'planType' | 'apr' | 'minApr' | 'maxApr'>;

export function rateWords({ apr, minApr, maxApr }: Offer): string {
  if (apr !== null) return percent(apr);
  return `${percent(minApr ?? '0')} – ${percent(maxApr ?? '0')}`;
}

export function termWords({ lockDay, minLockDay, maxLockDay }: Plan): string {
  if (lockDay !== null) return daysWord(lockDay);
  return minLockDay === null ? 'none' : `${minLockDay} – ${daysWord(maxLockDay ?? '0')}`;
}

const daysWord = (days: string | number): string =>
  `${days} ${String(days) === '1' ? 'day' : 'days'}`;

export const boosterWords = ({ coin, ratio, apr }: Booster, of: string): string =>
  `+${percent(apr)} for who locks ${grouped(ratio)} ${coin} for each ${of}`;

/** What a year of interest on `principal` comes to, at simple annual interest. */
const yearOn = (principal: string, rate: string, coin: string): string =>
  `${grouped(d.multiply(principal, rate))} ${coin} a year on ${grouped(principal)} ${coin}`;

/** What an offer comes to, in sentences. */
export function offerSentences(body: NewPlan): string[] {
  const { planType, coin, planName } = body;
  const { apr = null, minApr = null, maxApr = null } = body;
  const compound = body.autoCompound ? ' and joins the principal' : ' to the spot balance';
  const most = body.poolCapacity;
  const topRate = apr ?? maxApr ?? '0';
  const cost = most === undefined || most === null ? null : yearOn(most, topRate, coin);
  return [
    `“${planName}” pays ${rateWords({ planType, apr, minApr, maxApr })} a year on ${coin}: at most ${yearOn('1000', topRate, coin)}.`,
    termSentence(body),
    `Interest is paid ${body.rewardFrequency === 1 ? 'every day' : `every ${body.rewardFrequency} days`}${compound}.`,
    `One saver may have from ${grouped(body.userAmountMin ?? '0')} to ${grouped(body.userAmountMax ?? '0')} ${coin} in it${body.requiresKyc ? ', after their identity was checked' : ''}.`,
    cost === null
      ? 'There is no bound on what all savers together may have, so none on what it can cost.'
      : `All together at most ${grouped(most!)} ${coin}; full, it costs up to ${cost}, without boosters.`,
    ...(body.booster ? [`Booster: ${boosterWords(body.booster, coin)}.`] : []),
    body.status === 'open'
      ? 'It is open at once. Its reserve is empty until you fund it; interest that falls due before is owed.'
      : 'It begins closed: fund its reserve, then open it.',
    'Type, coin, days, payout and compounding never change.',
  ];
}

function termSentence(body: NewPlan): string {
  const lockHours = body.redeemLockHours ?? 0;
  const credited = lockHours === 0 ? 'at once' : `after ${hours(lockHours)} of lock time`;
  if (body.planType === '1') return `Savers redeem at any time; the money is credited ${credited}.`;
  const term =
    body.lockDay === undefined
      ? `Terms of ${body.minLockDay} to ${daysWord(body.maxLockDay ?? 0)}`
      : `A term of ${daysWord(body.lockDay)}`;
  const early = body.supportEarlyRedemption
    ? `it may be ended early, without its interest; then the money is credited ${credited}`
    : 'it cannot be ended early';
  const renew = body.supportAutoRenew ? '; savers may let it renew' : '';
  // The lock time is that of redemptions; the end of a term is none (core/earn/term.ts).
  return `${term}; ${early}${renew}. At the end the money is credited at once.`;
}

/** Each term that changes, from what to what, and for whom. */
export function editSentences(body: PlanTerms, now: Plan): string[] {
  const { coin } = now;
  const amount = (value: string | null) => (value === null ? 'none' : `${grouped(value)} ${coin}`);
  const yes = (value: boolean) => (value ? 'yes' : 'no');
  const rate = (value: string | null) => (value === null ? '–' : percent(value));
  const told = (value: string) => (value === '' ? 'none' : value);
  const boosted = (value: Booster | null) => (value === null ? 'none' : boosterWords(value, coin));
  const line = <K extends keyof PlanTerms & keyof Plan>(
    field: K,
    name: string,
    write: (value: NonNullable<PlanTerms[K]> & Plan[K]) => string,
  ): string[] => {
    const next = body[field];
    if (next === undefined) return [];
    type Value = NonNullable<PlanTerms[K]> & Plan[K];
    return [`${name}: ${write(now[field] as Value)} → ${write(next as Value)}`];
  };
  const lines = [
    ...line('planName', 'Name', told),
    ...line('apr', 'Annual rate', rate),
    ...line('minApr', 'Rate of the shortest term', rate),
    ...line('maxApr', 'Rate of the longest term', rate),
    ...line('userAmountMin', 'Least of one saver', amount),
    ...line('userAmountMax', 'Most of one saver', amount),
    ...line('poolCapacity', 'Most of all savers', amount),
    ...(body.redeemLockHours === undefined
      ? []
      : [`Lock time: ${now.redeemLockHours} h → ${body.redeemLockHours} h`]),
    ...line('supportEarlyRedemption', 'Early redemption', yes),
    ...line('supportAutoRenew', 'Auto renew', yes),
    ...line('requiresKyc', 'Asks for a checked identity', yes),
    ...line('label', 'Label', told),
    ...line('booster', 'Booster', boosted),
  ];
  if (lines.length === 0) return ['Nothing changes yet.'];
  return [
    ...lines,
    now.planType === '1'
      ? 'For who subscribes now it holds at once, for who holds already from the next UTC day on.'
      : 'For who subscribes now it holds at once. Terms that are running keep what they began with; renewals take the new terms.',
  ];
}
