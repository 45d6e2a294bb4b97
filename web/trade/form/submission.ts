// Placing an order once: while nobody knows whether it has arrived, the same order keeps its Idempotency-Key, so that
// however often it is sent there is one order.
import { isNotReached } from '../../api/refusal.ts';
import * as trading from '../../api/trading.ts';

const TRIES = 3;
const PAUSE_MS = 700;

/** The key of an order: a new one for each, the same one until an order's fate is known. */
export class SubmissionKeys {
  #open: { readonly order: string; readonly key: string } | null = null;

  keyFor(order: trading.NewOrder): string {
    const text = JSON.stringify(order);
    if (this.#open?.order !== text) this.#open = { order: text, key: crypto.randomUUID() };
    return this.#open.key;
  }

  /** The exchange has answered: the next order is another one, even if it is the same again. */
  settle(): void {
    this.#open = null;
  }
}

/** What places an order and reads what became of it; replaced in tests. */
export type Calls = Pick<typeof trading, 'createOrder' | 'orderOf'>;

export interface Placed {
  readonly orderId: string;
  /** Undefined where the order was placed and could not be read afterwards. */
  readonly order: trading.Order | undefined;
}

/** Places `order` and reads what became of it. Throws Refused, or OutcomeUnknown after some tries. */
export async function place(
  order: trading.NewOrder,
  keys: SubmissionKeys,
  calls: Calls = trading,
  pauseMs = PAUSE_MS,
): Promise<Placed> {
  const { orderId } = await insist(
    async () => {
      try {
        return await calls.createOrder(order, keys.keyFor(order));
      } catch (error) {
        if (!isNotReached(error)) keys.settle();
        throw error;
      }
    },
    TRIES,
    pauseMs,
  );
  keys.settle();
  const placed = await insist(() => calls.orderOf(orderId), TRIES, pauseMs).catch(() => undefined);
  return { orderId, order: placed };
}

async function insist<T>(work: () => Promise<T>, tries: number, pauseMs: number): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isNotReached(error) || tries === 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return insist(work, tries - 1, pauseMs);
  }
}
