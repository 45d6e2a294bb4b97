// The two views of the book: by price level (level 2), or order by order (level 3). Asks are above,
// bids below. A bar behind each level shows the total up to it.
import { VisuallyHidden } from '@mantine/core';
import { memo, type ReactNode, useMemo } from 'react';
import { Side } from '../../../src/sdk/index.ts';
import { moveAlong } from '../../components/arrow-keys.ts';
import { Loaded } from '../../components/layout.tsx';
import { ceilTo, type Decimal, floorTo } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { useDesk, usePair } from '../context.ts';
import { useOpenOrders } from '../feeds.ts';
import { averageDecimals } from '../figures.ts';
import styles from './book.module.css';
import {
  BOOK_DEPTH,
  deepestOf,
  depthOf,
  groupLevels,
  orderRows,
  spreadOf,
  spreadText,
} from './rows.ts';

/** The maximum of order rows on each side. */
const MAX_ORDERS = 100;

interface LevelBookProps {
  readonly step: Decimal;
  /** The number of rows that fit on each side. */
  readonly rows: number;
}

export function LevelBook({ step, rows }: LevelBookProps) {
  const pair = usePair();
  const live = useLive(feeds.book(pair.symbol, BOOK_DEPTH));
  const own = useOwnRows(step);
  return (
    <Loaded live={live} rows={10}>
      {(book) => {
        const bids = groupLevels(book.bids, 'bids', step, rows);
        const asks = groupLevels(book.asks, 'asks', step, rows);
        const deepest = deepestOf(bids, asks);
        const side = (name: 'bids' | 'asks') => (
          <BookSide name={name} label={t.book[name]} isEmpty={book[name].length === 0}>
            {(name === 'bids' ? bids : asks).map((row, i) => (
              <BookRow
                key={row.price}
                price={row.price}
                priceText={grouped(row.price, pair.priceDecimals)}
                quantity={grouped(row.quantity, pair.quantityDecimals)}
                detail={grouped(row.cumulative, pair.quantityDecimals)}
                depth={depthOf(row, deepest)}
                ownTitle={own[name].has(row.price) ? t.book.yourOrderAtPrice : undefined}
                reachable={i === 0}
              />
            ))}
          </BookSide>
        );
        return (
          <>
            {side('asks')}
            <Middle bid={book.bids[0]?.[0]} ask={book.asks[0]?.[0]} />
            {side('bids')}
          </>
        );
      }}
    </Loaded>
  );
}

/** The rows with own orders. */
function useOwnRows(step: Decimal) {
  const { symbol } = usePair();
  const open = useOpenOrders();
  return useMemo(() => {
    const rowsOf = (side: Side, round: typeof floorTo) =>
      new Set(
        open
          ?.filter((order) => order.symbol === symbol && order.side === side)
          .flatMap(({ price }) => (price === null ? [] : [round(price, step)])),
      );
    return { bids: rowsOf(Side.buy, floorTo), asks: rowsOf(Side.sell, ceilTo) };
  }, [open, symbol, step]);
}

export function OrderBook() {
  const pair = usePair();
  const open = useOpenOrders();
  const own = useMemo(() => new Set(open?.map(({ orderId }) => String(orderId))), [open]);
  const live = useLive(feeds.l3Book(pair.symbol));
  return (
    <Loaded live={live} rows={10}>
      {(book) => {
        const side = (name: 'bids' | 'asks', label: string) => (
          <BookSide name={name} label={label} isEmpty={book[name].length === 0} scrolls>
            {orderRows(book[name], own, MAX_ORDERS).map((row, i) => (
              <BookRow
                key={row.orderId}
                price={row.price}
                priceText={grouped(row.price, pair.priceDecimals)}
                quantity={grouped(row.quantity, pair.quantityDecimals)}
                detail={t.book.place(row.place, row.count)}
                isFaint={row.place > 1}
                ownTitle={row.own ? t.book.yourOrder : undefined}
                isMarked={row.own}
                reachable={i === 0}
              />
            ))}
          </BookSide>
        );
        return (
          <>
            {side('asks', t.book.sellOrders)}
            <div className={styles.middle}>
              <span className="dim">{t.book.queueHint}</span>
            </div>
            {side('bids', t.book.buyOrders)}
          </>
        );
      }}
    </Loaded>
  );
}

interface BookSideProps {
  readonly name: 'bids' | 'asks';
  readonly label: string;
  readonly isEmpty: boolean;
  readonly scrolls?: boolean;
  readonly children: ReactNode;
}

function BookSide({ name, label, isEmpty, scrolls, children }: BookSideProps) {
  return (
    <ul
      className={styles.side}
      data-side={name}
      data-scrolls={scrolls}
      aria-label={label}
      onKeyDown={moveAlong}
    >
      {isEmpty ? (
        <li className={styles.none}>{name === 'asks' ? t.book.noAsks : t.book.noBids}</li>
      ) : null}
      {children}
    </ul>
  );
}

interface BookRowProps {
  readonly price: Decimal;
  readonly priceText: string;
  readonly quantity: string;
  /** The total of a level, or the place of an order in its queue. */
  readonly detail: string;
  /** The length of the bar, from 0 to 1. */
  readonly depth?: number;
  /** The tooltip of a row with an own order. */
  readonly ownTitle: string | undefined;
  /** A row that is one own order. */
  readonly isMarked?: boolean;
  readonly isFaint?: boolean;
  /** Reached by the Tab key; the arrow keys lead to the other rows. */
  readonly reachable: boolean;
}

/** All props are texts or numbers, so memo skips a row whose figures have not changed. */
const BookRow = memo(function BookRow(props: BookRowProps) {
  const { price, priceText, quantity, detail, depth, ownTitle, isMarked, isFaint } = props;
  const { pickPrice } = useDesk();
  return (
    <li className={styles.item}>
      <button
        type="button"
        className={styles.row}
        data-own={isMarked || undefined}
        tabIndex={props.reachable ? 0 : -1}
        onClick={() => pickPrice(price)}
        title={ownTitle}
      >
        {depth === undefined ? null : (
          <span className={styles.bar} style={{ transform: `scaleX(${depth})` }} />
        )}
        <span className={isFaint ? `${styles.price} ${styles.faint}` : styles.price}>
          {priceText}
          {ownTitle === undefined ? null : (
            <span className={styles.own}>
              <VisuallyHidden>{t.book.yourOrderMark}</VisuallyHidden>
            </span>
          )}
        </span>
        <span>{quantity}</span>
        <span className="dim">{detail}</span>
      </button>
    </li>
  );
});

interface MiddleProps {
  readonly bid: Decimal | undefined;
  readonly ask: Decimal | undefined;
}

/** Mid price and spread. */
const Middle = memo(function Middle({ bid, ask }: MiddleProps) {
  const { priceDecimals } = usePair();
  const spread = spreadOf(bid, ask);
  if (spread === null) {
    const isEmpty = bid === undefined && ask === undefined;
    return <div className={styles.middle}>{isEmpty ? t.book.empty : t.book.oneSide}</div>;
  }
  return (
    <div className={styles.middle}>
      <span>
        <span className="dim">{t.book.mid}</span>
        <b>{grouped(spread.mid, averageDecimals({ priceDecimals }))}</b>
      </span>
      <span>
        <span className="dim">{t.book.spread}</span>
        {grouped(spread.absolute, priceDecimals)}{' '}
        <span className="dim">({spreadText(spread.rate)})</span>
      </span>
    </div>
  );
});
