// Watches the orders of the logged-in user on every page: it keeps the history of fills and of
// rejected exits, and emits each of the stream once. When the stream begins, it reads what happened
// while no page was open.
import { useEffect, useMemo, useRef } from 'react';
import { type Order, OrdStatus } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { isRejectedExit, type OrderNews } from '../live/channels.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { type StoredText, stored } from '../session/stored.ts';
import {
  type FillHistory,
  parseHistory,
  reportsAfter,
  seenUntil,
  withOrder,
} from './fill-history.ts';

export interface StoredHistory {
  readonly history: FillHistory;
  /** Changes what is stored, which another tab may have changed since. */
  readonly update: (change: (history: FillHistory) => FillHistory) => void;
}

/** All tabs of a browser share the history of a user. */
export function useFillHistory(uid: number): StoredHistory {
  const place = useMemo(() => stored(localStorage, `agio.fills.${uid}`), [uid]);
  const text = place.use();
  return useMemo(
    () => ({ history: parseHistory(text), update: (change) => updateStored(place, change) }),
    [text, place],
  );
}

function updateStored(place: StoredText, change: (history: FillHistory) => FillHistory): void {
  const before = parseHistory(place.get());
  const after = change(before);
  if (after !== before) place.set(JSON.stringify(after));
}

/** Calls `emit` with the last report of each order that traded, and with rejected exits. */
export function useFillWatch(
  { update, history }: StoredHistory,
  emit: (orders: readonly Order[]) => void,
): void {
  const { data: news } = useLive(feeds.orderNews);
  const seen = useRef<{ readonly since: number; readonly execId: number | null } | null>(null);
  const { seenAt } = history;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only news is processed
  useEffect(() => {
    if (news === undefined || news === null) return;
    const begins = seen.current?.since !== news.since;
    if (begins) catchUp(seenAt, news, update);
    const reports = reportsAfter(news.reports, begins ? null : seen.current!.execId);
    seen.current = { since: news.since, execId: news.reports.at(-1)?.execId ?? null };
    if (reports.length === 0) return;
    update((current) => reports.reduce(withOrder, current));
    emit([...new Map(reports.map((report) => [report.orderId, report])).values()]);
  }, [news]);
}

/** The orders that are read after an absence. */
const MAX_MISSED = 20;
const MAX_FILLS = 500;

/** Adds what happened between `from` and the beginning of the stream. */
async function catchUp(
  from: number,
  { since }: Pick<OrderNews, 'since'>,
  update: StoredHistory['update'],
): Promise<void> {
  try {
    const isNew = from === 0 || from > since;
    const missed = isNew ? [] : [await tradedOrders(from, since), await rejectedExits(from, since)];
    update((history) => seenUntil(missed.flat().reduce(withOrder, history), since));
  } catch {
    // The next stream begins from the same time.
  }
}

/** The newest orders that traded in a window, oldest first. */
async function tradedOrders(startTime: number, endTime: number): Promise<readonly Order[]> {
  const fills = await client.fills({ startTime, endTime, size: MAX_FILLS });
  const ids = [...new Set(fills.map(({ orderId }) => orderId))].slice(0, MAX_MISSED);
  const orders: Order[] = [];
  for (const orderId of ids.toReversed()) {
    orders.push(...(await client.orders({ type: 'SINGLE', orderId })).data);
  }
  return orders;
}

/** The newest exits that were rejected in a window, oldest first. */
async function rejectedExits(startTime: number, endTime: number): Promise<readonly Order[]> {
  const filter = `ordStatus,${OrdStatus.rejected}`;
  const newest = { filter, endDate: endTime, size: MAX_FILLS };
  const { data } = await client.orders({ type: 'COMPLETED', ...newest });
  const isMissed = (row: Order): boolean => isRejectedExit(row) && row.createTime >= startTime;
  return data.filter(isMissed).slice(0, MAX_MISSED).toReversed();
}
