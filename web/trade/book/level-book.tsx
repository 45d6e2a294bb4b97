// The level-2 book: asks above, bids below, the best prices in the middle. The bar behind each row
// shows the total up to it.
import { memo, useMemo } from 'react';
import { moveAlong } from '../../components/arrow-keys.ts';
import { Loaded } from '../../components/states.tsx';
import { ceilTo, type Decimal, floorTo } from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import type { Pair } from '../pair.ts';
import styles from './book.module.css';
import { BOOK_DEPTH, type BookRow, deepestOf, depthOf, groupLevels, spreadOf } from './rows.ts';

export interface LevelBookProps {
  readonly pair: Pair;
  readonly step: Decimal;
  /** The number of rows that fit on each side. */
  readonly rows: number;
  /** Prices of own orders. */
  readonly own: { readonly bids: readonly Decimal[]; readonly asks: readonly Decimal[] };
  readonly onPrice: (price: Decimal) => void;
}

export function LevelBook({ pair, step, rows, own, onPrice }: LevelBookProps) {
  const live = useLive(feeds.book(pair.symbol, BOOK_DEPTH));
  const ownRows = useMemo(
    () => ({
      bids: new Set(own.bids.map((price) => floorTo(price, step))),
      asks: new Set(own.asks.map((price) => ceilTo(price, step))),
    }),
    [own, step],
  );
  return (
    <Loaded live={live} rows={10}>
      {(book) => {
        const bids = groupLevels(book.bids, 'bids', step, rows);
        const asks = groupLevels(book.asks, 'asks', step, rows);
        const deepest = deepestOf(bids, asks);
        const side = { deepest, pair, step, onPrice };
        return (
          <>
            <BookSide {...side} name="asks" rows={asks} own={ownRows.asks} />
            <Middle pair={pair} bid={book.bids[0]?.[0]} ask={book.asks[0]?.[0]} />
            <BookSide {...side} name="bids" rows={bids} own={ownRows.bids} />
          </>
        );
      }}
    </Loaded>
  );
}

interface BookSideProps {
  readonly name: 'bids' | 'asks';
  readonly rows: readonly BookRow[];
  readonly deepest: Decimal;
  readonly own: ReadonlySet<Decimal>;
  readonly pair: Pair;
  readonly onPrice: (price: Decimal) => void;
}

function BookSide({ name, rows, deepest, own, pair, onPrice }: BookSideProps) {
  return (
    <ul className={styles.side} data-side={name} aria-label={t.book[name]} onKeyDown={moveAlong}>
      {rows.length === 0 ? (
        <li className={styles.none}>{name === 'asks' ? t.book.noAsks : t.book.noBids}</li>
      ) : null}
      {rows.map((row, i) => (
        <LevelRow
          key={row.price}
          price={row.price}
          priceText={grouped(row.price, pair.priceDecimals)}
          quantity={grouped(row.quantity, pair.quantityDecimals)}
          cumulative={grouped(row.cumulative, pair.quantityDecimals)}
          depth={depthOf(row, deepest)}
          own={own.has(row.price)}
          reachable={i === 0}
          onPrice={onPrice}
        />
      ))}
    </ul>
  );
}

interface LevelRowProps {
  readonly price: Decimal;
  readonly priceText: string;
  readonly quantity: string;
  readonly cumulative: string;
  /** From 0 to 1. */
  readonly depth: number;
  readonly own: boolean;
  /** Reached by the Tab key; the arrow keys lead to the other rows. */
  readonly reachable: boolean;
  readonly onPrice: (price: Decimal) => void;
}

/** All props are texts or numbers, so memo skips a row whose figures have not changed. */
const LevelRow = memo(function LevelRow(props: LevelRowProps) {
  const { price, priceText, quantity, cumulative, depth, own, reachable, onPrice } = props;
  return (
    <li className={styles.item}>
      <button
        type="button"
        className={styles.row}
        tabIndex={reachable ? 0 : -1}
        onClick={() => onPrice(price)}
        title={own ? t.book.yourOrderAtPrice : undefined}
      >
        <span className={styles.bar} style={{ transform: `scaleX(${depth})` }} />
        <span className={styles.price}>
          {priceText}
          {own ? <OwnMark /> : null}
        </span>
        <span>{quantity}</span>
        <span className="dim">{cumulative}</span>
      </button>
    </li>
  );
});

export function OwnMark() {
  return (
    <span className={styles.own}>
      <span className={styles.hidden}>{t.book.yourOrderMark}</span>
    </span>
  );
}

interface MiddleProps {
  readonly pair: Pair;
  readonly bid: Decimal | undefined;
  readonly ask: Decimal | undefined;
}

/** Mid price and spread. */
const Middle = memo(function Middle({ pair, bid, ask }: MiddleProps) {
  const spread = spreadOf(bid, ask);
  if (spread === null) {
    const isEmpty = bid === undefined && ask === undefined;
    return <div className={styles.middle}>{isEmpty ? t.book.empty : t.book.oneSide}</div>;
  }
  return (
    <div className={styles.middle}>
      <span>
        <span className="dim">{t.book.mid}</span>
        <b>{grouped(spread.mid, pair.priceDecimals + 1)}</b>
      </span>
      <span>
        <span className="dim">{t.book.spread}</span>
        {grouped(spread.absolute, pair.priceDecimals)}{' '}
        <span className="dim">({percent(spread.rate)})</span>
      </span>
    </div>
  );
});
