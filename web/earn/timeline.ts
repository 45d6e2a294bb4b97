// The timeline of a new subscription, in words.
import type { ApplyPreview } from '../../src/sdk/index.ts';
import { DAY_MS, grouped, utcDay } from '../exact/format.ts';
import { type Compounds, days, waitSentence } from './words.ts';

export interface Moment {
  /** A phrase or a UTC day. */
  readonly when: string;
  readonly what: string;
}

export interface Choices {
  readonly autoRenew: boolean;
  readonly withBooster: boolean;
  readonly compounds: Compounds;
}

/** The moments in order. Days are UTC days. */
export function momentsOf(
  preview: ApplyPreview,
  { autoRenew, withBooster, compounds }: Choices,
): Moment[] {
  const { startDate: start, endDate, appliedAmount } = preview;
  const booster = withBooster ? preview.boosterInfo : null;
  const locks =
    booster === null ? '' : ` ${grouped(booster.boosterAmount)} ${booster.coin} is locked with it.`;
  const adds = appliedAmount === null ? '' : ' It joins your subscription.';
  return [
    {
      when: 'Now',
      what:
        `The amount moves from your spot balance into the plan.${locks}${adds} ` +
        'Today earns nothing.',
    },
    { when: utcDay(start), what: 'First interest day.' },
    ...payouts(preview, start, compounds),
    ...(endDate === null
      ? [whenever(preview)]
      : [theEnd(preview, endDate, autoRenew, booster !== null)]),
  ];
}

function payouts(
  { rewardFrequency: every, lockDay, appliedAmount }: ApplyPreview,
  start: number,
  compounds: Compounds,
): Moment[] {
  const comes = compounds === null ? 'credited' : compounds ? 'added to the amount' : 'paid';
  // A term that is shorter than the payout interval pays at its end.
  if (lockDay !== null && every >= lockDay) return [];
  if (appliedAmount !== null) {
    return [
      { when: every === 1 ? 'Every day' : `Every ${days(every)}`, what: `Interest is ${comes}.` },
    ];
  }
  const again = every === 1 ? 'then every day' : `then every ${days(every)}`;
  return [
    { when: utcDay(start + every * DAY_MS), what: `The first interest is ${comes}, ${again}.` },
  ];
}

function whenever({ coin, redeemLockHours }: ApplyPreview): Moment {
  const what = `You can redeem any amount of ${coin}. It does not earn on that day; earned interest stays.`;
  const wait = waitSentence(redeemLockHours);
  return { when: 'Any time', what: wait === '' ? what : `${what} ${wait}` };
}

function theEnd(
  { coin, lockDay }: ApplyPreview,
  endDate: number,
  autoRenew: boolean,
  boosted: boolean,
): Moment {
  const booster = boosted ? ' and the booster' : '';
  const what = autoRenew
    ? `The last interest is paid, and a new term of ${days(lockDay ?? 0)} starts at the rate of ` +
      'that day. You can turn this off until then.'
    : `The last interest is paid; ${coin}${booster} return to your spot balance.`;
  return { when: utcDay(endDate), what };
}
