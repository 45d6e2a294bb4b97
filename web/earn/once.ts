// Subscribing and redeeming once: while nobody knows whether a request has arrived, the same one keeps its Idempotency-Key, also
// when its dialog was closed in between.
import { isNotReached, leavesOpen } from '../api/refusal.ts';

/** Whoever asks for the same later than this means another one. */
const KEPT_MS = 10 * 60_000;

interface Asked {
  readonly key: string;
  /** Wall clock, ms. */
  readonly at: number;
}

/** What was asked and not answered. */
const unanswered = new Map<string, Asked>();

/** Sends what `request` describes, under the key that it had before if that was never answered. */
export async function once<T>(
  request: readonly unknown[],
  send: (key: string) => Promise<T>,
): Promise<T> {
  const name = JSON.stringify(request);
  const asked = unanswered.get(name);
  const before = asked !== undefined && Date.now() - asked.at < KEPT_MS ? asked : undefined;
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
