// The preview of a subscription's interest.
import type { ApplyPreview } from '../../src/sdk/index.ts';
import { isZero } from '../exact/decimal.ts';
import { grouped, percent, utcDay } from '../exact/format.ts';
import type { Form } from './application.ts';
import styles from './calculator.module.css';
import { type Fact, Facts } from './facts.tsx';
import { type Compounds, days, interestFact, rhythmWord } from './words.ts';

export interface EstimateProps {
  readonly preview: ApplyPreview;
  readonly form: Form;
  readonly compounds: Compounds;
  /** Whether the server would accept the request; otherwise no interest is shown. */
  readonly isPossible: boolean;
}

export function Estimate({ preview, form: { withBooster }, compounds, isPossible }: EstimateProps) {
  const { coin, amount } = preview;
  const boosted = withBooster && preview.boosterInfo !== null;
  const interest = boosted ? preview.totalInterestAmount : preview.interestAmount;
  return (
    <section className={styles.estimate} aria-live="polite" aria-label="Estimated interest">
      {isZero(amount) || !isPossible ? null : (
        <>
          <div className={`figures ${styles.interest}`}>
            +{grouped(interest)} {coin}
          </div>
          <div className={styles.caption}>{captionOf(preview)}</div>
        </>
      )}
      <Facts facts={factsOf(preview, boosted, compounds)} />
    </section>
  );
}

function captionOf({ lockDay, rewardFrequency, amount, coin }: ApplyPreview): string {
  const from = `on ${grouped(amount)} ${coin}`;
  return lockDay === null
    ? `${from} in ${days(rewardFrequency)}, at today’s rate`
    : `${from} in the whole term of ${days(lockDay)}`;
}

export function factsOf(
  preview: ApplyPreview,
  boosted: boolean,
  compounds: Compounds,
): readonly Fact[] {
  const { apy, totalApy, boosterInfo, lockDay, rewardFrequency, startDate, endDate } = preview;
  const rate =
    boosted && boosterInfo !== null
      ? `${percent(totalApy)} (${percent(apy)} + ${percent(boosterInfo.apy)})`
      : percent(apy);
  const booster =
    boosted && boosterInfo !== null
      ? [
          {
            name: 'Booster locked',
            value: `${grouped(boosterInfo.boosterAmount)} ${boosterInfo.coin}`,
          },
        ]
      : [];
  return [
    { name: 'APR', value: rate },
    ...(lockDay === null ? [] : [{ name: 'Term', value: days(lockDay) }]),
    interestFact(rhythmWord(rewardFrequency, lockDay), compounds),
    ...booster,
    { name: 'First interest day', value: `${utcDay(startDate)}, 00:00 UTC` },
    ...(endDate === null ? [] : [{ name: 'Ends', value: `${utcDay(endDate)}, 00:00 UTC` }]),
  ];
}
