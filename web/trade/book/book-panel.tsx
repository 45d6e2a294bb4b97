// The order book: prices in steps with what stands at each, or order by order.

import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { memo, useMemo, useState } from 'react';
import { Side } from '../../../src/sdk/codes.ts';
import { Panel } from '../../components/panel.tsx';
import type { Decimal } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { useOpenOrders } from '../orders/open.ts';
import pageStyles from '../page.module.css';
import type { Pair } from '../pair.ts';
import styles from './book.module.css';
import { groupSteps } from './grouping.ts';
import { LevelBook } from './level-book.tsx';
import { OrderBook } from './order-book.tsx';

/** As book.module.css has them. */
const ROW_HEIGHT = 19;
const MIDDLE_HEIGHT = 32;

export interface BookPanelProps {
  readonly pair: Pair;
  /** A price was picked. */
  readonly onPrice: (price: Decimal) => void;
}

/** The book in a panel of its own. */
export const BookPanel = memo(function BookPanel({ pair, onPrice }: BookPanelProps) {
  const [step, setStep] = useState<Decimal>(pair.tick);
  const [byOrder, setByOrder] = useState(false);
  return (
    <Panel
      title="Book"
      dense
      flush
      className={pageStyles.book}
      actions={
        <div className={styles.controls}>
          {byOrder ? null : <StepSelect pair={pair} step={step} onChange={setStep} />}
          <SegmentedControl
            size="xs"
            data={[
              { value: 'levels', label: 'Levels' },
              { value: 'orders', label: 'Orders' },
            ]}
            value={byOrder ? 'orders' : 'levels'}
            onChange={(value) => setByOrder(value === 'orders')}
            aria-label="Book by price levels or by orders"
          />
        </div>
      }
    >
      <BookTable pair={pair} onPrice={onPrice} step={byOrder ? null : step} />
    </Panel>
  );
});

export interface BookTableProps extends BookPanelProps {
  /** Of prices; null for the book order by order. */
  readonly step: Decimal | null;
}

/** Both sides of the book, as many rows as there is room for. */
export function BookTable({ pair, onPrice, step }: BookTableProps) {
  const { ref, height } = useElementSize();
  const rows = Math.max(0, Math.floor((height - MIDDLE_HEIGHT) / 2 / ROW_HEIGHT));
  const own = useOwnOrders(pair.symbol);
  return (
    <div className={styles.frame}>
      <div className={styles.columns} aria-hidden>
        <span>Price ({pair.quote})</span>
        <span>Quantity ({pair.base})</span>
        <span>{step === null ? 'In line' : `Sum (${pair.base})`}</span>
      </div>
      <div ref={ref} className={styles.body}>
        {step === null ? (
          <OrderBook pair={pair} own={own.ids} onPrice={onPrice} />
        ) : (
          <LevelBook pair={pair} step={step} rows={rows} own={own.prices} onPrice={onPrice} />
        )}
      </div>
    </div>
  );
}

export interface StepSelectProps {
  readonly pair: Pair;
  readonly step: Decimal;
  readonly onChange: (step: Decimal) => void;
}

export function StepSelect({ pair, step, onChange }: StepSelectProps) {
  const { data } = useLive(feeds.tickers);
  const last = data?.find(({ symbol }) => symbol === pair.symbol)?.lastPrice ?? null;
  const steps = groupSteps(pair.tick, last);
  return (
    <NativeSelect
      size="xs"
      className={styles.steps}
      aria-label="Price step"
      title="Price step"
      value={step}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={steps.map((value) => ({ value, label: grouped(value) }))}
    />
  );
}

/** Where own orders of the pair stand. */
function useOwnOrders(symbol: string) {
  const open = useOpenOrders();
  return useMemo(() => {
    const orders = (open ?? []).filter((order) => order.symbol === symbol);
    const pricesOf = (side: Side) =>
      orders.flatMap((order) => (order.side === side && order.price !== null ? [order.price] : []));
    return {
      ids: new Set(orders.map(({ orderId }) => String(orderId))),
      prices: { bids: pricesOf(Side.buy), asks: pricesOf(Side.sell) },
    };
  }, [open, symbol]);
}
