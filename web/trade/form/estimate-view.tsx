// The estimate of an order from the current book and the account's fees. It always has the same
// lines and room for one note, so that the button below does not move while the market does.
import type { ReactNode } from 'react';
import { Side } from '../../../src/sdk/generated/codes.ts';
import type { Level } from '../../../src/sdk/index.ts';
import { compare, type Decimal, decimalsOf, isPositive, isZero } from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { trade as t } from '../../messages/trade.ts';
import { BOOK_DEPTH } from '../book/rows.ts';
import { about, averageDecimals, feeText } from '../figures.ts';
import type { Pair } from '../pair.ts';
import type { Draft } from './draft.ts';
import {
  type Estimate,
  isBeyondBook,
  type Market,
  NOTABLE_SLIPPAGE,
  type Rates,
} from './estimate.ts';
import { FaultNote } from './notes.tsx';
import styles from './order-form.module.css';
import { type FormFault, priceOf, totalOf } from './validation.ts';

export interface EstimateViewProps {
  readonly pair: Pair;
  readonly draft: Draft;
  readonly market: Market;
  /** null while the order is incomplete. */
  readonly estimate: Estimate | null;
  /** The fault of the order; replaces the note about the book. */
  readonly fault: FormFault | null;
  /** The id of the fault's note. */
  readonly noteId: string;
  readonly onChange: (change: Partial<Draft>) => void;
}

export function EstimateView(props: EstimateViewProps) {
  const { pair, draft, market, estimate, fault, noteId, onChange } = props;
  const { levels, rates } = market;
  const Note = draft.kind === 'market' ? MarketNote : LimitNote;
  const lines = { pair, draft, rates, estimate };
  return (
    <div className={styles.estimate}>
      {draft.kind === 'market' ? <MarketLines {...lines} /> : <LimitLines {...lines} />}
      <div className={styles.note}>
        {fault !== null ? (
          <FaultNote id={noteId} pair={pair} fault={fault} onChange={onChange} />
        ) : estimate === null || levels === undefined ? null : (
          <Note pair={pair} draft={draft} levels={levels} estimate={estimate} />
        )}
      </div>
    </div>
  );
}

interface LinesProps {
  readonly pair: Pair;
  readonly draft: Draft;
  readonly rates: Rates | null;
  readonly estimate: Estimate | null;
}

function MarketLines({ pair, draft, rates, estimate }: LinesProps) {
  const buys = draft.side === Side.buy;
  const [pays, gets] = buys ? [pair.quote, pair.base] : [pair.base, pair.quote];
  const taken = estimate === null || isZero(estimate.taken.quantity) ? null : estimate.taken;
  const text = (value: Decimal | undefined, asset: string): string =>
    value === undefined ? '–' : `≈ ${about(value, asset, pair)}`;
  const fee =
    taken === null || rates === null || isZero(taken.fee)
      ? ''
      : ` ≈ ${feeText(taken.fee, gets, pair)} ${gets}`;
  const average = taken?.average ?? null;
  return (
    <Lines
      lines={[
        [
          t.estimate.averagePrice,
          average === null ? '–' : `≈ ${grouped(average, averageDecimals(pair))}`,
          pair.quote,
        ],
        buys
          ? [t.estimate.youPay, text(taken?.quote, pays), pays]
          : [t.estimate.youSell, text(taken?.quantity, pays), pays],
        [t.estimate.youReceiveAfterFee, text(taken?.received, gets), gets],
        [t.estimate.fee, rates === null ? '–' : `${percent(rates.takerFee)}${fee}`],
      ]}
    />
  );
}

/**
 * The guaranteed figures of the limit, beside those of the current book. A seller is promised no
 * more than the limit, even if the book looks better.
 */
function LimitLines({ pair, draft, rates, estimate }: LinesProps) {
  const buys = draft.side === Side.buy;
  const gets = buys ? pair.base : pair.quote;
  const filled = estimate?.filled ?? null;
  const taken = estimate?.taken ?? null;
  const now = taken === null || draft.postOnly || isZero(taken.quantity) ? null : taken;
  const exact = draft.basis === 'total' ? null : totalOf(draft);
  const immediate = buys ? t.estimate.immediateCost : t.estimate.immediateProceeds;
  return (
    <Lines
      lines={[
        exact !== null && decimalsOf(exact) > pair.priceDecimals
          ? [t.estimate.exactTotal, grouped(exact), pair.quote]
          : null,
        [
          buys ? t.estimate.youReceive : t.estimate.youReceiveAtLeast,
          filled === null ? '–' : guaranteedText(filled.received, gets, pair),
          gets,
        ],
        [
          immediate,
          now === null ? '–' : `≈ ${about(buys ? now.quote : now.received, pair.quote, pair)}`,
          pair.quote,
        ],
        [t.estimate.fee, rates === null ? '–' : ratesText(rates)],
        [
          t.estimate.maxFee,
          filled === null || rates === null ? '–' : feeText(filled.maxFee, gets, pair),
          gets,
        ],
      ]}
    />
  );
}

/** A guaranteed amount: the base asset to its last digit, the quote cut to cents. */
export const guaranteedText = (value: Decimal, asset: string, pair: Pair): string =>
  asset === pair.base ? grouped(value) : about(value, asset, pair);

const ratesText = ({ makerFee, takerFee }: Rates): string =>
  makerFee === takerFee
    ? percent(takerFee)
    : t.estimate.makerAndTaker(percent(makerFee), percent(takerFee));

/** A name, its value, and the asset that the value is in. */
export type Line = readonly [name: string, value: ReactNode, asset?: string];

interface ListProps {
  /** null leaves a line out. */
  readonly lines: readonly (Line | null)[];
  readonly className?: string | undefined;
}

export function Lines({ lines, className }: ListProps) {
  return (
    <dl className={className ?? styles.lines}>
      {lines
        .filter((line) => line !== null)
        .map(([name, value, asset]) => (
          <div key={name} className={styles.line}>
            <dt className="dim">{name}</dt>
            <dd className="figures">
              {value}
              {asset === undefined ? null : <span className="dim"> {asset}</span>}
            </dd>
          </div>
        ))}
    </dl>
  );
}

interface BookNoteProps {
  readonly pair: Pair;
  readonly draft: Draft;
  /** The other side of the book, best first. */
  readonly levels: readonly Level[];
  readonly estimate: Estimate;
}

/** The most important effect of the book on a market order, in two lines at most. */
function MarketNote({ pair, draft, levels, estimate }: BookNoteProps) {
  const { taken } = estimate;
  const quantity = `${grouped(taken.quantity)} ${pair.base}`;
  if (isBeyondBook(taken, levels)) {
    return <Warning>{t.estimate.beyondBook(BOOK_DEPTH, quantity)}</Warning>;
  }
  if (taken.exhausted && isPositive(taken.rest)) {
    return <Warning>{t.estimate.bookTooThin(quantity, draft.side === Side.buy)}</Warning>;
  }
  return compare(taken.slippage, NOTABLE_SLIPPAGE) < 0 ? null : (
    <Warning>{slippageText(estimate, pair)}</Warning>
  );
}

/** Says that a limit which reaches the other side executes immediately. */
function LimitNote({ pair, draft, estimate }: BookNoteProps) {
  const { taken, best, risk } = estimate;
  if (best === null || isZero(taken.quantity)) return null;
  if (risk === 'limit') {
    return <Warning>{limitText(estimate, draft.side, priceOf(draft)!, pair)}</Warning>;
  }
  const quantity = `${grouped(taken.quantity)} ${pair.base}`;
  if (compare(taken.slippage, NOTABLE_SLIPPAGE) >= 0) {
    return (
      <Warning>
        {t.estimate.executesNow(quantity)} {slippageText(estimate, pair)}
      </Warning>
    );
  }
  const average = `${grouped(taken.average!, averageDecimals(pair))} ${pair.quote}`;
  return <p className={styles.hint}>{t.estimate.executesNowAt(quantity, average)}</p>;
}

/** This moves the price by 8.23%, to 55,000.00 USDT. */
export const slippageText = ({ taken }: Estimate, pair: Pair): string =>
  t.estimate.slippage(percent(taken.slippage), priceText(taken.worst!, pair));

/** The limit is 90.02% below the best bid: the order may sell down to 6,000.00 USDT. */
export const limitText = ({ past }: Estimate, side: Side, limit: Decimal, pair: Pair): string =>
  t.estimate.limitPastMarket(percent(past), side === Side.buy, priceText(limit, pair));

const priceText = (price: Decimal, { priceDecimals, quote }: Pair): string =>
  `${grouped(price, priceDecimals)} ${quote}`;

export const Warning = ({ children }: { readonly children: ReactNode }) => (
  <p className={`${styles.hint} warn`}>{children}</p>
);
