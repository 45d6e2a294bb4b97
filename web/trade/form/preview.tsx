// The estimate of the order in the current book, and the button that sends it. The book changes
// many times a second and redraws only this part of the form.
import type { ReactNode } from 'react';
import { Side } from '../../../src/sdk/index.ts';
import { LinkButton, SteadyButton, TextButton } from '../../components/texts.tsx';
import * as d from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { isSandbox, useSession } from '../../session/session.ts';
import { TestMoney } from '../../wallet/faucet.tsx';
import { BOOK_DEPTH } from '../book/rows.ts';
import { useOrderForm } from '../context.ts';
import { useOpenOrders } from '../feeds.ts';
import { about, averageDecimals, feeText, nowText } from '../figures.ts';
import { legsOf, type Pair } from '../pair.ts';
import { exitFault } from './conditions.ts';
import type { NewOrder } from './draft.ts';
import {
  type Estimate,
  type Execution,
  estimateOrder,
  type Market,
  NOTABLE_SLIPPAGE,
  type Rates,
} from './estimate.ts';
import { type FormFault, nearestText, withValue } from './fault.ts';
import { isStopKind, KINDS, type OrderKind } from './kinds.ts';
import { firstPrice, ownLevels } from './liquidity.ts';
import styles from './order-form.module.css';
import { holdPriceOf, priceOf } from './order-terms.ts';
import { orderPreview } from './sentence.ts';
import { bookFault, type FormState, totalOf } from './validation.ts';

const NOTE_ID = 'order-note';

interface OrderPreviewProps {
  readonly state: FormState;
  readonly pending: boolean;
  /** The result of the last order, in the place of the note; null while there is none. */
  readonly outcome: ReactNode;
}

export function OrderPreview({ state, pending, outcome }: OrderPreviewProps) {
  const { order, fault: formFault } = state;
  const { draft, last } = useOrderForm();
  const market = useMarket();
  const isSized = order !== null && d.isPositive(order.orderQty ?? order.quoteOrderQty!);
  const estimate = isSized ? estimateOrder(order, market) : null;
  const fault =
    formFault ??
    (estimate &&
      (bookFault(draft, market, estimate) ??
        exitFault(order!, market.pair, entryOf(order!, market))));
  const view = { estimate, rates: market.rates };
  const { hasPrice } = KINDS[draft.kind];
  return (
    <>
      <div className={styles.estimate}>
        {hasPrice ? (
          <LimitLines {...view} />
        ) : draft.kind === 'market' ? (
          <MarketLines {...view} />
        ) : (
          <StopLines rates={market.rates} />
        )}
        <div className={styles.note}>
          <div aria-live="polite">{outcome}</div>
          {isSized && outcome === null && fault === null ? (
            <p className={styles.hint}>
              {orderPreview(order, market.pair, last, endsEarly(draft.kind, estimate))}
            </p>
          ) : null}
          {fault !== null ? (
            <FaultNote fault={fault} />
          ) : estimate === null || estimate.risk === 'noBook' ? null : draft.kind === 'market' ? (
            <MarketNote estimate={estimate} order={order!} />
          ) : isStopKind(draft.kind) ? null : (
            <LimitNote estimate={estimate} order={order!} />
          )}
        </div>
      </div>
      <SubmitArea
        isReady={order !== null && fault === null}
        hasFault={fault !== null}
        pending={pending}
      />
    </>
  );
}

const entryOf = ({ selfTradePrevention }: NewOrder, { pair, levels = [], own = [] }: Market) =>
  firstPrice(levels, own, selfTradePrevention ?? pair.selfTradePrevention);

/** True if the book or an own order ends the order before all of it has traded. */
function endsEarly(kind: OrderKind, estimate: Estimate | null): boolean {
  if (estimate === null || isStopKind(kind)) return false;
  return kind === 'market' ? isPart(estimate.taken) : estimate.taken.ownPx !== null;
}

function useMarket(): Market {
  const { pair, draft, available } = useOrderForm();
  const { state } = useSession();
  const { data: book } = useLive(feeds.book(pair.symbol, BOOK_DEPTH));
  const own = useOpenOrders();
  const { data: fees } = useLive(state === 'loggedIn' ? feeds.fees : null);
  const rates = fees?.find(({ symbol }) => symbol === pair.symbol) ?? null;
  const levels = draft.side === Side.buy ? book?.asks : book?.bids;
  return { pair, levels, own: ownLevels(own, pair, draft.side), rates, available };
}

interface SubmitAreaProps {
  readonly isReady: boolean;
  readonly hasFault: boolean;
  readonly pending: boolean;
}

/** The button that places the order; for a visitor, links to log in or sign up. */
function SubmitArea({ isReady, hasFault, pending }: SubmitAreaProps) {
  const { pair, draft, sendProblem } = useOrderForm();
  const { state } = useSession();
  if (state === 'loggedOut') {
    const next = `?next=/trade/${pair.symbol}`;
    return (
      <div className={styles.entry}>
        <LinkButton href={`/login${next}`} fullWidth>
          {t.logInToTrade}
        </LinkButton>
        <LinkButton href={`/register${next}`} variant="default" fullWidth>
          {t.signUp}
        </LinkButton>
      </div>
    );
  }
  const buys = draft.side === Side.buy;
  return (
    <SteadyButton
      type="submit"
      fullWidth
      size="md"
      className={styles.submit}
      data-side={buys ? 'buy' : 'sell'}
      off={!isReady || sendProblem !== null || state !== 'loggedIn'}
      title={sendProblem ?? undefined}
      pending={pending}
      aria-describedby={hasFault ? NOTE_ID : undefined}
    >
      {t.form.submit(buys, pair.base)}
    </SteadyButton>
  );
}

function FaultNote({ fault }: { readonly fault: FormFault }) {
  const { pair, draft, change } = useOrderForm();
  const { field, text, nearest, kind } = fault;
  const use = (value: string) => change(withValue(field, value));
  return (
    <p className={styles.fault} role="status" id={NOTE_ID}>
      {text}{' '}
      {kind !== undefined ? (
        <TextButton size="xs" onClick={() => change({ ...draft, kind })}>
          {t.fault.makeIt(t.form.kinds[kind])}
        </TextButton>
      ) : nearest === null ? null : (
        <TextButton size="xs" onClick={() => use(nearest)}>
          {t.fault.use(nearestText(fault, nearest, pair))}
        </TextButton>
      )}{' '}
      {fault.isShort && isSandbox ? <TestMoney asset={legsOf(pair, draft.side).pays} /> : null}
    </p>
  );
}

interface LinesProps {
  readonly rates: Rates | null;
  /** null while the order is incomplete. */
  readonly estimate: Estimate | null;
}

/**
 * Market and limit orders always have the same lines and room for one note, so that the button
 * below does not move while the market does.
 */
function MarketLines({ rates, estimate }: LinesProps) {
  const { pair, draft } = useOrderForm();
  const buys = draft.side === Side.buy;
  const { pays, gets } = legsOf(pair, draft.side);
  const taken = estimate?.taken;
  const { average = null, quote, quantity, received, fee = '0' } = taken ?? {};
  const isPartly = taken !== undefined && isPart(taken);
  const { youPay, youSell, youSellPart, youReceive, youReceiveAfterFee } = t.estimate;
  const feeNow = d.isZero(fee) ? '' : ` ≈ ${feeText(fee, gets, pair)} ${gets}`;
  return (
    <Lines
      lines={[
        [
          t.estimate.averagePrice,
          average === null ? '–' : `≈ ${grouped(average, averageDecimals(pair))}`,
          pair.quote,
        ],
        buys
          ? [partName(youPay, taken, pair), nowText(quote, pays, pair), pays]
          : [isPartly ? youSellPart : youSell, nowText(quantity, pays, pair), pays],
        [
          partName(youReceiveAfterFee, taken, pair, youReceive),
          nowText(received, gets, pair),
          gets,
        ],
        [t.estimate.fee, rates === null ? '–' : `${percent(rates.takerFee)}${feeNow}`],
      ]}
    />
  );
}

/** A stop at market: what it holds while it waits, and the fee when it trades. */
function StopLines({ rates }: Pick<LinesProps, 'rates'>) {
  const { pair, draft, last } = useOrderForm();
  const { pays } = legsOf(pair, draft.side);
  const amount = d.fromInput(draft.amount);
  const price = holdPriceOf(draft, pair, last);
  const isBought = draft.side === Side.buy && draft.basis === 'quantity';
  const held =
    amount === null ? null : !isBought ? amount : price === null ? null : d.multiply(price, amount);
  return (
    <Lines
      lines={[
        [
          isBought ? t.estimate.heldAtMost : t.estimate.held,
          held === null ? '–' : guaranteedText(held, pays, pair),
          pays,
        ],
        [t.estimate.fee, rates === null ? '–' : percent(rates.takerFee)],
      ]}
    />
  );
}

/**
 * The guaranteed figures of the limit, beside those of the current book. A seller is promised no
 * more than the limit, even if the book looks better.
 */
function LimitLines({ rates, estimate }: LinesProps) {
  const { pair, draft } = useOrderForm();
  const buys = draft.side === Side.buy;
  const { gets } = legsOf(pair, draft.side);
  const filled = estimate?.filled ?? null;
  const taken = draft.postOnly ? undefined : estimate?.taken;
  const exact = draft.basis === 'total' ? null : totalOf(draft);
  return (
    <Lines
      lines={[
        exact !== null && d.decimalsOf(exact) > pair.priceDecimals
          ? [t.estimate.exactTotal, grouped(exact), pair.quote]
          : null,
        [
          buys ? t.estimate.youReceive : t.estimate.youReceiveAtLeast,
          filled === null ? '–' : guaranteedText(filled.received, gets, pair),
          gets,
        ],
        [
          buys ? t.estimate.immediateCost : t.estimate.immediateProceeds,
          immediateText(estimate, buys ? taken?.quote : taken?.received, pair),
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

/** A complete order that only waits in the book costs 0 now; an incomplete one has a dash. */
const immediateText = (estimate: Estimate | null, now: d.Decimal | undefined, pair: Pair) =>
  estimate !== null && (now === undefined || d.isZero(now)) ? '0' : nowText(now, pair.quote, pair);

/** A guaranteed amount: the base asset to its last digit, the quote cut to cents. */
export const guaranteedText = (value: d.Decimal, asset: string, pair: Pair): string =>
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
  readonly estimate: Estimate;
  readonly order: NewOrder;
}

/** The wanted size of an order, and the part of it that the book has. */
function partOf({ taken }: Estimate, { orderQty, quoteOrderQty }: NewOrder, pair: Pair) {
  return quoteOrderQty === undefined
    ? {
        wanted: `${grouped(orderQty!)} ${pair.base}`,
        has: `${grouped(taken.quantity)} ${pair.base}`,
      }
    : {
        wanted: `${grouped(quoteOrderQty)} ${pair.quote}`,
        has: `${grouped(taken.quote)} ${pair.quote}`,
      };
}

/** True if the book has only a part of a market order: its figures are of that part. */
const isPart = ({ isBookTooThin, ownPx }: Execution): boolean => isBookTooThin || ownPx !== null;

/** Says that the book has only a part of the order; null if it has all. */
export function partText(estimate: Estimate, order: NewOrder, pair: Pair): string | null {
  const { taken } = estimate;
  const { wanted, has } = partOf(estimate, order, pair);
  if (taken.ownPx !== null) return t.estimate.ownOrder(wanted, has, priceText(taken.ownPx, pair));
  if (taken.isBeyondBook) return t.estimate.beyondBook(wanted, BOOK_DEPTH, has);
  return taken.isBookTooThin ? t.estimate.bookTooThin(wanted, has) : null;
}

/** The name of a figure; `part` with the quantity if the book has only a part of the order. */
export const partName = (
  whole: string,
  taken: Execution | undefined,
  { base }: Pair,
  part = whole,
): string =>
  taken === undefined || !isPart(taken) || d.isZero(taken.quantity)
    ? whole
    : t.estimate.forPart(part, `${grouped(taken.quantity)} ${base}`);

/** The most important effect of the book on a market order, in two lines at most. */
function MarketNote({ estimate, order }: BookNoteProps) {
  const { pair } = useOrderForm();
  const { taken } = estimate;
  const part = partText(estimate, order, pair);
  if (part !== null) return <Warning>{part}</Warning>;
  return d.compare(taken.slippage, NOTABLE_SLIPPAGE) < 0 ? null : (
    <Warning>{slippageText(estimate, pair)}</Warning>
  );
}

/** Says that a limit which reaches the other side executes immediately. */
function LimitNote({ estimate, order }: BookNoteProps) {
  const { pair, draft } = useOrderForm();
  const { taken, best, risk } = estimate;
  if (taken.ownPx !== null) {
    const isFirst = d.isZero(taken.quantity);
    const price = priceText(taken.ownPx, pair);
    return (
      <Warning>{isFirst ? t.fault.ownOrderFirst(price) : partText(estimate, order, pair)}</Warning>
    );
  }
  if (best === null || d.isZero(taken.quantity)) return null;
  if (risk === 'limit') {
    return <Warning>{limitText(estimate, draft.side, priceOf(draft)!, pair)}</Warning>;
  }
  const quantity = `${grouped(taken.quantity)} ${pair.base}`;
  if (d.compare(taken.slippage, NOTABLE_SLIPPAGE) >= 0) {
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
export const limitText = ({ past }: Estimate, side: Side, limit: d.Decimal, pair: Pair): string =>
  t.estimate.limitPastMarket(percent(past), side === Side.buy, priceText(limit, pair));

const priceText = (price: d.Decimal, { priceDecimals, quote }: Pair): string =>
  `${grouped(price, priceDecimals)} ${quote}`;

export const Warning = ({ children }: { readonly children: ReactNode }) => (
  <p className={`${styles.hint} warn`}>{children}</p>
);
