// The calls of the load as their senders saw them: what each asked, of which node, when, and what
// it knows of the outcome. The checker compares them with the journal.

/** Named by clOrdId or reference, or by its Idempotency-Key if it has one. */
export type WriteKind =
  | 'placeOrder'
  | 'placeOco'
  | 'orderBatch'
  | 'amendOrder'
  | 'cancelOrder'
  | 'massCancel'
  | 'cancelAllAfter'
  | 'transferFunds'
  | 'subscribePlan'
  | 'redeemPlan';

/**
 * - `acknowledged`: done, and answered with its place in the journal;
 * - `rejected`: answered as not done;
 * - `unknown`: no answer came, or one that leaves it open.
 */
type Outcome = 'acknowledged' | 'rejected' | 'unknown';

/** An order as an answer has it. */
export interface OrderRow {
  readonly orderId: number;
  readonly side: number;
  readonly price: number;
  readonly orderQty: number;
  readonly cumQty: number;
  readonly ordStatus: number;
}

export interface Call {
  readonly kind: WriteKind | 'balances' | 'order';
  /** A sender whose calls come one after the other. */
  readonly session: string;
  /** The last one that was asked. */
  node: string;
  readonly uid: number;
  /** The key that signed it; empty for calls of the operator. */
  readonly apiKey: string;
  /** Names a write once; of a read of an order, that order. */
  readonly name: string;
  /** The body of a write. */
  readonly request: Readonly<Record<string, unknown>>;
  /** By the monotonic clock of all senders, ms. */
  readonly sentAt: number;
  answeredAt: number;
  /** The X-Agio-Min-Seq of the request. */
  minSeq: number;
  outcome: Outcome;
  /** The status of the last answer; null without one. */
  status: number | null;
  /** Its place in the journal; null without one, and for the first answer given again. */
  seq: number | null;
  /** The id that the answer gave; null for none. */
  id: number | null;
  /** The answer with status 200; null for none. */
  text: string | null;
  /** The answers of a read of an order. */
  rows: readonly OrderRow[] | null;
  /** The answer of a rejection, or the error. */
  detail: string;
}

/** A key that the operator has revoked. */
export interface Revocation {
  readonly apiKey: string;
  readonly sentAt: number;
  /** Infinity while no answer says that it is revoked. */
  answeredAt: number;
}

export interface History {
  readonly calls: readonly Call[];
  readonly revocations: readonly Revocation[];
  /** True if senders repeat calls, or the network does: copies may be in the journal, rejected. */
  readonly hasCopies?: boolean;
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
