// The level-3 book: every order with its place in the queue; own orders are marked.

import { memo, useMemo } from 'react';
import type { Level3Level } from '../../../src/sdk/index.ts';
import { moveAlong } from '../../components/arrow-keys.ts';
import { Loaded } from '../../components/states.tsx';
import type { Decimal } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import type { Pair } from '../pair.ts';
import styles from './book.module.css';
import { OwnMark } from './level-book.tsx';
import { orderRows } from './rows.ts';

/** The rows of each side. */
const MAX_ROWS = 100;

export interface OrderBookProps {
  readonly pair: Pair;
  /** Ids of own orders. */
  readonly own: ReadonlySet<string>;
  readonly onPrice: (price: Decimal) => void;
}

export function OrderBook({ pair, own, onPrice }: OrderBookProps) {
  const live = useLive(feeds.l3Book(pair.symbol));
  const side = { pair, own, onPrice };
  return (
    <Loaded live={live} rows={10}>
      {(book) => (
        <>
          <OrderSide {...side} name="asks" levels={book.asks} />
          <div className={styles.middle}>
            <span className="dim">{t.book.queueHint}</span>
          </div>
          <OrderSide {...side} name="bids" levels={book.bids} />
        </>
      )}
    </Loaded>
  );
}

interface OrderSideProps extends OrderBookProps {
  readonly name: 'bids' | 'asks';
  readonly levels: readonly Level3Level[];
}

function OrderSide({ name, levels, own, pair, onPrice }: OrderSideProps) {
  const rows = useMemo(() => orderRows(levels, own, MAX_ROWS), [levels, own]);
  return (
    <ul
      className={styles.side}
      data-side={name}
      data-scrolls
      aria-label={name === 'asks' ? t.book.sellOrders : t.book.buyOrders}
      onKeyDown={moveAlong}
    >
      {rows.length === 0 ? (
        <li className={styles.none}>{name === 'asks' ? t.book.noAsks : t.book.noBids}</li>
      ) : null}
      {rows.map((row, i) => (
        <OneOrder
          key={row.orderId}
          price={row.price}
          priceText={grouped(row.price, pair.priceDecimals)}
          quantity={grouped(row.quantity, pair.quantityDecimals)}
          place={t.book.place(row.place, row.count)}
          first={row.place === 1}
          own={row.own}
          reachable={i === 0}
          onPrice={onPrice}
        />
      ))}
    </ul>
  );
}

interface OneOrderProps {
  readonly price: Decimal;
  readonly priceText: string;
  readonly quantity: string;
  readonly place: string;
  readonly first: boolean;
  readonly own: boolean;
  readonly reachable: boolean;
  readonly onPrice: (price: Decimal) => void;
}

const OneOrder = memo(function OneOrder(props: OneOrderProps) {
  const { price, priceText, quantity, place, first, own, reachable, onPrice } = props;
  return (
    <li className={styles.item}>
      <button
        type="button"
        className={styles.row}
        data-own={own || undefined}
        tabIndex={reachable ? 0 : -1}
        onClick={() => onPrice(price)}
        title={own ? t.book.yourOrder : undefined}
      >
        <span className={first ? styles.price : `${styles.price} ${styles.faint}`}>
          {priceText}
          {own ? <OwnMark /> : null}
        </span>
        <span>{quantity}</span>
        <span className="dim">{place}</span>
      </button>
    </li>
  );
});
