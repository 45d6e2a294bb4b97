// Placing an order once: while nobody knows whether it has arrived, the same order keeps its Idempotency-Key, so that
// however often it is sent there is one order. The key outlives the form, and a reload: a promise that ends with the page is none.
import { isNotReached, isPassing, Refused } from '../../api/refusal.ts';
import * as trading from '../../api/trading.ts';
import { isZero } from '../../exact/decimal.ts';
import { DAY_MS } from '../../exact/format.ts';
import type { Stored } from '../../session/stored.ts';

const TRIES = 3;
const PAUSE_MS = 700;
/** As many as one page has; an order with more is told without its total. */
const MOST_FILLS = 500;

/** So long the exchange knows a key (docs/rest.md); after it the same order would be placed again. */
const KEY_LIFE_MS = DAY_MS;

/** An order that was sent and not answered. */
export interface OpenQuestion {
  readonly uid: string;
  readonly order: trading.NewOrder;
  readonly key: string;
  /** Wall clock, ms. */
  readonly sentAt: number;
}

/** Where questions are kept; replaced in tests. */
export type Kept = Pick<Stored, 'get' | 'set'>;

const isSame = (a: trading.NewOrder, b: trading.NewOrder): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** The keys of one person's orders: a new one for each order, the same one until its fate is known. */
export class SubmissionKeys {
  readonly #uid: string;
  readonly #kept: Kept;
  readonly #now: () => number;

  constructor(uid: string, kept: Kept, now: () => number = Date.now) {
    this.#uid = uid;
    this.#kept = kept;
    this.#now = now;
  }

  /** What this person has sent and got no answer to, the newest last. */
  open(): readonly OpenQuestion[] {
    return this.#all().filter(({ uid }) => uid === this.#uid);
  }

  isOpen(order: trading.NewOrder): boolean {
    return this.open().some((question) => isSame(question.order, order));
  }

  keyFor(order: trading.NewOrder): string {
    const known = this.open().find((question) => isSame(question.order, order));
    if (known !== undefined) return known.key;
    const key = crypto.randomUUID();
    this.#keep([...this.#all(), { uid: this.#uid, order, key, sentAt: this.#now() }]);
    return key;
  }

  /** It is known what became of it, or nobody asks any more: the next order is another one, even if it is the same again. */
  settle(order: trading.NewOrder): void {
    this.#keep(this.#all().filter((one) => one.uid !== this.#uid || !isSame(one.order, order)));
  }

  #all(): readonly OpenQuestion[] {
    const questions = JSON.parse(this.#kept.get() ?? '[]') as OpenQuestion[];
    return questions.filter(({ sentAt }) => this.#now() - sentAt < KEY_LIFE_MS);
  }

  #keep(questions: readonly OpenQuestion[]): void {
    this.#kept.set(questions.length === 0 ? null : JSON.stringify(questions));
  }
}

const isFinal = (error: unknown): boolean => error instanceof Refused && !isPassing(error);

/** What places an order and reads what became of it; replaced in tests. */
export type Calls = Pick<typeof trading, 'createOrder' | 'orderOf' | 'fills'>;

export interface Placed {
  readonly orderId: string;
  /** Undefined where the order was placed and could not be read afterwards. */
  readonly order: trading.Order | undefined;
  /** What it has traded at once; empty where that could not be read. */
  readonly fills: readonly trading.Fill[];
}

/** Places `order` and reads what became of it. Throws Refused, or OutcomeUnknown after some tries. */
export async function place(
  order: trading.NewOrder,
  keys: SubmissionKeys,
  calls: Calls = trading,
  pauseMs = PAUSE_MS,
): Promise<Placed> {
  let isDoubtful = keys.isOpen(order);
  const { orderId } = await insist(
    async () => {
      try {
        const key = keys.keyFor(order);
        // The order bears its key, so that it can be looked for where the answer is lost.
        return await calls.createOrder({ ...order, clOrdId: key }, key);
      } catch (error) {
        if (isNotReached(error)) isDoubtful = true;
        else if (!isDoubtful || isFinal(error)) keys.settle(order);
        throw error;
      }
    },
    TRIES,
    pauseMs,
  );
  keys.settle(order);
  const placed = await insist(() => calls.orderOf(orderId), TRIES, pauseMs).catch(() => undefined);
  return { orderId, order: placed, fills: await fillsOf(placed, calls) };
}

/** That they cannot be read does not undo what was done. */
export async function fillsOf(
  order: trading.Order | undefined,
  calls: Pick<Calls, 'fills'> = trading,
): Promise<readonly trading.Fill[]> {
  if (order === undefined || isZero(order.cumQty)) return [];
  const { orderId } = order;
  return calls.fills({ orderId, size: MOST_FILLS }).catch(() => []);
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
