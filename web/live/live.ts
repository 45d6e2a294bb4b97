// Keeps the data of the pages up to date. Every page reads through this file. A feed with a channel
// follows its stream; other feeds, and all feeds without a connection, are polled.
import {
  hashKey,
  notifyManager,
  QueryCache,
  QueryClient,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import type { CallOptions } from '../../src/sdk/index.ts';
import { client, onStreamState } from '../api/clients.ts';
import { isLoggedOut, isNotReached } from '../api/rejection.ts';
import type { FeedUpdates } from './channel.ts';
import { ChannelManager } from './channel-manager.ts';
import { pollInterval } from './poll-interval.ts';

/** Data that pages read and keep up to date. */
export interface Feed<T> {
  /** Feeds with the same key are the same feed. */
  readonly key: readonly (string | number | null)[];
  readonly read: (options: CallOptions) => Promise<T>;
  /** The poll interval, ms; null for data that changes only with `refresh`. */
  readonly every: number | null;
  /** The channel that updates it; while that is live, the feed is not polled. */
  readonly updates?: FeedUpdates<T>;
}

/** Makes feeds whose keys begin with `prefix`, so that a write refreshes them together. */
export const feedsBelow =
  (...prefix: Feed<unknown>['key']) =>
  <T>(
    key: Feed<T>['key'],
    every: number | null,
    read: Feed<T>['read'],
    updates?: FeedUpdates<T>,
  ): Feed<T> => ({
    ...{ key: [...prefix, ...key], every, read },
    ...(updates === undefined ? {} : { updates }),
  });

export const feed = feedsBelow();

/** The first rows of an endless list. */
export async function firstOf<T>(rows: AsyncIterable<T>, maximum: number): Promise<readonly T[]> {
  const read: T[] = [];
  for await (const row of rows) {
    read.push(row);
    if (read.length === maximum) break;
  }
  return read;
}

export type Live<T> = Pick<
  UseQueryResult<T, Error>,
  'data' | 'dataUpdatedAt' | 'error' | 'isPending' | 'isFetching' | 'refetch'
>;

/** Draws the answers that arrive within one frame together. */
function nextFrame(act: () => void): void {
  if (document.hidden) setTimeout(act);
  else requestAnimationFrame(act);
}
notifyManager.setScheduler(nextFrame);

/** Retries a lost connection. A rejection is an answer and would only be repeated. */
const retry = (failures: number, error: Error): boolean => isNotReached(error) && failures < 2;

/** An ended session shows in any feed first; reading `me` again then confirms it. */
const queryCache = new QueryCache({
  onError(error, { queryKey }) {
    const [first] = queryKey;
    if (isLoggedOut(error) && first !== 'me' && first !== 'operator') refresh(['me']);
  },
});

export const queryClient = new QueryClient({
  queryCache,
  defaultOptions: { queries: { retry, staleTime: 5_000, refetchOnWindowFocus: true } },
});

/** Every operator call writes to the audit log, so fresh data is not read again. */
queryClient.setQueryDefaults(['operator'], { staleTime: 60_000, refetchOnWindowFocus: false });
/** Unchanged levels are already the same objects; comparing them takes longer than drawing. */
for (const name of ['book', 'l3Book']) {
  queryClient.setQueryDefaults([name], { structuralSharing: false });
}

const channels = new ChannelManager({
  streams: client.streams,
  nextFrame,
  checkSession: () => void refresh(['me']),
});
onStreamState((endpoint, state) => channels.setConnectionState(endpoint, state));

/** A tab that is hidden for this long closes its connections, ms. */
const HIDDEN_MS = 5 * 60_000;
let hidden: ReturnType<typeof setTimeout> | undefined;
function followVisibility(): void {
  clearTimeout(hidden);
  if (document.hidden) hidden = setTimeout(() => channels.setAwake(false), HIDDEN_MS);
  else channels.setAwake(true);
}
if (typeof document !== 'undefined') {
  document.addEventListener('visibilitychange', followVisibility);
  followVisibility();
}

/** The data of a feed; null reads nothing. The last answer stays while the feed is read again. */
export function useLive<T>(feed: Feed<T> | null): Live<T> {
  const every = feed?.every ?? null;
  const isLive = useUpdates(feed);
  return useQuery<T, Error>({
    queryKey: feed?.key ?? ['nothing'],
    queryFn: ({ signal }) => readFeed(feed!, signal),
    enabled: feed !== null,
    ...(isLive ? { staleTime: Number.POSITIVE_INFINITY } : {}),
    refetchInterval: ({ state: { error } }) => pollInterval(every, isLive, error),
  });
}

/** Follows the channel of a feed while it is shown. Returns whether the channel is live. */
function useUpdates<T>(feed: Feed<T> | null): boolean {
  const name = feed?.updates === undefined ? null : hashKey(feed.key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name identifies the feed
  useEffect(() => {
    if (name === null) return;
    const { key, updates } = feed!;
    return channels.follow(name, updates as FeedUpdates<unknown>, {
      update: (derive) => queryClient.setQueryData(key, derive),
      reread: () => void refresh(key),
    });
  }, [name]);
  const watch = useCallback((watcher: () => void) => channels.watch(watcher), []);
  return useSyncExternalStore(watch, () => name !== null && channels.isLive(name));
}

/** The answer of a call may be older than the state of the channel. */
async function readFeed<T>(feed: Feed<T>, signal: AbortSignal): Promise<T> {
  let answered = 0;
  const answer = await feed.read({
    signal,
    onAnswer: ({ seq }) => {
      answered = seq ?? 0;
    },
  });
  return channels.settle(hashKey(feed.key), answer, answered);
}

/** Reads a feed once, for data that is not kept up to date. */
export const readOnce = <T>(feed: Feed<T>): Promise<T> =>
  queryClient.fetchQuery({
    queryKey: feed.key,
    queryFn: ({ signal }) => readFeed(feed, signal),
    staleTime: 0,
  });

/** The current data of a feed, without reading it; undefined if no component shows it. */
export const latest = <T>({ key }: Feed<T>): T | undefined => queryClient.getQueryData<T>(key);

/** Reads these feeds again after a write. A shorter key means all feeds below it. */
export async function refresh(
  ...keys: readonly (readonly (string | number | null)[])[]
): Promise<void> {
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Removes these feeds, after a logout from a part of the pages. */
export function forget(key: readonly (string | number | null)[]): void {
  queryClient.removeQueries({ queryKey: key });
}

/** The first key part of the feeds that are public; all others belong to the user. */
const PUBLIC: ReadonlySet<unknown> = new Set([
  'instruments',
  'assets',
  'feeSchedule',
  'serverTime',
  'tickers',
  'book',
  'l3Book',
  'trades',
  'candles',
  'candlesBefore',
]);

/**
 * Removes the user's data and reopens the private channels, after a login or logout. Public data
 * stays, and so does an order that is being written.
 */
export function forgetUser(): void {
  queryClient.removeQueries({ predicate: ({ queryKey: [first] }) => !PUBLIC.has(first) });
  channels.reopenPrivate();
}

/** Closes the private channels before or after a logout. */
export const closePrivate = (): void => channels.closePrivate();
/** Reopens the private channels after a logout that failed. */
export const reopenPrivate = (): void => channels.reopenPrivate();

/** True if the browser reports no network, which it does long before a request times out. */
export function useOffline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener);
      window.addEventListener('offline', listener);
      return () => {
        window.removeEventListener('online', listener);
        window.removeEventListener('offline', listener);
      };
    },
    () => !navigator.onLine,
  );
}
