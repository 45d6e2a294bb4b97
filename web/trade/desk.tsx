// The desk of one pair: market, order form and orders, laid out for the size of the screen.
import { SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ComponentType, memo, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Panel } from '../components/panel.tsx';
import { Loading } from '../components/states.tsx';
import type { Decimal } from '../exact/decimal.ts';
import { trade as t } from '../messages/trade.ts';
import { useSession } from '../session/session.ts';
import { BookPanel, BookTabs } from './book/book-panel.tsx';
import { DraftStore, takeUnsent } from './form/draft.ts';
import { OrderFormPanel } from './form/order-form.tsx';
import { QuickBar, showOrderForm } from './form/quick-bar.tsx';
import { Headline } from './market/headline.tsx';
import { PairList } from './market/pair-list.tsx';
import { TapePanel } from './market/tape.tsx';
import styles from './page.module.css';
import type { Pair } from './pair.ts';

// Loaded later: the chart's code alone is as large as the rest of the page.
const loadChart = () => import('./chart/chart-panel.tsx');
const loadOrders = () => import('./orders/orders-panel.tsx');

const FIRST_VALUE_NOW = { getInitialValueInEffect: false };

export function TradeDesk(props: { readonly pair: Pair }) {
  const pair = useSamePair(props.pair);
  const { me } = useSession();
  const [store] = useState(
    () => new DraftStore(takeUnsent(me?.uid ?? null, pair.symbol) ?? undefined),
  );
  const phone = useMediaQuery('(max-width: 47.99em)', false, FIRST_VALUE_NOW);
  const roomy = useMediaQuery('(min-width: 100em)', false, FIRST_VALUE_NOW);
  const wide = useMediaQuery('(min-width: 125em)', false, FIRST_VALUE_NOW);
  return (
    <div className={styles.desk}>
      {wide ? (
        <Panel title={t.page.pairs} dense flush className={styles.pairs}>
          <PairList current={pair.symbol} />
        </Panel>
      ) : null}
      <Headline pair={pair} withList={!wide} />
      {phone ? (
        <PhoneViews pair={pair} store={store} />
      ) : (
        <>
          <Chart pair={pair} />
          {roomy ? (
            <>
              <BookPanel pair={pair} onPrice={store.pickPrice} />
              <TapePanel pair={pair} />
            </>
          ) : (
            <BookTabs pair={pair} onPrice={store.pickPrice} />
          )}
        </>
      )}
      <OrderFormPanel pair={pair} store={store} />
      <Orders pair={pair} />
      {phone ? <QuickBar store={store} /> : null}
    </div>
  );
}

interface DeskProps {
  readonly pair: Pair;
  readonly store: DraftStore;
}

const VIEWS = ['chart', 'book', 'trades'] as const;

/** A phone shows one of the three. */
function PhoneViews({ pair, store }: DeskProps) {
  const [view, setView] = useState<string>('chart');
  const [pickAndShow] = useState(() => (price: Decimal) => {
    // The form may first have to draw the field that gets the focus.
    flushSync(() => store.pickPrice(price));
    showOrderForm('quantity');
  });
  return (
    <div className={styles.views}>
      <SegmentedControl
        fullWidth
        size="sm"
        data={VIEWS.map((value) => ({ value, label: t.page[value] }))}
        value={view}
        onChange={setView}
        aria-label={t.page.marketViews}
      />
      {view === 'chart' ? <Chart pair={pair} /> : null}
      {view === 'book' ? <BookPanel pair={pair} onPrice={pickAndShow} /> : null}
      {view === 'trades' ? <TapePanel pair={pair} /> : null}
    </div>
  );
}

const Chart = memo(function Chart({ pair }: { readonly pair: Pair }) {
  return <Late load={loadChart} pair={pair} className={styles.chart} rows={5} />;
});

const Orders = memo(function Orders({ pair }: { readonly pair: Pair }) {
  return <Late load={loadOrders} pair={pair} className={styles.orders} rows={3} />;
});

type PairPanel = ComponentType<{ readonly pair: Pair }>;

interface LateProps {
  readonly load: () => Promise<{ readonly default: PairPanel }>;
  readonly pair: Pair;
  readonly className: string | undefined;
  readonly rows: number;
}

/**
 * A panel whose code is loaded later. Unlike a Suspense it appears as soon as the code is there.
 */
function Late({ load, pair, className, rows }: LateProps) {
  const [loaded, setLoaded] = useState<{ readonly Content?: PairPanel; readonly error?: unknown }>(
    {},
  );
  useEffect(() => {
    load().then(
      (module) => setLoaded({ Content: module.default }),
      (error: unknown) => setLoaded({ error }),
    );
  }, [load]);
  const { Content, error } = loaded;
  if (error !== undefined) throw error;
  if (Content !== undefined) return <Content pair={pair} />;
  return (
    <Panel dense flush className={className}>
      <Loading rows={rows} />
    </Panel>
  );
}

/** Returns the same object while the pair, which is read every few seconds, does not change. */
function useSamePair(pair: Pair): Pair {
  const [same, setSame] = useState(pair);
  if (JSON.stringify(same) === JSON.stringify(pair)) return same;
  setSame(pair);
  return pair;
}
