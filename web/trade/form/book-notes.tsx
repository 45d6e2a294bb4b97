// What the book would do to the order that is not seen in its figures: the one thing that matters most, in two lines at most.
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Level } from '../../api/market.ts';
import { add, compare, type Decimal, isPositive, isZero, subtract } from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { BOOK_DEPTH } from '../book/grouping.ts';
import { averageDecimals } from '../figures.ts';
import type { Pair } from '../pair.ts';
import type { Draft } from './draft.ts';
import { walkTotal } from './estimate.ts';
import styles from './order-form.module.css';
import { isTooDeep, type Reckoning, SLIP_WORTH_SAYING, termsOf } from './reckoning.ts';
import { priceOf } from './request.ts';

export interface BookNoteProps {
  readonly pair: Pair;
  readonly draft: Draft;
  /** What the order would take, best first. */
  readonly levels: readonly Level[];
  /** Of the asset that is paid with; null while it is not known. */
  readonly available: Decimal | null;
  readonly reckoning: Reckoning;
  readonly onChange: (change: Partial<Draft>) => void;
}

export function MarketNote(props: BookNoteProps) {
  const { pair, draft, levels, reckoning } = props;
  const { walked } = reckoning;
  if (levels.length === 0) {
    return <Warning>The book is empty on this side: a market order finds nobody.</Warning>;
  }
  if (isZero(walked.quantity)) {
    return (
      <Warning>
        This total does not buy {pair.lot} {pair.base} at the best price.
      </Warning>
    );
  }
  if (isTooDear(props)) return <TooDear {...props} />;
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
        {draft.side === '1' ? 'for sale' : 'wanted'}. The rest would be canceled.
      </Warning>
    );
  }
  return compare(walked.slip, SLIP_WORTH_SAYING) < 0 ? null : (
    <Warning>{slipWords(reckoning, pair)}</Warning>
  );
}

/** A limit that reaches into the other side trades at once, or as post-only is rejected. */
export function LimitNote({ pair, draft, reckoning, onChange }: BookNoteProps) {
  const { walked, best, concern } = reckoning;
  if (best === null || isZero(walked.quantity)) return null;
  if (draft.postOnly) {
    const waits = draft.side === '1' ? subtract(best, pair.tick) : add(best, pair.tick);
    return (
      <Warning>
        As post-only it would be rejected: it would trade at once.{' '}
        {isPositive(waits) ? (
          <Use
            value={waits}
            onUse={() => onChange({ price: waits })}
            decimals={pair.priceDecimals}
          />
        ) : null}
      </Warning>
    );
  }
  if (concern === 'limit') {
    return <Warning>{limitWords(reckoning, draft.side, priceOf(draft)!, pair)}</Warning>;
  }
  const average = grouped(walked.average!, averageDecimals(pair));
  const isFar = compare(walked.slip, SLIP_WORTH_SAYING) >= 0;
  return isFar ? (
    <Warning>
      Trades at once: ≈ {grouped(walked.quantity)} {pair.base}. {slipWords(reckoning, pair)}
    </Warning>
  ) : (
    <p className={styles.hint}>
      Trades at once: ≈ {grouped(walked.quantity)} {pair.base} at {average} {pair.quote} on average.
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
    side === '1' ? ['above the best ask', 'buy up to'] : ['below the best bid', 'sell down to'];
  return `The limit is ${percent(past)} ${where}: it may ${may} ${grouped(limit, pair.priceDecimals)} ${pair.quote}.`;
}

const isByQuantity = ({ side, basis }: Draft): boolean => side === '1' && basis === 'quantity';

/** A market buy by quantity costs what the book asks, which may be more than there is. */
const isTooDear = ({ draft, available, reckoning }: BookNoteProps): boolean =>
  isByQuantity(draft) && available !== null && compare(reckoning.walked.quote, available) > 0;

/** What the balance buys of it is offered. */
function TooDear({ pair, draft, levels, available, onChange }: BookNoteProps) {
  const { quantity } = walkTotal(levels, available!, pair.lot, termsOf(draft.side, pair, null));
  return (
    <Warning>
      You have {grouped(available!)} {pair.quote} available, which is not enough.{' '}
      {compare(quantity, pair.minQuantity) < 0 ? null : (
        <Use value={quantity} onUse={() => onChange({ amount: quantity })} />
      )}
    </Warning>
  );
}

interface UseProps {
  readonly value: Decimal;
  readonly decimals?: number;
  readonly onUse: () => void;
}

const Use = ({ value, decimals, onUse }: UseProps) => (
  <Anchor component="button" type="button" size="xs" onClick={onUse}>
    Use {grouped(value, decimals)}
  </Anchor>
);

export const Warning = ({ children }: { readonly children: ReactNode }) => (
  <p className={`${styles.hint} warn`}>{children}</p>
);
