// The fields of the order form: limit price, quantity and total, shares of the balance, post-only.
import { Checkbox, SegmentedControl, Tooltip, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Side } from '../../../src/sdk/index.ts';
import { DecimalInput } from '../../components/decimal-input.tsx';
import {
  ceilTo,
  type Decimal,
  fixedDown,
  floorTo,
  fromInput,
  isZero,
} from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { latest, useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { isSandbox } from '../../session/session.ts';
import { TestMoney } from '../../wallet/faucet.tsx';
import { BOOK_DEPTH, spreadOf } from '../book/rows.ts';
import { useDesk, useOrderForm } from '../context.ts';
import { useOpenOrders, useTicker } from '../feeds.ts';
import { columnDecimals } from '../figures.ts';
import { Profit } from '../market/position.tsx';
import { legsOf } from '../pair.ts';
import { type Basis, mayHaveTotal, stepped } from './draft.ts';
import { exitResults } from './exit-results.ts';
import { isStopKind, KINDS, triggersUp } from './kinds.ts';
import { liquidityOf, ownLevels } from './liquidity.ts';
import styles from './order-form.module.css';
import { quantityOf, timeInForceOf } from './order-terms.ts';
import { type Line, Lines } from './preview.tsx';
import { PERCENTS, type Percent, totalOf, withShare } from './validation.ts';

interface FieldFrameProps {
  readonly label: string;
  readonly htmlFor: string;
  /** At the right of the label; short screens leave it out. */
  readonly hint?: string | undefined;
  /** Controls at the right of the label, in place of the hint. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

function FieldFrame({ label, htmlFor, hint, aside, children }: FieldFrameProps) {
  return (
    <div className={aside === undefined ? styles.field : undefined}>
      <div className={styles.labels}>
        <label htmlFor={htmlFor}>{label}</label>
        {aside ?? <span className={`dim figures ${styles.fieldHint}`}>{hint}</span>}
      </div>
      {children}
    </div>
  );
}

const isUnreadable = (typed: string): boolean => typed !== '' && fromInput(typed) === null;

interface PriceInputProps extends Omit<FieldFrameProps, 'htmlFor' | 'children'> {
  readonly field: 'price' | 'stopPrice' | 'stopLimit' | 'takeProfit';
  readonly placeholder?: string;
  /** Where the arrow keys begin in an empty field; null for nowhere. */
  readonly start?: () => Decimal | null;
}

/** A field for a price, which the arrow keys move by one step. */
function PriceInput({ field, placeholder, start = () => null, ...frame }: PriceInputProps) {
  const { pair, draft, change, faultOn } = useOrderForm();
  const value = draft[field];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const direction = event.key === 'ArrowUp' ? 1 : -1;
    change({ [field]: stepped(value, pair.tick, direction, start()) });
  };
  return (
    <FieldFrame {...frame} htmlFor={`order-${field}`}>
      <DecimalInput
        id={`order-${field}`}
        value={value}
        onChange={(typed) => change({ [field]: typed })}
        onKeyDown={onKeyDown}
        unit={pair.quote}
        error={faultOn === field || isUnreadable(value)}
        title={t.form.priceHint(`${grouped(pair.tick)} ${pair.quote}`)}
        {...(placeholder === undefined ? {} : { placeholder })}
      />
    </FieldFrame>
  );
}

/** The limit price. */
export function PriceField() {
  const { pair, draft } = useOrderForm();
  useLastPrice();
  const best = () => {
    const book = latest(feeds.book(pair.symbol, BOOK_DEPTH));
    return book?.[draft.side === Side.buy ? 'bids' : 'asks'][0]?.[0] ?? null;
  };
  return <PriceInput field="price" label={t.form.price} aside={<BookPrices />} start={best} />;
}

/** The distance of a trailing stop, in percent or in quote. */
function DistanceField() {
  const { pair, draft, change, faultOn } = useOrderForm();
  const { trailBy } = draft;
  const isPercent = trailBy === 'trailingPercent';
  return (
    <FieldFrame
      label={t.form.distance}
      htmlFor={`order-${trailBy}`}
      aside={
        <SegmentedControl
          size="xs"
          data={[
            { value: 'trailingPercent', label: '%' },
            { value: 'trailingAmount', label: pair.quote },
          ]}
          value={trailBy}
          onChange={(chosen) => change({ trailBy: chosen as typeof trailBy })}
          aria-label={t.form.distanceIn}
        />
      }
    >
      <DecimalInput
        id={`order-${trailBy}`}
        value={draft[trailBy]}
        onChange={(typed) => change({ [trailBy]: typed })}
        unit={isPercent ? '%' : pair.quote}
        error={faultOn === trailBy || isUnreadable(draft[trailBy])}
      />
    </FieldFrame>
  );
}

/** The trigger of a stop, above its price. */
function TriggerField() {
  const { pair, draft } = useOrderForm();
  const last = useTicker(pair.symbol)?.lastPrice ?? null;
  const sign = triggersUp(draft.kind, draft.side) ? '≥' : '≤';
  const hint = last === null ? undefined : t.form.lastPrice(grouped(last, pair.priceDecimals));
  if (draft.kind === 'trailingStop') {
    const texts = { hint: t.form.optional, placeholder: t.form.trailsFromEmpty };
    return <PriceInput field="stopPrice" label={`${t.form.trailsFrom} ${sign}`} {...texts} />;
  }
  const label = `${isStopKind(draft.kind) ? t.form.trigger : t.form.stopTrigger} ${sign}`;
  return <PriceInput field="stopPrice" label={label} hint={hint} />;
}

/** The trigger of an order that is a stop itself, and the distance of one that trails. */
export function StopFields() {
  const { draft } = useOrderForm();
  return (
    <>
      {draft.kind === 'trailingStop' ? <DistanceField /> : null}
      <TriggerField />
    </>
  );
}

/** The take profit of a bracket, and the stop of a bracket or an OCO pair. */
export function ExitFields() {
  const { draft } = useOrderForm();
  return (
    <>
      {draft.kind === 'bracket' ? (
        <PriceInput field="takeProfit" label={t.form.takeProfit} />
      ) : null}
      <TriggerField />
      <PriceInput
        field="stopLimit"
        label={t.form.stopLimit}
        placeholder={t.form.stopLimitEmpty}
        hint={t.form.optional}
      />
      {draft.kind === 'bracket' ? <ExitResultLines /> : null}
    </>
  );
}

/** The profit and the loss of a bracket, in money and in percent of the entry. */
function ExitResultLines() {
  const { pair, draft } = useOrderForm();
  const results = exitResults(draft, pair);
  const line = (name: string, value: Decimal | null | undefined): Line => [
    name,
    value == null ? (
      '–'
    ) : (
      <Profit
        key="profit"
        {...{ value, cost: results!.cost, decimals: columnDecimals(pair), asset: pair.quote }}
      />
    ),
  ];
  return (
    <Lines
      lines={[line(t.form.atTakeProfit, results?.takeProfit), line(t.form.atStop, results?.stop)]}
    />
  );
}

/**
 * Buttons that take a price of the book. A component of its own, because the book changes often.
 */
function BookPrices() {
  const { pair, draft, change } = useOrderForm();
  const { data } = useLive(feeds.book(pair.symbol, BOOK_DEPTH));
  const [bid, ask] = [data?.bids[0]?.[0], data?.asks[0]?.[0]];
  // A mid price between two ticks moves to the tick that is no worse for this side.
  const onGrid = draft.side === Side.buy ? floorTo : ceilTo;
  const mid = spreadOf(bid, ask)?.mid;
  const prices = { bid, mid: mid && onGrid(mid, pair.tick), ask };
  return (
    <span className={styles.picks}>
      {(['bid', 'mid', 'ask'] as const).map((which) => {
        const price = prices[which];
        return (
          <UnstyledButton
            key={which}
            className={styles.pick}
            disabled={price === undefined}
            onClick={() => price !== undefined && change({ price })}
            aria-label={t.form.useBookPrice[which]}
          >
            {t.form.bookPrices[which]}
          </UnstyledButton>
        );
      })}
    </span>
  );
}

/** A form starts with the last price as soon as it is known, unless the user has typed one. */
function useLastPrice(): void {
  const { pair, store } = useDesk();
  const last = useTicker(pair.symbol)?.lastPrice ?? null;
  const { side, kind } = useOrderForm().draft;
  const done = useRef('');
  useEffect(() => {
    const form = `${side} ${kind}`;
    if (done.current === form || last === null) return;
    done.current = form;
    if (store.get().price === '') store.change({ price: last });
  }, [last, store, side, kind]);
}

/** The quantity and the total, or for market orders either of them. */
export function AmountFields() {
  const { pair, draft, change } = useOrderForm();
  if (KINDS[draft.kind].hasPrice) {
    return (
      <>
        <AmountField basis="quantity" />
        <AmountField basis="total" />
      </>
    );
  }
  if (!mayHaveTotal(draft)) return <AmountField basis="quantity" />;
  return (
    <AmountField
      basis={draft.basis}
      aside={
        <SegmentedControl
          size="xs"
          data={[
            { value: 'quantity', label: pair.base },
            { value: 'total', label: pair.quote },
          ]}
          value={draft.basis}
          onChange={(basis) => change({ basis: basis as Basis, amount: '' })}
          aria-label={t.form.sizeIn}
        />
      }
    />
  );
}

interface AmountFieldProps {
  readonly basis: Basis;
  /** The minimum by default. */
  readonly aside?: ReactNode;
}

function AmountField({ basis, aside }: AmountFieldProps) {
  const { pair, draft, change, faultOn } = useOrderForm();
  const total = totalOf(draft);
  const { name, unit, minimum, title, derived } = {
    quantity: {
      name: t.form.quantity,
      unit: pair.base,
      minimum: pair.minQuantity,
      title: t.form.quantityHint(`${grouped(pair.minQuantity)} ${pair.base}`, grouped(pair.lot)),
      derived: quantityOf(draft, pair) ?? '',
    },
    total: {
      name: t.form.total,
      unit: pair.quote,
      minimum: pair.minTotal,
      title: t.form.totalHint(`${grouped(pair.minTotal)} ${pair.quote}`),
      // Cut to fit the field; the estimate below shows it exactly.
      derived: total === null ? '' : fixedDown(total, Math.max(pair.priceDecimals, 2)),
    },
  }[basis];
  const isTyped = basis === draft.basis;
  const isBudget = basis === 'total' && !KINDS[draft.kind].hasPrice;
  return (
    <FieldFrame
      label={isBudget ? t.form.marketTotal(draft.side === Side.buy) : name}
      htmlFor={`order-${basis}`}
      hint={t.form.minimum(grouped(minimum))}
      aside={aside}
    >
      <DecimalInput
        id={`order-${basis}`}
        value={isTyped ? draft.amount : derived}
        onChange={(amount) => change({ basis, amount })}
        unit={unit}
        error={isTyped && (faultOn === basis || isUnreadable(draft.amount))}
        aria-label={name}
        title={title}
      />
    </FieldFrame>
  );
}

/** Shares of the balance as buttons, and the balance itself. */
export function ShareButtons() {
  const { pair, draft, available, last, change } = useOrderForm();
  const buys = draft.side === Side.buy;
  const asset = legsOf(pair, draft.side).pays;
  // Only a market buy by quantity needs the book.
  const needsBook = draft.kind === 'market' && buys && draft.basis === 'quantity';
  const { data: book } = useLive(needsBook ? feeds.book(pair.symbol, BOOK_DEPTH) : null);
  const own = ownLevels(useOpenOrders(), pair, draft.side);
  const prevention = draft.prevention ?? pair.selfTradePrevention;
  const { levels: asks } = liquidityOf(book?.asks ?? [], own, prevention);
  const shareFor = (percent: Percent) =>
    available === null ? null : withShare(draft, pair, available, percent, asks, last);
  return (
    <div>
      <div className={styles.shares}>
        {PERCENTS.map((percent) => {
          const share = shareFor(percent);
          return (
            <UnstyledButton
              key={percent}
              className={styles.share}
              onClick={() => share !== null && change(share)}
              disabled={share === null}
              aria-label={t.form.share(percent, asset)}
            >
              {percent}%
            </UnstyledButton>
          );
        })}
      </div>
      <div className={styles.line}>
        <span className="dim">{t.form.available}</span>
        {isSandbox && available !== null && isZero(available) ? <TestMoney asset={asset} /> : null}
        <span className="figures">
          {available === null ? '–' : grouped(available)} <span className="dim">{asset}</span>
        </span>
      </div>
    </div>
  );
}

export function PostOnly() {
  const { draft, change } = useOrderForm();
  const time = timeInForceOf(draft);
  // An order that must trade immediately cannot wait in the book.
  if (time === 'IOC' || time === 'FOK') return <span />;
  return (
    <Tooltip label={t.form.postOnlyHint} multiline w={260} openDelay={300} position="top-start">
      <Checkbox
        size="xs"
        label={t.form.postOnly}
        checked={draft.postOnly}
        onChange={(event) => change({ postOnly: event.currentTarget.checked })}
      />
    </Tooltip>
  );
}
