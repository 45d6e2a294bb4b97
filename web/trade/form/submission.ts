// Placing an order once: while nobody knows whether it has arrived, the same order keeps its Idempotency-Key, so that
// however often it is sent there is one order. The key outlives the form, and a reload: a promise that ends with the page is none.
import type {
  AgioClient,
  CallOptions,
  Fill,
  Order,
  OrdType,
  Side,
} from '../../../src/sdk/index.ts';
import { client } from '../../api/clients.ts';
import { isNotReached, isPassing, Refused } from '../../api/refusal.ts';
import { type Decimal, isZero } from '../../exact/decimal.ts';
import { DAY_MS } from '../../exact/format.ts';
import type { Stored } from '../../session/stored.ts';

const TRIES = 3;
const PAUSE_MS = 700;
/** As many as one page has; an order with more is told without its total. */
const MOST_FILLS = 500;

/** So long the exchange knows a key (docs/rest.md); after it the same order would be placed again. */
const KEY_LIFE_MS = DAY_MS;

/** `execInst` of a post-only order. */
export const POST_ONLY = 6;

/** An order of the form: exactly one of the quantities, and a price of limit orders only. */
export interface NewOrder {
  readonly symbol: string;
  readonly side: Side;
  readonly ordType: OrdType;
  readonly orderQty?: Decimal;
  readonly quoteOrderQty?: Decimal;
  readonly price?: Decimal;
  readonly execInst?: typeof POST_ONLY;
}

/** An order that was sent and not answered. */
export interface OpenQuestion {
  readonly uid: string;
  readonly order: NewOrder;
  readonly key: string;
  /** Wall clock, ms. */
  readonly sentAt: number;
}

/** Where questions are kept; replaced in tests. */
export type Kept = Pick<Stored, 'get' | 'set'>;

const isSame = (a: NewOrder, b: NewOrder): boolean => JSON.stringify(a) === JSON.stringify(b);

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

  isOpen(order: NewOrder): boolean {
    return this.open().some((question) => isSame(question.order, order));
  }

  keyFor(order: NewOrder): string {
    const known = this.open().find((question) => isSame(question.order, order));
    if (known !== undefined) return known.key;
    const key = crypto.randomUUID();
    this.#keep([...this.#all(), { uid: this.#uid, order, key, sentAt: this.#now() }]);
    return key;
  }

  /** It is known what became of it, or nobody asks any more: the next order is another one, even if it is the same again. */
  settle(order: NewOrder): void {
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
export type Calls = Pick<AgioClient, 'createOrder' | 'orders' | 'fills'>;

export interface Placed {
  readonly orderId: number;
  /** Undefined where the order was placed and could not be read afterwards. */
  readonly order: Order | undefined;
  /** What it has traded at once; empty where that could not be read. */
  readonly fills: readonly Fill[];
}

/** Places `order` and reads what became of it. Throws Refused, or OutcomeUnknown after some tries. */
export async function place(
  order: NewOrder,
  keys: SubmissionKeys,
  calls: Calls = client,
  pauseMs = PAUSE_MS,
): Promise<Placed> {
  let isDoubtful = keys.isOpen(order);
  const { orderId } = await insist(
    async () => {
      try {
        const key = keys.keyFor(order);
        // The order bears its key, so that it can be looked for where the answer is lost.
        return await calls.createOrder({ ...order, clOrdId: key }, { idempotencyKey: key });
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
  const placed = await insist(() => orderOf(orderId, calls), TRIES, pauseMs).catch(() => undefined);
  return { orderId, order: placed, fills: await fillsOf(placed, calls) };
}

/** Undefined for an order that is not the account's. */
export async function orderOf(
  orderId: number,
  calls: Pick<Calls, 'orders'> = client,
  options?: CallOptions,
): Promise<Order | undefined> {
  return (await calls.orders({ type: 'SINGLE', orderId }, options)).data[0];
}

/** That they cannot be read does not undo what was done. */
export async function fillsOf(
  order: Order | undefined,
  calls: Pick<Calls, 'fills'> = client,
): Promise<readonly Fill[]> {
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
