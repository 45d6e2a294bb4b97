// What the order would come to, reckoned from the book as it stands and the account's fees, and warnings that belong to it.
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Level } from '../../api/market.ts';
import {
  add,
  compare,
  type Decimal,
  decimalsOf,
  fromInput,
  isPositive,
  isZero,
  multiply,
  subtract,
} from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { useSession } from '../../session/session.ts';
import { BOOK_DEPTH } from '../book/grouping.ts';
import type { Pair } from '../pair.ts';
import type { Draft } from './draft.ts';
import { type Estimate, feeOn, type WalkTerms, walkQuantity, walkTotal } from './estimate.ts';
import styles from './order-form.module.css';
import { priceOf, quantityOf, totalOf } from './request.ts';

export interface EstimateViewProps {
  readonly pair: Pair;
  readonly draft: Draft;
  /** Of the asset that is paid with; null while it is not known. */
  readonly available: Decimal | null;
  readonly onChange: (change: Partial<Draft>) => void;
}

interface Rates {
  readonly makerFee: Decimal;
  readonly takerFee: Decimal;
}

/** From here on a market order is told how far it moves the price. */
const SLIP_WORTH_SAYING = '0.005';

export function EstimateView({ pair, draft, available, onChange }: EstimateViewProps) {
  const { state } = useSession();
  const { data: book } = useLive(feeds.book(pair.symbol, BOOK_DEPTH));
  const { data: fees } = useLive(state === 'loggedIn' ? feeds.fees : null);
  const rates = fees?.find(({ symbol }) => symbol === pair.symbol) ?? null;
  const levels = (draft.side === '1' ? book?.asks : book?.bids) ?? [];
  const known = book !== undefined;
  return (
    <div className={styles.estimate}>
      {draft.kind === 'market' ? (
        <MarketEstimate
          pair={pair}
          draft={draft}
          levels={levels}
          known={known}
          rates={rates}
          available={available}
          onChange={onChange}
        />
      ) : (
        <LimitEstimate
          pair={pair}
          draft={draft}
          levels={levels}
          rates={rates}
          onChange={onChange}
        />
      )}
    </div>
  );
}

function FeeLine({ draft, rates }: Pick<PartProps, 'draft' | 'rates'>) {
  const words =
    rates === null
      ? '–'
      : draft.kind === 'market'
        ? percent(rates.takerFee)
        : `${percent(rates.makerFee)} maker, ${percent(rates.takerFee)} taker`;
  return <Line name="Fee">{words}</Line>;
}

const termsOf = ({ side }: Draft, pair: Pair, rates: Rates | null): WalkTerms => ({
  side: side === '1' ? 'buy' : 'sell',
  takerFee: rates?.takerFee ?? '0',
  receivedScale: side === '1' ? pair.baseScale : pair.quoteScale,
  priceDecimals: pair.priceDecimals + 2,
});

interface PartProps {
  readonly pair: Pair;
  readonly draft: Draft;
  /** What the order would take, best first. */
  readonly levels: readonly Level[];
  readonly rates: Rates | null;
}

interface MarketEstimateProps extends PartProps, Pick<EstimateViewProps, 'available' | 'onChange'> {
  /** Whether the book has been read. */
  readonly known: boolean;
}

function MarketEstimate(props: MarketEstimateProps) {
  const { pair, draft, levels, rates, known } = props;
  const amount = fromInput(draft.amount);
  const byTotal = draft.basis === 'total';
  const terms = termsOf(draft, pair, rates);
  const walked =
    amount === null || !isPositive(amount) || !known
      ? null
      : byTotal
        ? walkTotal(levels, amount, pair.lot, terms)
        : walkQuantity(levels, amount, terms);
  const [pays, gets] = draft.side === '1' ? [pair.quote, pair.base] : [pair.base, pair.quote];
  return (
    <>
      <dl className={styles.lines}>
        <Line name="Average price" asset={pair.quote}>
          {walked?.average == null ? '–' : `≈ ${grouped(walked.average)}`}
        </Line>
        <Line name={draft.side === '1' ? 'You pay' : 'You sell'} asset={pays}>
          {figure(walked, draft.side === '1' ? walked?.quote : walked?.quantity)}
        </Line>
        <Line name="You receive, less fee" asset={gets}>
          {figure(walked, walked?.received)}
        </Line>
        <FeeLine draft={draft} rates={rates} />
      </dl>
      {walked === null ? null : (
        <>
          <MarketWarnings pair={pair} draft={draft} levels={levels} walked={walked} />
          <TooDear {...props} walked={walked} />
        </>
      )}
    </>
  );
}

const figure = (walked: Estimate | null, value: Decimal | undefined): ReactNode =>
  walked === null || value === undefined || isZero(walked.quantity) ? '–' : `≈ ${grouped(value)}`;

interface WarningsProps extends Omit<PartProps, 'rates'> {
  readonly walked: Estimate;
}

function MarketWarnings({ pair, draft, levels, walked }: WarningsProps) {
  const there = draft.side === '1' ? 'for sale' : 'wanted';
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
  const short = walked.exhausted && isPositive(walked.rest);
  if (short && levels.length < BOOK_DEPTH) {
    return (
      <Warning>
        The book is too thin: only {grouped(walked.quantity)} {pair.base} are {there}. The rest
        would be canceled.
      </Warning>
    );
  }
  if (short) {
    return (
      <Warning>
        This goes deeper than the {BOOK_DEPTH} best prices, which hold {grouped(walked.quantity)}{' '}
        {pair.base}. What lies behind is not in the estimate.
      </Warning>
    );
  }
  if (compare(walked.slip, SLIP_WORTH_SAYING) < 0) return null;
  return (
    <Warning>
      This moves the price by {percent(walked.slip)}, to {grouped(walked.worst!)} {pair.quote}.
    </Warning>
  );
}

/** A market buy by quantity costs what the book asks; what the balance buys of it is offered. */
function TooDear({
  pair,
  draft,
  levels,
  available,
  walked,
  onChange,
}: Omit<MarketEstimateProps, 'rates' | 'known'> & { readonly walked: Estimate }) {
  const byQuantity = draft.side === '1' && draft.basis === 'quantity';
  if (!byQuantity || available === null || compare(walked.quote, available) <= 0) return null;
  const { quantity } = walkTotal(levels, available, pair.lot, termsOf(draft, pair, null));
  return (
    <Warning>
      You have {grouped(available)} {pair.quote} available, which is not enough.{' '}
      {compare(quantity, pair.minQuantity) < 0 ? null : (
        <Anchor
          component="button"
          type="button"
          size="xs"
          onClick={() => onChange({ amount: quantity })}
        >
          Use {grouped(quantity)}
        </Anchor>
      )}
    </Warning>
  );
}

function LimitEstimate(props: PartProps & Pick<EstimateViewProps, 'onChange'>) {
  const { pair, draft, levels, rates, onChange } = props;
  const price = priceOf(draft);
  const quantity = quantityOf(draft, pair);
  const total = totalOf(draft);
  const complete = price !== null && quantity !== null && isPositive(quantity);
  const terms = termsOf(draft, pair, rates);
  const taken = complete ? walkQuantity(levels, quantity, terms, price) : null;
  const received = complete ? receivedAtLeast(taken!, price, quantity, draft, pair, rates) : null;
  const exact = draft.basis === 'total' ? null : total;
  return (
    <>
      <dl className={styles.lines}>
        {exact !== null && decimalsOf(exact) > pair.priceDecimals ? (
          <Line name="Exact total" asset={pair.quote}>
            {grouped(exact)}
          </Line>
        ) : null}
        <Line name="You receive, at least" asset={draft.side === '1' ? pair.base : pair.quote}>
          {received === null ? '–' : grouped(received)}
        </Line>
        <FeeLine draft={draft} rates={rates} />
      </dl>
      {taken === null || isZero(taken.quantity) ? null : (
        <Crossing
          pair={pair}
          draft={draft}
          taken={taken}
          best={levels[0]![0]}
          onChange={onChange}
        />
      )}
    </>
  );
}

/** What trades at once pays the taker fee, and what waits is charged the maker fee when it trades. */
function receivedAtLeast(
  taken: Estimate,
  price: Decimal,
  quantity: Decimal,
  { side }: Draft,
  pair: Pair,
  rates: Rates | null,
): Decimal {
  const rest = subtract(quantity, taken.quantity);
  const waiting = side === '1' ? rest : multiply(price, rest);
  const scale = side === '1' ? pair.baseScale : pair.quoteScale;
  const fee = feeOn(waiting, rates?.makerFee ?? '0', scale);
  return add(taken.received, subtract(waiting, fee));
}

interface CrossingProps {
  readonly pair: Pair;
  readonly draft: Draft;
  readonly taken: Estimate;
  /** The best price of the other side. */
  readonly best: Decimal;
  readonly onChange: EstimateViewProps['onChange'];
}

/** A limit that reaches into the other side trades at once, or as post-only is rejected. */
function Crossing({ pair, draft, taken, best, onChange }: CrossingProps) {
  if (!draft.postOnly) {
    return (
      <p className={styles.hint}>
        Trades at once: ≈ {grouped(taken.quantity)} {pair.base} at {grouped(taken.average!)}{' '}
        {pair.quote} on average.
      </p>
    );
  }
  const waits = draft.side === '1' ? subtract(best, pair.tick) : add(best, pair.tick);
  return (
    <Warning>
      At this price it would trade at once, so as post-only it would be rejected.{' '}
      {isPositive(waits) ? (
        <Anchor
          component="button"
          type="button"
          size="xs"
          onClick={() => onChange({ price: waits })}
        >
          Use {grouped(waits)}
        </Anchor>
      ) : null}
    </Warning>
  );
}

interface LineProps {
  readonly name: string;
  readonly asset?: string;
  readonly children: ReactNode;
}

function Line({ name, asset, children }: LineProps) {
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

const Warning = ({ children }: { readonly children: ReactNode }) => (
  <p className={`${styles.hint} warn`}>{children}</p>
);
