// What keeps figures on the pages alive. Every page reads through here and nowhere else, so that how news arrives is decided
// here: by the streams where a feed has a channel, and by asking again and again where it has none, or its connection is down.
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
import { isLoggedOut, isNotReached, Refused } from '../api/refusal.ts';
import type { News } from './channel.ts';
import { Listening } from './listening.ts';

/** Something that is read: what it is, how it is read, how fresh it has to be, and how its news arrives. */
export interface Feed<T> {
  /** Names it; feeds with the same key are one. */
  readonly key: readonly (string | number | null)[];
  readonly read: (options: CallOptions) => Promise<T>;
  /** How old it may get without news, ms; null for what changes only when it is refreshed. */
  readonly every: number | null;
  /** Where it has a channel: while that is open, nothing is asked. */
  readonly news?: News<T>;
}

export type Live<T> = Pick<
  UseQueryResult<T, Error>,
  'data' | 'dataUpdatedAt' | 'error' | 'isPending' | 'isFetching' | 'refetch'
>;

/** Where several answers arrive at once they are drawn at once, with the next frame. */
function nextFrame(act: () => void): void {
  if (document.hidden) setTimeout(act);
  else requestAnimationFrame(act);
}
notifyManager.setScheduler(nextFrame);

/** A refusal is an answer, so asking again gives it again; a connection that failed is tried anew. */
const retry = (failures: number, error: Error): boolean => isNotReached(error) && failures < 2;

/** A session that has ended shows in any feed first; who has logged in is then asked anew. */
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

/** Each call of the operator is written to the audit log and synced, so figures that were just read are not read again. */
queryClient.setQueryDefaults(['operator'], { staleTime: 60_000, refetchOnWindowFocus: false });
/** Levels that have not changed are the same objects already; comparing them all would take longer than drawing. */
for (const name of ['book', 'l3Book']) {
  queryClient.setQueryDefaults([name], { structuralSharing: false });
}

const listening = new Listening({
  streams: client.streams,
  nextFrame,
  onDoubt: () => void refresh(['me']),
});
onStreamState((endpoint, state) => listening.noteState(endpoint, state));

/** A tab that is hidden for so long lets its connections go, ms. */
const HIDDEN_MS = 5 * 60_000;
let hidden: ReturnType<typeof setTimeout> | undefined;
function noteVisibility(): void {
  clearTimeout(hidden);
  if (document.hidden) hidden = setTimeout(() => listening.setAwake(false), HIDDEN_MS);
  else listening.setAwake(true);
}
if (typeof document !== 'undefined') {
  document.addEventListener('visibilitychange', noteVisibility);
  noteVisibility();
}

/** The newest state of a feed; null reads nothing. While it is asked again the last answer stays. */
export function useLive<T>(feed: Feed<T> | null): Live<T> {
  const every = feed?.every ?? null;
  const isLive = useNews(feed);
  return useQuery<T, Error>({
    queryKey: feed?.key ?? ['nothing'],
    queryFn: ({ signal }) => readFeed(feed!, signal),
    enabled: feed !== null,
    ...(isLive ? { staleTime: Number.POSITIVE_INFINITY } : {}),
    refetchInterval: (query) => {
      if (every === null || isLive) return false;
      // Who asks too often, or too early, waits as long as the server says.
      const { error } = query.state;
      return Math.max(every, error instanceof Refused ? (error.retryAfterMs ?? 0) : 0);
    },
  });
}

/** Follows the channel of a feed as long as it is shown; says whether news come by it. */
function useNews<T>(feed: Feed<T> | null): boolean {
  const name = feed?.news === undefined ? null : hashKey(feed.key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: feeds of the same name are one
  useEffect(() => {
    if (name === null) return;
    const { key, news } = feed!;
    return listening.follow(name, news as News<unknown>, {
      write: (update) => queryClient.setQueryData(key, update),
      readAgain: () => void refresh(key),
    });
  }, [name]);
  const watch = useCallback((watcher: () => void) => listening.watch(watcher), []);
  return useSyncExternalStore(watch, () => name !== null && listening.isLive(name));
}

/** What a call answers may be older than what has come by the stream meanwhile. */
async function readFeed<T>(feed: Feed<T>, signal: AbortSignal): Promise<T> {
  let shows = 0;
  const answer = await feed.read({
    signal,
    onAnswer: ({ seq }) => {
      shows = seq ?? 0;
    },
  });
  return listening.settle(hashKey(feed.key), answer, shows);
}

/** Reads a feed once, now: what a click asks for and nobody goes on looking at. */
export const readOnce = <T>(feed: Feed<T>): Promise<T> =>
  queryClient.fetchQuery({
    queryKey: feed.key,
    queryFn: ({ signal }) => readFeed(feed, signal),
    staleTime: 0,
  });

/** What a feed said last, without asking; undefined where nobody reads it. */
export const latest = <T>({ key }: Feed<T>): T | undefined => queryClient.getQueryData<T>(key);

/** Reads these feeds again now: after a write, so that its effect is seen at once. A shorter key means all below it. */
export async function refresh(
  ...keys: readonly (readonly (string | number | null)[])[]
): Promise<void> {
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Forgets these feeds: after a logout from a part of the pages. */
export function forget(key: readonly (string | number | null)[]): void {
  queryClient.removeQueries({ queryKey: key });
}

/** First words of the feeds that are the same for everybody; all others are somebody's. */
const PUBLIC: ReadonlySet<unknown> = new Set([
  'instruments',
  'assets',
  'serverTime',
  'tickers',
  'book',
  'l3Book',
  'trades',
  'candles',
  'candlesBefore',
]);

/**
 * Forgets all that is of a person, and listens anew: after a login or logout nothing of theirs may be shown to the next one. What
 * everybody may know stays, so that what stands on it stays as well: an order that was being written is not wiped away.
 */
export function forgetPerson(): void {
  queryClient.removeQueries({ predicate: ({ queryKey: [first] }) => !PUBLIC.has(first) });
  listening.beginAnew();
}

/** Nothing private comes any more: the login has ended, or is about to. */
export const hangUp = (): void => listening.hangUp();
/** The login goes on after all. */
export const listenAgain = (): void => listening.beginAnew();
