// The bell of the bar at the top: a notification about each fill and about rejected exits on every
// page, the number of unread ones, and their history.
import { ActionIcon, Button, Indicator, Popover, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBell } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { Link } from 'wouter';
import { type Order, Side } from '../../src/sdk/index.ts';
import { When } from '../components/figures.tsx';
import { Empty } from '../components/layout.tsx';
import { decimalsOf } from '../exact/decimal.ts';
import { grouped } from '../exact/format.ts';
import { isRejectedExit } from '../live/channels.ts';
import { feeds } from '../live/feeds.ts';
import { latest, useLive } from '../live/live.ts';
import { fillTexts as t } from '../messages/fills.ts';
import { averageDecimals } from '../trade/figures.ts';
import styles from './fill-bell.module.css';
import { allRead, cleared, type FilledOrder, isFilled } from './fill-history.ts';
import { useFillHistory, useFillWatch } from './fill-watch.ts';
import { playIfOn } from './sound.ts';

const NOTICE = 'fills';
const MAX_COUNT = 99;

export function FillBell({ uid }: { readonly uid: number }) {
  const place = useFillHistory(uid);
  const [opened, setOpened] = useState(false);
  const [spoken, setSpoken] = useState('');
  const emit = useCallback((orders: readonly Order[]) => setSpoken(notify(orders)), []);
  useFillWatch(place, emit);
  // The average price of an entry needs the decimals of its pair.
  useLive(feeds.instruments);
  const { orders } = place.history;
  const unread = orders.filter(({ isUnread }) => isUnread).length;
  const change = (next: boolean) => {
    setOpened(next);
    notifications.hide(NOTICE);
    if (!next) place.update(allRead);
  };
  return (
    <>
      <VisuallyHidden aria-live="polite">{spoken}</VisuallyHidden>
      <Popover
        opened={opened}
        onChange={change}
        position="bottom-end"
        shadow="md"
        width={360}
        trapFocus
        returnFocus
        middlewares={{ shift: { padding: 8 } }}
      >
        <Indicator
          label={Math.min(unread, MAX_COUNT)}
          size={15}
          offset={7}
          disabled={unread === 0}
          classNames={{ indicator: styles.count }}
        >
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              onClick={() => change(!opened)}
              aria-label={unread === 0 ? t.bell : t.bellUnread(unread)}
            >
              <IconBell size={18} />
            </ActionIcon>
          </Popover.Target>
        </Indicator>
        <Popover.Dropdown p={0} className={styles.dropdown} aria-label={t.title}>
          <History
            orders={orders}
            onClear={() => place.update(cleared)}
            onFollow={() => change(false)}
          />
        </Popover.Dropdown>
      </Popover>
    </>
  );
}

interface HistoryProps {
  readonly orders: readonly FilledOrder[];
  readonly onClear: () => void;
  readonly onFollow: () => void;
}

function History({ orders, onClear, onFollow }: HistoryProps) {
  return (
    <>
      <div className={styles.head}>
        <h2 className={styles.title}>{t.title}</h2>
        <Button size="compact-xs" variant="subtle" disabled={orders.length === 0} onClick={onClear}>
          {t.clear}
        </Button>
      </div>
      {orders.length === 0 ? (
        <Empty icon={IconBell} title={t.none} hint={t.noneWhy} />
      ) : (
        <ul className={styles.list}>
          {orders.map((order) => (
            <li key={order.orderId}>
              <Entry order={order} onFollow={onFollow} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface EntryProps {
  readonly order: FilledOrder;
  readonly onFollow: () => void;
}

function Entry({ order, onFollow }: EntryProps) {
  const { symbol, side, cumQty, orderQty, transactTime, isUnread, exitReason } = order;
  const base = symbol.split('-')[0]!;
  const isPart = !isFilled(order) && orderQty !== null;
  const buys = side === Side.buy;
  return (
    <Link
      href={`/trade/${symbol}`}
      className={styles.entry}
      data-unread={isUnread || undefined}
      onClick={onFollow}
    >
      <span className={styles.line}>
        <b>
          {isUnread ? <VisuallyHidden>{t.unread}</VisuallyHidden> : null}
          {exitReason ? t.noExits : isFilled(order) ? t.filled : t.partlyFilled}
        </b>
        <When at={transactTime} />
      </span>
      {exitReason ? (
        <span>{noExitsText(order, exitReason)}</span>
      ) : (
        <span className="figures">
          <span className={buys ? 'buy' : 'sell'}>{t.verb(buys)}</span>{' '}
          {isPart ? t.of(grouped(cumQty), grouped(orderQty)) : grouped(cumQty)} {base}{' '}
          {t.at(averageOf(order))}
        </span>
      )}
    </Link>
  );
}

/** 1 BTC has no target and no stop, with the reason. */
const noExitsText = (
  { orderQty, symbol }: Pick<FilledOrder, 'orderQty' | 'symbol'>,
  reason: string,
): string => t.noExitsWhy(`${grouped(orderQty ?? '0')} ${symbol.split('-')[0]}`, reason);

/** Shows the notifications. Returns their text. */
function notify(orders: readonly Order[]): string {
  playIfOn();
  const rejected = orders.filter(isRejectedExit);
  const filled = orders.filter((order) => !isRejectedExit(order));
  return [...rejected.map(warn), notifyOfFills(filled)].join(' ');
}

/** A warning stays until the user closes it: the position has no stop. */
function warn(order: Order): string {
  const message = noExitsText(order, order.ordRejText ?? '');
  const id = `${NOTICE}/${order.orderId}`;
  notifications.show({ id, title: t.noExits, message, color: 'red', autoClose: false });
  return `${t.noExits}. ${message}`;
}

/** Shows one notification, which replaces the last one. Returns its text. */
function notifyOfFills(orders: readonly Order[]): string {
  const [first] = orders;
  if (first === undefined) return '';
  const { symbol, side, cumQty } = first;
  const quantity = `${grouped(cumQty)} ${symbol.split('-')[0]}`;
  const traded = t.traded(side === Side.buy, quantity, averageOf(first));
  const one = isFilled(first) ? t.filled : t.partlyFilled;
  const title = orders.length === 1 ? one : t.several(orders.length);
  const message = orders.length === 1 ? traded : `${traded} ${t.others(orders.length - 1)}`;
  notifications.hide(NOTICE);
  // The live region above says the same; an alert would interrupt a screen reader.
  notifications.show({ id: NOTICE, title, message, color: 'teal', role: 'presentation' });
  return `${title}. ${message}`;
}

/** 60,131.225 USDT: a digit finer than the prices of the pair. */
function averageOf({ symbol, avgPx }: Pick<FilledOrder, 'symbol' | 'avgPx'>): string {
  const pair = latest(feeds.instruments)?.find((one) => one.symbol === symbol);
  const decimals = pair && averageDecimals({ priceDecimals: decimalsOf(pair.quoteAssetIncrement) });
  return `${grouped(avgPx, decimals)} ${symbol.split('-')[1]}`;
}
