// The limit price, and the prices of the book as clicks.

import { UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Side } from '../../../src/sdk/codes.ts';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { ceilTo, floorTo, fromInput } from '../../exact/decimal.ts';
import { feeds } from '../../live/feeds.ts';
import { latest, useLive } from '../../live/live.ts';
import { BOOK_DEPTH, spreadOf } from '../book/grouping.ts';
import type { Pair } from '../pair.ts';
import { type Draft, type DraftStore, stepped } from './draft.ts';
import styles from './order-form.module.css';

export interface PriceFieldProps {
  readonly pair: Pair;
  readonly store: DraftStore;
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

export function PriceField({ pair, store, draft, onChange }: PriceFieldProps) {
  usePriceOfMarket(pair, store);
  const book = () => latest(feeds.book(pair.symbol, BOOK_DEPTH));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const start = book()?.[draft.side === Side.buy ? 'bids' : 'asks'][0]?.[0] ?? null;
    const direction = event.key === 'ArrowUp' ? 1 : -1;
    onChange({ price: stepped(draft.price, pair.tick, direction, start) });
  };
  return (
    <div>
      <div className={styles.labels}>
        <label htmlFor="order-price">Price</label>
        <Picks pair={pair} draft={draft} onChange={onChange} />
      </div>
      <DecimalInput
        id="order-price"
        value={draft.price}
        onChange={(price) => onChange({ price })}
        onKeyDown={onKeyDown}
        unit={pair.quote}
        error={draft.price !== '' && fromInput(draft.price) === null}
        title={`Step ${pair.tick} ${pair.quote}; arrow keys move by one step`}
      />
    </div>
  );
}

/** The prices of the book, drawn by themselves as it changes. */
function Picks({ pair, draft, onChange }: Omit<PriceFieldProps, 'store'>) {
  const { data } = useLive(feeds.book(pair.symbol, BOOK_DEPTH));
  const [bid, ask] = [data?.bids[0]?.[0], data?.asks[0]?.[0]];
  // Of a mid between two ticks, the one that is no worse for this side.
  const onGrid = draft.side === Side.buy ? floorTo : ceilTo;
  const mid = spreadOf(bid, ask)?.mid;
  const prices = { Bid: bid, Mid: mid && onGrid(mid, pair.tick), Ask: ask };
  return (
    <span className={styles.picks}>
      {Object.entries(prices).map(([which, price]) => (
        <UnstyledButton
          key={which}
          className={styles.pick}
          disabled={price === undefined}
          onClick={() => price !== undefined && onChange({ price })}
          aria-label={`Take over the ${which.toLowerCase()} price`}
        >
          {which}
        </UnstyledButton>
      ))}
    </span>
  );
}

/** A price to start from: the last one, as soon as it is known, unless something was written before. */
function usePriceOfMarket(pair: Pair, store: DraftStore): void {
  const { data } = useLive(feeds.tickers);
  const last = data?.find(({ symbol }) => symbol === pair.symbol)?.lastPrice ?? null;
  const done = useRef(false);
  useEffect(() => {
    if (done.current || last === null) return;
    done.current = true;
    if (store.get().price === '') store.change({ price: last });
  }, [last, store]);
}
