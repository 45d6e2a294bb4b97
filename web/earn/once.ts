// Subscribes and redeems once: a request without an answer keeps its Idempotency-Key, even if its
// dialog was closed meanwhile.
import { isNotReached, leavesOpen } from '../api/rejection.ts';

/** The same request after this time is a new request. */
const KEPT_MS = 10 * 60_000;

interface OpenWrite {
  readonly key: string;
  /** Wall clock, ms. */
  readonly at: number;
}

/** Requests without an answer. */
const unanswered = new Map<string, OpenWrite>();

/** Sends a request, with its earlier key if it was never answered. */
export async function once<T>(
  request: readonly unknown[],
  send: (key: string) => Promise<T>,
): Promise<T> {
  const name = JSON.stringify(request);
  const earlier = unanswered.get(name);
  const before = earlier !== undefined && Date.now() - earlier.at < KEPT_MS ? earlier : undefined;
  const key = before?.key ?? crypto.randomUUID();
  unanswered.set(name, before ?? { key, at: Date.now() });
  try {
    const answer = await send(key);
    unanswered.delete(name);
    return answer;
  } catch (error) {
    const isOpen = isNotReached(error) || (before !== undefined && leavesOpen(error));
    if (!isOpen) unanswered.delete(name);
    throw error;
  }
}
