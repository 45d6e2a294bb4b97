// The open orders: how much of each is filled, and a way out.

import { IconListCheck } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { Order } from '../../../src/sdk/index.ts';
import { client } from '../../api/clients.ts';
import { useAction } from '../../components/action.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty, Loaded, RefusalNote } from '../../components/states.tsx';
import { SteadyButton } from '../../components/steady-button.tsx';
import { multiply } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { canceledOrderWords, MOST_SHOWN } from './cancel-words.ts';
import {
  CardHead,
  FilledCell,
  PairCell,
  PlacedCell,
  PriceCell,
  SideCell,
  SizeCell,
  useCards,
} from './cells.tsx';
import styles from './orders.module.css';
import { RowCards } from './row-cards.tsx';
import { sideWord, typeWord } from './words.ts';

export function OpenOrders({ symbol }: { readonly symbol: string | null }) {
  const live = useLive(feeds.openOrders);
  const [pending, setPending] = useState<number | null>(null);
  const [asked, setAsked] = useState<Order | null>(null);
  const canceling = useAction(cancelIt, {
    done: canceledOrderWords,
    refreshes: [['orders'], ['balances']],
  });
  const run = async (order: Order) => {
    setPending(order.orderId);
    setAsked(order);
    await canceling.run(order);
    setPending(null);
  };
  const cards = useCards();
  const list = useFocusKept();
  const action = (order: Order) => (
    <SteadyButton
      size="compact-xs"
      variant="default"
      pending={pending === order.orderId}
      off={canceling.pending}
      onClick={() => run(order)}
      aria-label={`Cancel: ${sideWord(order.side)} ${order.symbol}, order ${order.orderId}`}
    >
      Cancel
    </SteadyButton>
  );
  // A refusal is about one order, and goes with it.
  const isSaid = live.data?.data.some(({ orderId }) => orderId === asked?.orderId) ?? false;
  return (
    <div ref={list}>
      {isSaid && canceling.error !== null ? (
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
              {cards ? (
                <RowCards
                  label="Open orders"
                  rows={rows}
                  keyOf={({ orderId }) => String(orderId)}
                  head={(order) => <CardHead order={order} />}
                  aside={action}
                  facts={factsOf}
                />
              ) : (
                <DataTable
                  label="Open orders"
                  rows={rows}
                  columns={columnsWith(action)}
                  keyOf={({ orderId }) => String(orderId)}
                />
              )}
              {data.length < MOST_SHOWN ? null : (
                <p className={styles.pages}>The newest {MOST_SHOWN} open orders are shown.</p>
              )}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

/**
 * When the row that had the keyboard's focus goes, its place in the list gets it: the button of the next row, or the tab above
 * where there is none.
 */
function useFocusKept() {
  const list = useRef<HTMLDivElement>(null);
  const held = useRef<{ readonly button: Element; readonly at: number } | null>(null);
  useLayoutEffect(() => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>(CANCELS) ?? [])];
    const { activeElement } = document;
    if (held.current?.button.isConnected === false && activeElement === document.body) {
      const next = buttons[Math.min(held.current.at, buttons.length - 1)];
      (next ?? list.current?.closest('section')?.querySelector<HTMLElement>(TAB))?.focus();
    }
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    held.current = at < 0 ? null : { button: buttons[at]!, at };
  });
  return list;
}

async function cancelIt(order: Order): Promise<Order> {
  await client.cancelOrder({ orderId: order.orderId });
  return order;
}

const CANCELS = 'button[aria-label^="Cancel: "]';
const TAB = '[role="tab"][aria-selected="true"]';

function NoOpenOrders({ symbol }: { readonly symbol: string | null }) {
  return (
    <Empty
      icon={<IconListCheck size={24} stroke={1.5} />}
      title={symbol === null ? 'No open orders' : `No open orders in ${symbol}`}
    >
      Limit orders wait here until they are filled or canceled.
    </Empty>
  );
}

const factsOf = (order: Order): readonly (readonly [string, ReactNode])[] => [
  ['Price', <PriceCell key="price" order={order} />],
  ['Quantity', <SizeCell key="quantity" order={order} />],
  ['Filled', <FilledCell key="filled" order={order} />],
  ['Placed', <PlacedCell key="time" order={order} />],
];

const columnsWith = (action: (order: Order) => ReactNode): readonly Column<Order>[] => [
  { title: 'Placed', from: 'sm', render: (order) => <PlacedCell order={order} /> },
  { title: 'Pair', render: ({ symbol }) => <PairCell symbol={symbol} /> },
  { title: 'Side', render: ({ side }) => <SideCell side={side} /> },
  {
    title: 'Type',
    from: 'md',
    render: (order) => <span className="nowrap">{typeWord(order)}</span>,
  },
  { title: 'Price', align: 'right', render: (order) => <PriceCell order={order} /> },
  { title: 'Quantity', align: 'right', render: (order) => <SizeCell order={order} /> },
  { title: 'Filled', align: 'right', from: 'sm', render: (order) => <FilledCell order={order} /> },
  {
    title: 'Total',
    align: 'right',
    from: 'md',
    render: ({ price, orderQty, symbol }) =>
      price === null || orderQty === null ? null : (
        <span className="figures nowrap">
          {grouped(multiply(price, orderQty))} <span className="dim">{symbol.split('-')[1]}</span>
        </span>
      ),
  },
  { title: 'Action', align: 'right', render: action },
];
