// The open orders: the filled part of each, and a button to cancel it.
import { IconListCheck } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Side } from '../../../src/sdk/generated/codes.ts';
import type { Order } from '../../../src/sdk/index.ts';
import { client } from '../../api/clients.ts';
import { useAction } from '../../components/action.ts';
import { Empty, Loaded, RefusalNote } from '../../components/states.tsx';
import { SteadyButton } from '../../components/steady-button.tsx';
import { multiply } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import {
  CardHead,
  FilledCell,
  PairCell,
  PlacedCell,
  PriceCell,
  SideCell,
  SizeCell,
  TypeCell,
} from './cells.tsx';
import styles from './orders.module.css';
import { type RowColumn, RowList } from './row-list.tsx';
import { MAX_OPEN, orderSentence } from './words.ts';

export function OpenOrders({ symbol }: { readonly symbol: string | null }) {
  const live = useLive(feeds.openOrders);
  const [pending, setPending] = useState<number | null>(null);
  const [asked, setAsked] = useState<Order | null>(null);
  const canceling = useAction(cancelOrder, {
    done: (order) => t.orders.canceled(orderSentence(order)),
    refreshes: [['orders'], ['balances']],
  });
  const run = async (order: Order) => {
    setPending(order.orderId);
    setAsked(order);
    await canceling.run(order);
    setPending(null);
  };
  const list = useFocusKept();
  const action = (order: Order) => (
    <SteadyButton
      size="compact-xs"
      variant="default"
      pending={pending === order.orderId}
      off={canceling.pending}
      onClick={() => run(order)}
      aria-label={t.orders.cancelOrder(order.side === Side.buy, order.symbol, order.orderId)}
      data-cancels
    >
      {t.orders.cancel}
    </SteadyButton>
  );
  // A refusal disappears together with its order.
  const isOpen = live.data?.data.some(({ orderId }) => orderId === asked?.orderId) ?? false;
  return (
    <div ref={list}>
      {isOpen && canceling.error !== null ? (
        <div className={styles.refusal}>
          <RefusalNote error={canceling.error} />
        </div>
      ) : null}
      <Loaded live={live} rows={3}>
        {({ data }) => {
          const rows = data.filter((order) => symbol === null || order.symbol === symbol);
          if (rows.length === 0) return <NoOpenOrders symbol={symbol} />;
          return (
            <>
              <RowList
                label={t.orders.open}
                rows={rows}
                keyOf={({ orderId }) => orderId}
                columns={columnsWith(action)}
                head={(order) => <CardHead order={order} />}
                aside={action}
              />
              {data.length < MAX_OPEN ? null : (
                <p className={styles.pages}>{t.orders.newest(MAX_OPEN)}</p>
              )}
            </>
          );
        }}
      </Loaded>
    </div>
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

async function cancelOrder(order: Order): Promise<Order> {
  await client.cancelOrder({ orderId: order.orderId });
  return order;
}

function NoOpenOrders({ symbol }: { readonly symbol: string | null }) {
  return (
    <Empty
      icon={<IconListCheck size={24} stroke={1.5} />}
      title={symbol === null ? t.orders.noOpen : t.orders.noOpenIn(symbol)}
    >
      {t.orders.noOpenWhy}
    </Empty>
  );
}

const columnsWith = (action: (order: Order) => ReactNode): readonly RowColumn<Order>[] => [
  {
    title: t.orders.placed,
    onCard: true,
    from: 'sm',
    render: (order) => <PlacedCell order={order} />,
  },
  { title: t.orders.pair, render: ({ symbol }) => <PairCell symbol={symbol} /> },
  { title: t.orders.side, render: ({ side }) => <SideCell side={side} /> },
  { title: t.orders.type, from: 'md', render: (order) => <TypeCell order={order} /> },
  {
    title: t.orders.price,
    onCard: true,
    align: 'right',
    render: (order) => <PriceCell order={order} />,
  },
  {
    title: t.orders.quantity,
    onCard: true,
    align: 'right',
    render: (order) => <SizeCell order={order} />,
  },
  {
    title: t.orders.filled,
    onCard: true,
    align: 'right',
    from: 'sm',
    render: (order) => <FilledCell order={order} />,
  },
  {
    title: t.orders.total,
    align: 'right',
    from: 'md',
    render: ({ price, orderQty, symbol }) =>
      price === null || orderQty === null ? null : (
        <span className="figures nowrap">
          {grouped(multiply(price, orderQty))} <span className="dim">{symbol.split('-')[1]}</span>
        </span>
      ),
  },
  { title: t.orders.action, align: 'right', render: action },
];
