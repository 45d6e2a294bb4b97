// The timeline of a new subscription, in words.
import type { ApplyPreview } from '../../src/sdk/index.ts';
import { DAY_MS, utcDay } from '../exact/format.ts';
import { earnText } from '../messages/earn.ts';
import { amountIn, type Compounds, waitSentence } from './words.ts';

const t = earnText.timeline;

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
  const { startDate, endDate, appliedAmount, coin, lockDay, redeemLockHours } = preview;
  const booster = withBooster ? preview.boosterInfo : null;
  const locked = booster === null ? null : amountIn(booster.coin, booster.boosterAmount);
  const anyTime = `${t.redeem(coin)} ${waitSentence(redeemLockHours)}`.trim();
  const end = autoRenew ? t.renews(lockDay ?? 0) : t.returns(booster !== null);
  return [
    { when: t.now, what: t.starts(locked, appliedAmount !== null) },
    { when: utcDay(startDate), what: t.firstDay },
    ...payouts(preview, compounds),
    endDate === null ? { when: t.anyTime, what: anyTime } : { when: utcDay(endDate), what: end },
  ];
}

function payouts(
  { startDate, rewardFrequency: every, lockDay, appliedAmount }: ApplyPreview,
  compounds: Compounds,
): Moment[] {
  const how = compounds === null ? t.credited : compounds ? t.added : t.paid;
  // A term that is shorter than the payout interval pays at its end.
  if (lockDay !== null && every >= lockDay) return [];
  if (appliedAmount !== null) return [{ when: t.every(every), what: t.payout(how) }];
  return [{ when: utcDay(startDate + every * DAY_MS), what: t.firstPayout(how, every) }];
}
