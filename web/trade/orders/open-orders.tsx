// The open orders, with buttons that cancel one or all of them.
import { Button, Group, Modal, Text } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Side } from '../../../src/sdk/generated/codes.ts';
import type { Order } from '../../../src/sdk/index.ts';
import { client } from '../../api/clients.ts';
import { useAction } from '../../components/action.ts';
import { Empty, Loaded, RejectionNote } from '../../components/states.tsx';
import { SteadyButton } from '../../components/steady-button.tsx';
import { feeds, OPEN_ORDERS } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { useOpenOrders } from '../feeds.ts';
import { OPEN_COLUMNS, orderHead } from './columns.tsx';
import { passes, type RowFilter } from './history-page.ts';
import { type OpenRow, withExits } from './legs.ts';
import styles from './orders.module.css';
import { RowList } from './row-list.tsx';
import { cancelOutcome, orderSentence } from './words.ts';

/** The feeds that a cancel changes. */
const AFFECTED = [['orders'], ['balances']] as const;

interface OpenOrdersProps {
  readonly filter: RowFilter;
}

export function OpenOrders({ filter }: OpenOrdersProps) {
  const live = useLive(feeds.openOrders);
  const [asked, setAsked] = useState<Order | null>(null);
  const canceling = useAction(cancelOrder, {
    done: (order) => t.orders.canceled(orderSentence(order)),
    refreshes: AFFECTED,
  });
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
      icon={<IconListCheck size={24} stroke={1.5} />}
      title={isFiltered ? t.orders.noMatch : inPair}
    >
      {isFiltered ? null : t.orders.noOpenWhy}
    </Empty>
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

/** `symbol` limits it to one pair; null means all pairs. */
export function CancelAll({ symbol }: { readonly symbol: string | null }) {
  const [asking, setAsking] = useState(false);
  const open = (useOpenOrders() ?? []).filter(
    (order) => symbol === null || order.symbol === symbol,
  );
  const count = open.length;
  const cancel = useAction(cancelAndRead, {
    done: (after) => (after === null ? t.orders.canceledUnread : cancelOutcome(open, after)),
    refreshes: AFFECTED,
    onDone: () => setAsking(false),
  });
  // The question keeps its count while the orders disappear one by one.
  const asked = useRef(count);
  if (!cancel.pending && count > 0) asked.current = count;
  const isMore = asked.current >= OPEN_ORDERS;
  const close = () => {
    setAsking(false);
    cancel.clear();
  };
  return (
    <>
      <SteadyButton
        size="compact-xs"
        variant="default"
        off={count === 0}
        onClick={() => setAsking(true)}
      >
        {t.orders.cancelAll}
      </SteadyButton>
      <Modal
        opened={asking}
        onClose={close}
        title={t.orders.cancelQuestion(asked.current, isMore)}
        size="sm"
      >
        <Text size="sm" mb="md">
          {symbol === null ? t.orders.cancelsEvery : t.orders.cancelsIn(symbol)}{' '}
          {t.orders.cancelKeepsFills}
        </Text>
        <RejectionNote error={cancel.error} />
        <Group justify="flex-end" mt="md" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {t.goBack}
          </Button>
          <Button color="red.9" onClick={() => cancel.run(symbol)} loading={cancel.pending}>
            {t.orders.cancelCount(asked.current, isMore)}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

/**
 * The answer does not list the canceled orders, so this reads what is still open; null if it
 * cannot.
 */
async function cancelAndRead(symbol: string | null): Promise<readonly Order[] | null> {
  const scope = { symbol: symbol ?? undefined };
  await client.massCancel(scope);
  const read = client.orders({ type: 'OPEN', size: OPEN_ORDERS, ...scope });
  return read.then(({ data }) => data).catch(() => null);
}
