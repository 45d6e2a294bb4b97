// The account's orders: open orders, order history and fills.
import { Checkbox, Tabs } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { Empty } from '../../components/states.tsx';
import { trade as t } from '../../messages/trade.ts';
import { useSession } from '../../session/session.ts';
import { usePair } from '../context.ts';
import { useOpenOrders } from '../feeds.ts';
import pageStyles from '../page.module.css';
import { FillsDownload, OrdersDownload } from './download.tsx';
import { EVERYTHING, FillsTable, HistoryFilters, HistoryTable, WindowFilter } from './history.tsx';
import { ALL_TIME } from './history-window.ts';
import { CancelAll, OpenOrders } from './open-orders.tsx';
import styles from './orders.module.css';

export default function OrdersPanel() {
  const pair = usePair();
  const { state } = useSession();
  const [tab, setTab] = useState<string | null>('open');
  const [onlyPair, setOnlyPair] = useState(false);
  const [choice, setChoice] = useState(EVERYTHING);
  const [fillsWindow, setFillsWindow] = useState(ALL_TIME);
  const count = useOpenOrders()?.length;
  const symbol = onlyPair ? pair.symbol : null;
  const filter = { symbol, ...choice };
  return (
    <section className={`${pageStyles.orders} ${styles.panel}`} aria-label={t.orders.label}>
      <Tabs value={tab} onChange={setTab} keepMounted={false} className={styles.tabs}>
        <div className={styles.head}>
          <Tabs.List className={styles.list}>
            <Tabs.Tab value="open">{count ? t.orders.openCount(count) : t.orders.open}</Tabs.Tab>
            <Tabs.Tab value="history">{t.orders.history}</Tabs.Tab>
            <Tabs.Tab value="fills">{t.orders.fills}</Tabs.Tab>
          </Tabs.List>
          {state === 'loggedIn' ? (
            <div className={styles.tools}>
              {tab === 'history' ? <HistoryFilters choice={choice} onChange={setChoice} /> : null}
              {tab === 'fills' ? (
                <WindowFilter window={fillsWindow} onChange={setFillsWindow} />
              ) : null}
              <Checkbox
                size="xs"
                label={t.orders.only(pair.symbol)}
                checked={onlyPair}
                onChange={(event) => setOnlyPair(event.currentTarget.checked)}
              />
              {tab === 'open' ? <CancelAll symbol={symbol} /> : null}
              {tab === 'history' ? <OrdersDownload filter={filter} /> : null}
              {tab === 'fills' ? <FillsDownload symbol={symbol} window={fillsWindow} /> : null}
            </div>
          ) : null}
        </div>
        {state === 'loggedOut' ? (
          <LoggedOut symbol={pair.symbol} />
        ) : (
          <>
            <Tabs.Panel value="open" className={styles.body}>
              <OpenOrders symbol={symbol} />
            </Tabs.Panel>
            <Tabs.Panel value="history" className={styles.body}>
              <HistoryTable key={JSON.stringify(filter)} filter={filter} />
            </Tabs.Panel>
            <Tabs.Panel value="fills" className={styles.body}>
              <FillsTable
                key={JSON.stringify([symbol, fillsWindow])}
                symbol={symbol}
                window={fillsWindow}
              />
            </Tabs.Panel>
          </>
        )}
      </Tabs>
    </section>
  );
}

function LoggedOut({ symbol }: { readonly symbol: string }) {
  const next = `?next=/trade/${symbol}`;
  return (
    <Empty icon={<IconLock size={24} stroke={1.5} />} title={t.orders.loggedOut}>
      <Link href={`/login${next}`} className={styles.link}>
        {t.logIn}
      </Link>{' '}
      ·{' '}
      <Link href={`/register${next}`} className={styles.link}>
        {t.createAccount}
      </Link>
    </Empty>
  );
}
