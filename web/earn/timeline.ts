// What happens when, in words: the moments of a subscription that is made now.
import type { ApplyPreview } from '../../src/sdk/index.ts';
import { DAY_MS, grouped, utcDay } from '../exact/format.ts';
import { type Compounds, days, waitSentence } from './words.ts';

export interface Moment {
  /** When, in words or as a UTC day. */
  readonly when: string;
  readonly what: string;
}

export interface Choices {
  readonly autoRenew: boolean;
  readonly withBooster: boolean;
  readonly compounds: Compounds;
}

/** The moments in their order. Days are UTC days and begin at 00:00 UTC. */
export function momentsOf(
  preview: ApplyPreview,
  { autoRenew, withBooster, compounds }: Choices,
): Moment[] {
  const { startDate: start, endDate, appliedAmount } = preview;
  const booster = withBooster ? preview.boosterInfo : null;
  const locks =
    booster === null
      ? ''
      : ` ${grouped(booster.boosterAmount)} ${booster.coin} are locked with it.`;
  const adds = appliedAmount === null ? '' : ' It joins what you have in this plan.';
  return [
    {
      when: 'Now',
      what: `The amount moves from your spot balance into the plan.${locks}${adds} Today earns nothing.`,
    },
    { when: utcDay(start), what: 'The first day that earns.' },
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
  // A term that is shorter than the rhythm is paid with its end; what is added is paid when the rest is.
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
  const what = `You redeem as much ${coin} as you like. What is redeemed does not earn on that day; nothing earned is lost.`;
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
    ? `The last interest is paid, and a new term of ${days(lockDay ?? 0)} begins at the rate of that day. You can switch this off until then.`
    : `The last interest is paid; ${coin}${booster} return to your spot balance.`;
  return { when: utcDay(endDate), what };
}
