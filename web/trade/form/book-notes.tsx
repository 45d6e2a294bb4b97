// What the book would do to the order that is not seen in its figures: the one thing that matters most, in two lines at most.

import type { ReactNode } from 'react';
import { Side } from '../../../src/sdk/codes.ts';
import type { Level } from '../../../src/sdk/index.ts';
import { compare, type Decimal, isPositive, isZero } from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { BOOK_DEPTH } from '../book/grouping.ts';
import { averageDecimals } from '../figures.ts';
import type { Pair } from '../pair.ts';
import type { Draft } from './draft.ts';
import styles from './order-form.module.css';
import { isTooDeep, type Reckoning, SLIP_WORTH_SAYING } from './reckoning.ts';
import { priceOf } from './request.ts';

export interface BookNoteProps {
  readonly pair: Pair;
  readonly draft: Draft;
  /** What the order would take, best first. */
  readonly levels: readonly Level[];
  readonly reckoning: Reckoning;
}

export function MarketNote({ pair, draft, levels, reckoning }: BookNoteProps) {
  const { walked } = reckoning;
  if (isTooDeep(walked, levels)) {
    return (
      <Warning>
        Deeper than the {BOOK_DEPTH} best prices, which hold {grouped(walked.quantity)} {pair.base}.
        What lies behind is not counted.
      </Warning>
    );
  }
  if (walked.exhausted && isPositive(walked.rest)) {
    return (
      <Warning>
        The book is too thin: only {grouped(walked.quantity)} {pair.base} are{' '}
        {draft.side === Side.buy ? 'for sale' : 'wanted'}. The rest would be canceled.
      </Warning>
    );
  }
  return compare(walked.slip, SLIP_WORTH_SAYING) < 0 ? null : (
    <Warning>{slipWords(reckoning, pair)}</Warning>
  );
}

/** A limit that reaches into the other side trades immediately. */
export function LimitNote({ pair, draft, reckoning }: BookNoteProps) {
  const { walked, best, concern } = reckoning;
  if (best === null || isZero(walked.quantity)) return null;
  if (concern === 'limit') {
    return <Warning>{limitWords(reckoning, draft.side, priceOf(draft)!, pair)}</Warning>;
  }
  const average = grouped(walked.average!, averageDecimals(pair));
  const isFar = compare(walked.slip, SLIP_WORTH_SAYING) >= 0;
  return isFar ? (
    <Warning>
      Trades immediately: ≈ {grouped(walked.quantity)} {pair.base}. {slipWords(reckoning, pair)}
    </Warning>
  ) : (
    <p className={styles.hint}>
      Trades immediately: ≈ {grouped(walked.quantity)} {pair.base} at {average} {pair.quote} on
      average.
    </p>
  );
}

/** This moves the price by 8.23%, to 55,000.00 USDT. */
export const slipWords = ({ walked }: Reckoning, pair: Pair): string =>
  `This moves the price by ${percent(walked.slip)}, to ${grouped(walked.worst!, pair.priceDecimals)} ${pair.quote}.`;

/** The limit is 90.02% below the best bid: it may sell down to 6,000.00 USDT. */
export function limitWords(
  { past }: Reckoning,
  side: Draft['side'],
  limit: Decimal,
  pair: Pair,
): string {
  const [where, may] =
    side === Side.buy
      ? ['above the best ask', 'buy up to']
      : ['below the best bid', 'sell down to'];
  return `The limit is ${percent(past)} ${where}: it may ${may} ${grouped(limit, pair.priceDecimals)} ${pair.quote}.`;
}

export const Warning = ({ children }: { readonly children: ReactNode }) => (
  <p className={`${styles.hint} warn`}>{children}</p>
);
