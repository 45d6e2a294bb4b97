// The tabs of open orders, order history and fills, with their filters: on the desk and on the
// page of orders.
import { Tabs } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Empty } from '../../components/layout.tsx';
import { trade as t } from '../../messages/trade.ts';
import { useSession } from '../../session/session.ts';
import { useOpenOrders } from '../feeds.ts';
import { CancelAll } from './cancel.tsx';
import { FillsDownload, OrdersDownload } from './download.tsx';
import {
  EVERYTHING,
  FillsTable,
  HistoryFilters,
  HistoryTable,
  SideFilter,
  TypeFilter,
  WindowFilter,
} from './history.tsx';
import { ALL_TIME } from './history-window.ts';
import { OpenOrders } from './open-orders.tsx';
import styles from './orders.module.css';

export interface OrderListsProps {
  /** null: of all pairs. */
  readonly symbol: string | null;
  /** The filter by pair. */
  readonly filters: ReactNode;
  /** Shows every filter on every tab. */
  readonly isPage?: boolean;
  /** Where a login leads back to. */
  readonly next: string;
  readonly className?: string | undefined;
}

export function OrderLists({ symbol, filters, isPage = false, next, className }: OrderListsProps) {
  const { state } = useSession();
  const [tab, setTab] = useState<string | null>('open');
  const [choice, setChoice] = useState(EVERYTHING);
  const [fillsWindow, setFillsWindow] = useState(ALL_TIME);
  const count = useOpenOrders()?.length;
  const filter = { symbol, ...choice };
  const chosen = { choice, onChange: setChoice };
  const isHistory = tab === 'history';
  return (
    <section className={`${className ?? ''} ${styles.panel}`} aria-label={t.orders.label}>
      <Tabs value={tab} onChange={setTab} keepMounted={false} className={styles.tabs}>
        <div className={styles.head}>
          <Tabs.List className={styles.list}>
            <Tabs.Tab value="open">{count ? t.orders.openCount(count) : t.orders.open}</Tabs.Tab>
            <Tabs.Tab value="history">{t.orders.history}</Tabs.Tab>
            <Tabs.Tab value="fills">{t.orders.fills}</Tabs.Tab>
          </Tabs.List>
          {state === 'loggedIn' ? (
            <div className={styles.tools}>
              {isPage || isHistory ? <SideFilter {...chosen} /> : null}
              {isPage && tab !== 'fills' ? <TypeFilter {...chosen} /> : null}
              {isHistory ? <HistoryFilters {...chosen} /> : null}
              {tab === 'fills' ? (
                <WindowFilter window={fillsWindow} onChange={setFillsWindow} />
              ) : null}
              {filters}
              {tab === 'open' ? <CancelAll symbol={symbol} /> : null}
              {isHistory ? <OrdersDownload filter={filter} /> : null}
              {tab === 'fills' ? <FillsDownload symbol={symbol} window={fillsWindow} /> : null}
            </div>
          ) : null}
        </div>
        {state === 'loggedOut' ? (
          <LoggedOut next={next} />
        ) : (
          <>
            <Tabs.Panel value="open" className={styles.body}>
              <OpenOrders filter={isPage ? filter : { ...EVERYTHING, symbol }} />
            </Tabs.Panel>
            <Tabs.Panel value="history" className={styles.body}>
              <HistoryTable key={JSON.stringify(filter)} filter={filter} />
            </Tabs.Panel>
            <Tabs.Panel value="fills" className={styles.body}>
              <FillsTable
                key={JSON.stringify([symbol, choice.side, fillsWindow])}
                symbol={symbol}
                side={isPage ? choice.side : null}
                window={fillsWindow}
              />
            </Tabs.Panel>
          </>
        )}
      </Tabs>
    </section>
  );
}

const LoggedOut = ({ next }: { readonly next: string }) => (
  <Empty
    icon={IconLock}
    title={t.orders.loggedOut}
    hint={
      <>
        <Link href={`/login?next=${next}`} className={styles.link}>
          {t.logIn}
        </Link>{' '}
        ·{' '}
        <Link href={`/register?next=${next}`} className={styles.link}>
          {t.createAccount}
        </Link>
      </>
    }
  />
);
