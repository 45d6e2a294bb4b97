// The order book: by price step, or order by order. It has its own panel, or on smaller screens it
// shares a panel with the trades.
import { NativeSelect, SegmentedControl, Tabs } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { memo, useState } from 'react';
import { Panel } from '../../components/layout.tsx';
import type { Decimal } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { trade as t } from '../../messages/trade.ts';
import { usePair } from '../context.ts';
import { useTicker } from '../feeds.ts';
import { Tape } from '../market/tape.tsx';
import pageStyles from '../page.module.css';
import styles from './book.module.css';
import { LevelBook, OrderBook } from './book-views.tsx';
import { groupSteps } from './rows.ts';

/** The heights in book.module.css, px. */
const ROW_HEIGHT = 19;
const MIDDLE_HEIGHT = 32;

export const BookPanel = memo(function BookPanel() {
  const [step, setStep] = useState<Decimal>(usePair().tick);
  const [byOrder, setByOrder] = useState(false);
  return (
    <Panel
      title={t.book.title}
      dense
      flush
      className={pageStyles.book}
      actions={
        <div className={styles.controls}>
          {byOrder ? null : <StepSelect step={step} onChange={setStep} />}
          <SegmentedControl
            size="xs"
            data={[
              { value: 'levels', label: t.book.levels },
              { value: 'orders', label: t.book.orders },
            ]}
            value={byOrder ? 'orders' : 'levels'}
            onChange={(value) => setByOrder(value === 'orders')}
            aria-label={t.book.mode}
          />
        </div>
      }
    >
      <BookTable step={byOrder ? null : step} />
    </Panel>
  );
});

/** The book, its orders and the trades in tabs, so that each has the full height. */
export const BookTabs = memo(function BookTabs() {
  const [tab, setTab] = useState<string | null>('book');
  const [step, setStep] = useState<Decimal>(usePair().tick);
  return (
    <section className={`${pageStyles.book} ${styles.panel}`} aria-label={t.book.titleWithTrades}>
      <Tabs value={tab} onChange={setTab} keepMounted={false} className={styles.tabs}>
        <div className={styles.head}>
          <Tabs.List className={styles.list}>
            <Tabs.Tab value="book">{t.book.title}</Tabs.Tab>
            <Tabs.Tab value="orders" title={t.book.ordersTitle}>
              {t.book.orders}
            </Tabs.Tab>
            <Tabs.Tab value="trades">{t.page.trades}</Tabs.Tab>
          </Tabs.List>
          {tab === 'book' ? <StepSelect step={step} onChange={setStep} /> : null}
        </div>
        <Tabs.Panel value="book" className={styles.tab}>
          <BookTable step={step} />
        </Tabs.Panel>
        <Tabs.Panel value="orders" className={styles.tab}>
          <BookTable step={null} />
        </Tabs.Panel>
        <Tabs.Panel value="trades" className={styles.tab}>
          <Tape />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
});

/** Both sides of the book, with as many rows as fit. `step` is null for the single orders. */
function BookTable({ step }: { readonly step: Decimal | null }) {
  const pair = usePair();
  const { ref, height } = useElementSize();
  const rows = Math.max(0, Math.floor((height - MIDDLE_HEIGHT) / 2 / ROW_HEIGHT));
  return (
    <div className={styles.frame}>
      <div className={styles.columns} aria-hidden>
        <span>{t.priceIn(pair.quote)}</span>
        <span>{t.quantityIn(pair.base)}</span>
        <span>{step === null ? t.book.queue : t.totalIn(pair.base)}</span>
      </div>
      <div ref={ref} className={styles.body}>
        {step === null ? <OrderBook /> : <LevelBook step={step} rows={rows} />}
      </div>
    </div>
  );
}

interface StepSelectProps {
  readonly step: Decimal;
  readonly onChange: (step: Decimal) => void;
}

function StepSelect({ step, onChange }: StepSelectProps) {
  const { symbol, tick } = usePair();
  const steps = groupSteps(tick, useTicker(symbol)?.lastPrice ?? null);
  return (
    <NativeSelect
      size="xs"
      className={styles.steps}
      aria-label={t.book.step}
      title={t.book.step}
      value={step}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={steps.map((value) => ({ value, label: grouped(value) }))}
    />
  );
}
