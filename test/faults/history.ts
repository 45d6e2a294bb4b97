// The calls of the load as their senders saw them: what each asked, of which node, when, and what
// it knows of the outcome. The checker compares them with the journal.

/**
 * - `acknowledged`: done, and answered with its place in the journal;
 * - `rejected`: answered as not done;
 * - `unknown`: no answer came, or one that leaves it open.
 */
type Outcome = 'acknowledged' | 'rejected' | 'unknown';

/** The answer of a read of balances, in units. */
export interface Balances {
  readonly uid: number;
  /** Available and held by asset. */
  readonly of: Readonly<Record<string, readonly [bigint, bigint]>>;
}

export interface Call {
  readonly kind: 'placeOrder' | 'cancelOrder' | 'transferFunds' | 'balances' | 'order';
  /** A sender whose calls come one after the other. */
  readonly session: string;
  readonly node: string;
  readonly uid: number;
  /** The key that signed it; empty for calls of the operator. */
  readonly apiKey: string;
  /** The clOrdId or reference, which names a write once; of a read of an order, that order. */
  readonly name: string;
  /** By the monotonic clock of all senders, ms. */
  readonly sentAt: number;
  answeredAt: number;
  /** The X-Agio-Min-Seq of the request. */
  readonly minSeq: number;
  outcome: Outcome;
  /** The X-Agio-Seq of the answer; null without one. */
  seq: number | null;
  /** The orderId or transferId of the answer; null for none. */
  id: number | null;
  balances: Balances | null;
  /** The answer of a rejection, or the error. */
  detail: string;
}

/** The answer that a key is revoked. */
export interface Revocation {
  readonly apiKey: string;
  readonly answeredAt: number;
}

export interface History {
  readonly calls: readonly Call[];
  readonly revocations: readonly Revocation[];
}

export const isWrite = ({ kind }: Call): boolean => kind !== 'balances' && kind !== 'order';

/**
 * The longest time between two moments in which writes were sent or waited and none was
 * acknowledged, ms. While the load itself is silent, nobody misses an answer.
 */
export function longestGap(calls: readonly Call[], from: number, to: number): number {
  const writes = calls
    .filter((call) => isWrite(call) && call.answeredAt > from)
    .sort((a, b) => a.sentAt - b.sentAt);
  const answers = writes
    .filter(({ outcome }) => outcome === 'acknowledged')
    .map(({ answeredAt }) => answeredAt)
    .filter((at) => at < to)
    .sort((a, b) => a - b);
  let longest = 0;
  let since = from;
  for (const at of answers) {
    const first = writes.find(({ answeredAt }) => answeredAt > since)!;
    longest = Math.max(longest, at - Math.max(since, first.sentAt));
    since = at;
  }
  return longest;
}
