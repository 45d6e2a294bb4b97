// The fields of the order form: limit price, quantity and total, shares of the balance, post-only.
import { Checkbox, SegmentedControl, Tooltip, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Side } from '../../../src/sdk/generated/codes.ts';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { ceilTo, fixedDown, floorTo, fromInput } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { latest, useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { BOOK_DEPTH, spreadOf } from '../book/rows.ts';
import type { Pair } from '../pair.ts';
import { type Basis, type Draft, type DraftStore, stepped } from './draft.ts';
import styles from './order-form.module.css';
import { type Available, PERCENTS, type Percent, withShare } from './share.ts';
import { quantityOf, totalOf } from './validation.ts';

export interface FieldProps {
  readonly pair: Pair;
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

interface FieldFrameProps {
  readonly label: string;
  readonly htmlFor: string;
  /** At the right of the label. */
  readonly aside: ReactNode;
  readonly children: ReactNode;
}

function FieldFrame({ label, htmlFor, aside, children }: FieldFrameProps) {
  return (
    <div>
      <div className={styles.labels}>
        <label htmlFor={htmlFor}>{label}</label>
        {aside}
      </div>
      {children}
    </div>
  );
}

export function PriceField({
  pair,
  store,
  draft,
  onChange,
}: FieldProps & { readonly store: DraftStore }) {
  useLastPrice(pair, store);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const book = latest(feeds.book(pair.symbol, BOOK_DEPTH));
    const start = book?.[draft.side === Side.buy ? 'bids' : 'asks'][0]?.[0] ?? null;
    const direction = event.key === 'ArrowUp' ? 1 : -1;
    onChange({ price: stepped(draft.price, pair.tick, direction, start) });
  };
  return (
    <FieldFrame
      label={t.form.price}
      htmlFor="order-price"
      aside={<BookPrices pair={pair} draft={draft} onChange={onChange} />}
    >
      <DecimalInput
        id="order-price"
        value={draft.price}
        onChange={(price) => onChange({ price })}
        onKeyDown={onKeyDown}
        unit={pair.quote}
        error={draft.price !== '' && fromInput(draft.price) === null}
        title={t.form.priceHint(`${pair.tick} ${pair.quote}`)}
      />
    </FieldFrame>
  );
}

/**
 * Buttons that take a price of the book. A component of its own, because the book changes often.
 */
function BookPrices({ pair, draft, onChange }: FieldProps) {
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
            onClick={() => price !== undefined && onChange({ price })}
            aria-label={t.form.useBookPrice[which]}
          >
            {t.form.bookPrices[which]}
          </UnstyledButton>
        );
      })}
    </span>
  );
}

/** Starts with the last price as soon as it is known, unless the user has typed one. */
function useLastPrice(pair: Pair, store: DraftStore): void {
  const { data } = useLive(feeds.tickers);
  const last = data?.find(({ symbol }) => symbol === pair.symbol)?.lastPrice ?? null;
  const done = useRef(false);
  useEffect(() => {
    if (done.current || last === null) return;
    done.current = true;
    if (store.get().price === '') store.change({ price: last });
  }, [last, store]);
}

/** The quantity, the total, or for market buys either of them. */
export function AmountFields({ pair, draft, onChange }: FieldProps) {
  const field = (basis: Basis) => (
    <DecimalInput
      id={`order-${basis}`}
      value={basis === draft.basis ? draft.amount : derivedAmount(basis, draft, pair)}
      onChange={(amount) => onChange({ basis, amount })}
      unit={basis === 'quantity' ? pair.base : pair.quote}
      error={basis === draft.basis && draft.amount !== '' && fromInput(draft.amount) === null}
      aria-label={basis === 'quantity' ? t.form.quantity : t.form.total}
      title={
        basis === 'quantity'
          ? t.form.quantityHint(`${pair.minQuantity} ${pair.base}`, pair.lot)
          : t.form.totalHint(`${pair.minTotal} ${pair.quote}`)
      }
    />
  );
  const minimum = (value: string) => <span className="dim">{t.form.minimum(value)}</span>;
  if (draft.kind === 'limit') {
    return (
      <>
        <FieldFrame
          label={t.form.quantity}
          htmlFor="order-quantity"
          aside={minimum(pair.minQuantity)}
        >
          {field('quantity')}
        </FieldFrame>
        <FieldFrame label={t.form.total} htmlFor="order-total" aside={minimum(pair.minTotal)}>
          {field('total')}
        </FieldFrame>
      </>
    );
  }
  return (
    <FieldFrame
      label={draft.basis === 'total' ? t.form.totalToSpend : t.form.quantity}
      htmlFor={`order-${draft.basis}`}
      aside={
        draft.side === Side.sell ? (
          minimum(pair.minQuantity)
        ) : (
          <SegmentedControl
            size="xs"
            data={[
              { value: 'quantity', label: pair.base },
              { value: 'total', label: pair.quote },
            ]}
            value={draft.basis}
            onChange={(basis) => onChange({ basis: basis as Basis, amount: '' })}
            aria-label={t.form.sizeIn}
          />
        )
      }
    >
      {field(draft.basis)}
    </FieldFrame>
  );
}

/** The total is cut to fit the field; the estimate below shows it exactly. */
function derivedAmount(basis: Basis, draft: Draft, pair: Pair): string {
  if (basis === 'quantity') return quantityOf(draft, pair) ?? '';
  const total = totalOf(draft);
  return total === null ? '' : fixedDown(total, Math.max(pair.priceDecimals, 2));
}

export interface ShareButtonsProps extends FieldProps {
  /** null for a visitor. */
  readonly available: Available | null;
}

/** Shares of the balance as buttons, and the balance itself. */
export function ShareButtons({ pair, draft, available, onChange }: ShareButtonsProps) {
  const buys = draft.side === Side.buy;
  // Only a market buy by quantity needs the book.
  const needsBook = draft.kind === 'market' && buys && draft.basis === 'quantity';
  const { data: book } = useLive(needsBook ? feeds.book(pair.symbol, BOOK_DEPTH) : null);
  const shareFor = (percent: Percent) =>
    available === null ? null : withShare(draft, pair, available, percent, book?.asks ?? []);
  const take = (percent: Percent) => {
    const change = shareFor(percent);
    if (change !== null) onChange(change);
  };
  const asset = buys ? pair.quote : pair.base;
  const balance = buys ? available?.quote : available?.base;
  return (
    <div>
      <div className={styles.shares}>
        {PERCENTS.map((percent) => (
          <UnstyledButton
            key={percent}
            className={styles.share}
            onClick={() => take(percent)}
            disabled={shareFor(percent) === null}
            aria-label={t.form.share(percent, asset)}
          >
            {percent}%
          </UnstyledButton>
        ))}
      </div>
      <div className={styles.line}>
        <span className="dim">{t.form.available}</span>
        <span className="figures">
          {balance === undefined ? '–' : grouped(balance)} <span className="dim">{asset}</span>
        </span>
      </div>
    </div>
  );
}

export function PostOnly({ draft, onChange }: Omit<FieldProps, 'pair'>) {
  return (
    <Tooltip label={t.form.postOnlyHint} multiline w={260} openDelay={300} position="top-start">
      <Checkbox
        size="xs"
        label={t.form.postOnly}
        checked={draft.postOnly}
        onChange={(event) => onChange({ postOnly: event.currentTarget.checked })}
      />
    </Tooltip>
  );
}
