// What the order would come to, reckoned from the book as it stands and the account's fees. Its lines are always the same ones,
// and below them is always room for one note, so that the button under them stays where it is while the market moves.

import type { ReactNode } from 'react';
import { Side } from '../../../src/sdk/codes.ts';
import { type Decimal, decimalsOf, isZero } from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { about, averageDecimals, feeText } from '../figures.ts';
import type { Pair } from '../pair.ts';
import { LimitNote, MarketNote } from './book-notes.tsx';
import type { Draft } from './draft.ts';
import { FaultNote } from './notes.tsx';
import styles from './order-form.module.css';
import type { Market, Rates, Reckoning } from './reckoning.ts';
import { type FormFault, totalOf } from './request.ts';

export interface EstimateViewProps {
  readonly pair: Pair;
  readonly draft: Draft;
  readonly market: Market;
  /** null while there is no order to reckon with. */
  readonly reckoning: Reckoning | null;
  /** What is wrong with the order; said in place of what the book would do to it. */
  readonly fault: FormFault | null;
  /** Names the note of a fault. */
  readonly noteId: string;
  readonly onChange: (change: Partial<Draft>) => void;
}

export function EstimateView(props: EstimateViewProps) {
  const { pair, draft, market, reckoning, fault, noteId, onChange } = props;
  const { levels, rates } = market;
  const Note = draft.kind === 'market' ? MarketNote : LimitNote;
  const lines = { pair, draft, rates, reckoning };
  return (
    <div className={styles.estimate}>
      {draft.kind === 'market' ? <MarketLines {...lines} /> : <LimitLines {...lines} />}
      <div className={styles.note}>
        {fault !== null ? (
          <FaultNote id={noteId} pair={pair} fault={fault} onChange={onChange} />
        ) : reckoning === null || levels === undefined ? null : (
          <Note pair={pair} draft={draft} levels={levels} reckoning={reckoning} />
        )}
      </div>
    </div>
  );
}

interface LinesProps {
  readonly pair: Pair;
  readonly draft: Draft;
  readonly rates: Rates | null;
  readonly reckoning: Reckoning | null;
}

function MarketLines({ pair, draft, rates, reckoning }: LinesProps) {
  const buys = draft.side === Side.buy;
  const [pays, gets] = buys ? [pair.quote, pair.base] : [pair.base, pair.quote];
  const walked = reckoning === null || isZero(reckoning.walked.quantity) ? null : reckoning.walked;
  const shown = (value: Decimal | undefined, asset: string): string =>
    value === undefined ? '–' : `≈ ${about(value, asset, pair)}`;
  return (
    <dl className={styles.lines}>
      <Line name="Average price" asset={pair.quote}>
        {walked?.average == null ? '–' : `≈ ${grouped(walked.average, averageDecimals(pair))}`}
      </Line>
      <Line name={buys ? 'You pay' : 'You sell'} asset={pays}>
        {shown(buys ? walked?.quote : walked?.quantity, pays)}
      </Line>
      <Line name="You receive, after fee" asset={gets}>
        {shown(walked?.received, gets)}
      </Line>
      <Line name="Fee">
        {rates === null ? '–' : percent(rates.takerFee)}
        {walked === null || rates === null || isZero(walked.fee)
          ? null
          : ` ≈ ${feeText(walked.fee, gets, pair)} ${gets}`}
      </Line>
    </dl>
  );
}

/**
 * What a limit promises, which nothing but its own price decides, and beside it what the book has for it now. A seller is
 * promised no more than the limit, however much better the book looks.
 */
function LimitLines({ pair, draft, rates, reckoning }: LinesProps) {
  const buys = draft.side === Side.buy;
  const gets = buys ? pair.base : pair.quote;
  const filled = reckoning?.filled ?? null;
  const walked = reckoning?.walked ?? null;
  const now = walked === null || draft.postOnly || isZero(walked.quantity) ? null : walked;
  const exact = draft.basis === 'total' ? null : totalOf(draft);
  return (
    <dl className={styles.lines}>
      {exact !== null && decimalsOf(exact) > pair.priceDecimals ? (
        <Line name="Exact total" asset={pair.quote}>
          {grouped(exact)}
        </Line>
      ) : null}
      <Line name={buys ? 'You receive' : 'You receive at least'} asset={gets}>
        {filled === null ? '–' : promised(filled.received, gets, pair)}
      </Line>
      <Line name={buys ? 'Immediate cost' : 'Immediate proceeds'} asset={pair.quote}>
        {now === null ? '–' : `≈ ${about(buys ? now.quote : now.received, pair.quote, pair)}`}
      </Line>
      <Line name="Fee">{rates === null ? '–' : bothRates(rates)}</Line>
      <Line name="Max fee" asset={gets}>
        {filled === null || rates === null ? '–' : feeText(filled.mostFee, gets, pair)}
      </Line>
    </dl>
  );
}

/** What is promised is promised to the last digit of the base asset, and cut to cents of the quote. */
export const promised = (value: Decimal, asset: string, pair: Pair): string =>
  asset === pair.base ? grouped(value) : about(value, asset, pair);

const bothRates = ({ makerFee, takerFee }: Rates): string =>
  makerFee === takerFee
    ? percent(takerFee)
    : `${percent(makerFee)} maker, ${percent(takerFee)} taker`;

interface LineProps {
  readonly name: string;
  readonly asset?: string;
  readonly children: ReactNode;
}

export function Line({ name, asset, children }: LineProps) {
  return (
    <div className={styles.line}>
      <dt className="dim">{name}</dt>
      <dd className="figures">
        {children}
        {asset === undefined ? null : <span className="dim"> {asset}</span>}
      </dd>
    </div>
  );
}
