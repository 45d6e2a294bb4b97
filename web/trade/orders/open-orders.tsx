// The open orders, each with a button that cancels it.
import { IconListCheck } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { type Order, Side } from '../../../src/sdk/index.ts';
import { Empty, Loaded, RejectionNote } from '../../components/layout.tsx';
import { SteadyButton } from '../../components/texts.tsx';
import { feeds, OPEN_ORDERS } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { useCancel } from './cancel.tsx';
import { OPEN_COLUMNS, orderHead } from './columns.tsx';
import { passes, type RowFilter } from './history-page.ts';
import { type OpenRow, withExits } from './legs.ts';
import styles from './orders.module.css';
import { RowList } from './row-list.tsx';

interface OpenOrdersProps {
  readonly filter: RowFilter;
}

export function OpenOrders({ filter }: OpenOrdersProps) {
  const live = useLive(feeds.openOrders);
  const [asked, setAsked] = useState<Order | null>(null);
  const canceling = useCancel();
  const cancel = (order: Order) => {
    setAsked(order);
    canceling.run(order);
  };
  const list = useFocusKept();
  const action = (order: OpenRow) =>
    order.planned === undefined ? (
      <SteadyButton
        size="compact-xs"
        variant="default"
        pending={canceling.pending && asked?.orderId === order.orderId}
        off={canceling.pending}
        onClick={() => cancel(order)}
        aria-label={t.orders.cancelOrder(order.side === Side.buy, order.symbol, order.orderId)}
        data-cancels
      >
        {t.orders.cancel}
      </SteadyButton>
    ) : (
      <span className="dim nowrap">{t.orders.afterEntry}</span>
    );
  // A rejection disappears together with its order.
  const isOpen = live.data?.data.some(({ orderId }) => orderId === asked?.orderId) ?? false;
  return (
    <div ref={list}>
      {isOpen && canceling.error !== null ? (
        <div className={styles.rejection}>
          <RejectionNote error={canceling.error} />
        </div>
      ) : null}
      <Loaded live={live} rows={3}>
        {({ data }) => {
          const rows = data.filter((order) => passes(filter, order));
          if (rows.length === 0) return <NoneOpen filter={filter} />;
          return (
            <>
              <RowList
                label={t.orders.open}
                rows={withExits(rows)}
                keyOf={({ orderId }) => orderId}
                columns={[
                  ...OPEN_COLUMNS,
                  { title: t.orders.action, align: 'right', pinned: true, render: action },
                ]}
                head={orderHead}
                aside={action}
              />
              {data.length < OPEN_ORDERS ? null : (
                <p className={styles.pages}>{t.orders.newest(OPEN_ORDERS)}</p>
              )}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

function NoneOpen({ filter: { symbol, side, type } }: OpenOrdersProps) {
  const isFiltered = side !== null || type !== null;
  const inPair = symbol === null ? t.orders.noOpen : t.orders.noOpenIn(symbol);
  return (
    <Empty
      icon={IconListCheck}
      title={isFiltered ? t.orders.noMatch : inPair}
      hint={isFiltered ? null : t.orders.noOpenWhy}
    />
  );
}

const CANCEL_BUTTONS = 'button[data-cancels]';
const CURRENT_TAB = '[role="tab"][aria-selected="true"]';

/**
 * When the focused row disappears, the next row's button gets the focus; without a next row, the
 * tab above gets it.
 */
function useFocusKept() {
  const list = useRef<HTMLDivElement>(null);
  const focused = useRef<{ readonly button: Element; readonly at: number } | null>(null);
  useLayoutEffect(() => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>(CANCEL_BUTTONS) ?? [])];
    const { activeElement } = document;
    if (focused.current?.button.isConnected === false && activeElement === document.body) {
      const next = buttons[Math.min(focused.current.at, buttons.length - 1)];
      const tab = list.current?.closest('section')?.querySelector<HTMLElement>(CURRENT_TAB);
      (next ?? tab)?.focus();
    }
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    focused.current = at < 0 ? null : { button: buttons[at]!, at };
  });
  return list;
}
