// What keeps figures on the pages alive. Every page reads through here and nowhere else, so that how news arrives (asking
// again and again now, streams later) is decided in this one file.
import {
  notifyManager,
  QueryCache,
  QueryClient,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { isLoggedOut, NotReached, Refused } from '../api/refusal.ts';

/** Something that is read again and again: what it is, how it is read, and how fresh it has to be. */
export interface Feed<T> {
  /** Names it; feeds with the same key are one. */
  readonly key: readonly (string | number | null)[];
  readonly read: (signal: AbortSignal) => Promise<T>;
  /** How old it may get, ms; null for what changes only when it is refreshed. */
  readonly every: number | null;
}

export type Live<T> = Pick<
  UseQueryResult<T, Error>,
  'data' | 'dataUpdatedAt' | 'error' | 'isPending' | 'isFetching' | 'refetch'
>;

/** Where several answers arrive at once they are drawn at once, with the next frame. */
notifyManager.setScheduler((flush) => {
  if (document.hidden) setTimeout(flush);
  else requestAnimationFrame(flush);
});

/** A refusal is an answer, so asking again gives it again; a connection that failed is tried anew. */
const retry = (failures: number, error: Error): boolean =>
  error instanceof NotReached && failures < 2;

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

/** For the benchmark of the pages: asks more often than people need. */
const FASTEST_MS = Number(new URLSearchParams(location.search).get('refresh') ?? 0);

/** The newest state of a feed; null reads nothing. While it is asked again the last answer stays. */
export function useLive<T>(feed: Feed<T> | null): Live<T> {
  const every = feed?.every ?? null;
  return useQuery<T, Error>({
    queryKey: feed?.key ?? ['nothing'],
    queryFn: ({ signal }) => feed!.read(signal),
    enabled: feed !== null,
    refetchInterval: (query) => {
      if (every === null) return false;
      // Who asks too often, or too early, waits as long as the server says.
      const { error } = query.state;
      const wait = error instanceof Refused ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
      return Math.max(FASTEST_MS > 0 ? Math.min(every, FASTEST_MS) : every, wait);
    },
  });
}

/** Reads a feed once, now: what a click asks for and nobody goes on looking at. */
export const readOnce = <T>({ key, read }: Feed<T>): Promise<T> =>
  queryClient.fetchQuery({ queryKey: key, queryFn: ({ signal }) => read(signal), staleTime: 0 });

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

/** Forgets everything: after a logout nothing of the person may be shown to the next one. */
export function forgetAll(): void {
  queryClient.clear();
}
