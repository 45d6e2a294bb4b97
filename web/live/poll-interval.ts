// When a feed is read again.
import { isNotReached, Rejection } from '../api/rejection.ts';

/** After a read without an answer, so that pages recover from a restart of the server, ms. */
const RETRY_MS = 5_000;

/**
 * The time until the next read, ms; false for none. `every` is the interval of the feed, null for
 * one that is not polled. A channel updates a feed that is live.
 */
export function pollInterval(
  every: number | null,
  isLive: boolean,
  error: Error | null,
): number | false {
  const soon = Math.min(every ?? RETRY_MS, RETRY_MS);
  if (isNotReached(error)) return soon;
  // After a rate limit, or from a busy server, it waits as long as the server says.
  const retryAfterMs = error instanceof Rejection ? error.retryAfterMs : null;
  if (retryAfterMs !== null) return Math.max(soon, retryAfterMs);
  return isLive ? false : (every ?? false);
}
