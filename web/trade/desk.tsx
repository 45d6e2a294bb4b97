// The desk of one pair: market, order form and orders, laid out for the size of the screen.
import { SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ComponentType, memo, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Asset, Instrument } from '../../src/sdk/index.ts';
import { Panel } from '../components/layout.tsx';
import type { Decimal } from '../exact/decimal.ts';
import { readOnce } from '../live/live.ts';
import { common } from '../messages/common.ts';
import { trade as t } from '../messages/trade.ts';
import { useSession } from '../session/session.ts';
import { pageCode } from '../shell/page-code.ts';
import { BookPanel, BookTabs } from './book/book-panel.tsx';
import { intervalSetting } from './chart/chart-settings.ts';
import { DeskContext } from './context.ts';
import { candlesFeed } from './feeds.ts';
import { DraftStore, takeUnsent } from './form/draft.ts';
import { OrderFormPanel } from './form/order-form.tsx';
import { focusField, OrderSheet, useSheet } from './form/order-sheet.tsx';
import { Headline } from './market/headline.tsx';
import { PairList } from './market/pair-list.tsx';
import { TapePanel } from './market/tape.tsx';
import { TickerBar } from './market/ticker-bar.tsx';
import styles from './page.module.css';
import { pairOf } from './pair.ts';
import { Shortcuts } from './shortcuts.tsx';
import { Splitter, useChosenOrders } from './splitter.tsx';

// Loaded later: the chart's code alone is as large as the rest of the page.
const Chart = late(() => import('./chart/chart-panel.tsx'), styles.chart);
const Orders = late(() => import('./orders/orders-panel.tsx'), styles.orders);

const FIRST_VALUE_NOW = { getInitialValueInEffect: false };

export interface TradeDeskProps {
  readonly instrument: Instrument;
  readonly assets: readonly Asset[];
}

export function TradeDesk({ instrument, assets }: TradeDeskProps) {
  const pair = useMemo(() => pairOf(instrument, assets), [instrument, assets]);
  const { me } = useSession();
  const [store] = useState(() => new DraftStore(takeUnsent(me?.uid, pair.symbol)));
  const [isHelpOpen, setHelpOpen] = useState(false);
  const phone = useMediaQuery('(max-width: 47.99em)', false, FIRST_VALUE_NOW);
  const roomy = useMediaQuery('(min-width: 100em)', false, FIRST_VALUE_NOW);
  const wide = useMediaQuery('(min-width: 125em)', false, FIRST_VALUE_NOW);
  const sheet = useSheet();
  const chosenOrders = useChosenOrders();
  useEffect(() => {
    // The chart reads them too, once its code is loaded, and shows an error.
    readOnce(candlesFeed(pair.symbol, intervalSetting.get())).catch(() => undefined);
  }, [pair.symbol]);
  const desk = useMemo(() => {
    const pickAndShow = (price: Decimal) => {
      // The form may first have to draw the field that gets the focus.
      flushSync(() => store.pickPrice(price));
      sheet.open('quantity');
    };
    const openHelp = () => setHelpOpen(true);
    return { pair, store, openHelp, pickPrice: phone ? pickAndShow : store.pickPrice };
  }, [pair, store, phone, sheet.open]);
  return (
    <DeskContext value={desk}>
      <div className={styles.desk} style={chosenOrders}>
        {wide ? (
          <Panel title={t.page.pairs} dense flush className={styles.pairs}>
            <PairList current={pair.symbol} />
          </Panel>
        ) : null}
        <div className={styles.head}>
          <TickerBar current={pair.symbol} />
          <Headline withList={!wide} />
        </div>
        {phone ? <PhoneViews /> : <Chart />}
        {phone ? null : roomy ? (
          <>
            <BookPanel />
            <TapePanel />
          </>
        ) : (
          <BookTabs />
        )}
        {phone ? <OrderSheet sheet={sheet} /> : <OrderFormPanel />}
        <Splitter />
        <Orders />
        <Shortcuts
          store={store}
          onField={phone ? sheet.open : focusField}
          isHelpOpen={isHelpOpen}
          onHelp={setHelpOpen}
        />
      </div>
    </DeskContext>
  );
}

const VIEWS = ['chart', 'book', 'trades'] as const;

/** A phone shows one of the three. */
function PhoneViews() {
  const [view, setView] = useState<string>('chart');
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
      {view === 'chart' ? <Chart /> : null}
      {view === 'book' ? <BookPanel /> : null}
      {view === 'trades' ? <TapePanel /> : null}
    </div>
  );
}

interface LoadedCode {
  readonly Content?: ComponentType;
  readonly error?: unknown;
}

/** A panel whose code is loaded later. Unlike a Suspense it appears as soon as it is loaded. */
function late(
  load: () => Promise<{ readonly default: ComponentType }>,
  className: string | undefined,
) {
  return memo(function LatePanel() {
    const [{ Content, error }, setLoaded] = useState<LoadedCode>({});
    useEffect(() => {
      pageCode(load)().then(
        (module) => setLoaded({ Content: module.default }),
        (error: unknown) => setLoaded({ error }),
      );
    }, []);
    if (error !== undefined) throw error;
    if (Content !== undefined) return <Content />;
    return <LoadingPanel className={className} />;
  });
}

const LoadingPanel = ({ className }: { readonly className: string | undefined }) => (
  <Panel className={className}>
    <span role="status" aria-label={common.loading} />
  </Panel>
);

/** The panels of the desk, still empty, where they will be. */
export function LoadingDesk() {
  const chosenOrders = useChosenOrders();
  return (
    <div className={styles.desk} style={chosenOrders} data-loading>
      {(['head', 'chart', 'book', 'form', 'orders'] as const).map((area) => (
        <LoadingPanel key={area} className={styles[area]} />
      ))}
    </div>
  );
}
