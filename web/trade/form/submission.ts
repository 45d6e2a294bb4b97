// Placing an order exactly once. While its outcome is unknown, an order keeps its Idempotency-Key,
// through retries, another form and a reload of the tab.
import type { AgioClient, CallOptions, Fill, Order } from '../../../src/sdk/index.ts';
import { client } from '../../api/clients.ts';
import { Code, hasCode, isNotReached, leavesOpen, Rejection } from '../../api/rejection.ts';
import { isZero } from '../../exact/decimal.ts';
import { DAY_MS } from '../../exact/format.ts';
import type { StoredText } from '../../session/stored.ts';
import { isSameOrder, type NewOrder } from './draft.ts';

const LOST_TRIES = 3;
/** They last longer than a cluster takes to find its next leader. */
const UNAVAILABLE_TRIES = 8;
const PAUSE_MS = 700;
/** One page of fills; an order with more is shown without its total. */
const MAX_FILLS = 500;

/** The exchange keeps a key for a day (docs/rest.md); then the same order would be placed again. */
const KEY_LIFE_MS = DAY_MS;

/** An order that was sent and not answered. */
export interface UnansweredOrder {
  readonly uid: string;
  readonly order: NewOrder;
  readonly key: string;
  /** Wall clock, ms. */
  readonly sentAt: number;
}

/** Where unanswered orders are stored; replaced in tests. */
export type Storage = Pick<StoredText, 'get' | 'set'>;

/** The keys of one user's orders: an order keeps its key until its outcome is known. */
export class SubmissionKeys {
  readonly #uid: string;
  readonly #storage: Storage;
  readonly #now: () => number;

  constructor(uid: string, storage: Storage, now: () => number = Date.now) {
    this.#uid = uid;
    this.#storage = storage;
    this.#now = now;
  }

  /** The user's orders that got no answer, oldest first. */
  unanswered(): readonly UnansweredOrder[] {
    return this.#all().filter(({ uid }) => uid === this.#uid);
  }

  isUnanswered(order: NewOrder): boolean {
    return this.unanswered().some((sent) => isSameOrder(sent.order, order));
  }

  keyFor(order: NewOrder): string {
    const known = this.unanswered().find((sent) => isSameOrder(sent.order, order));
    if (known !== undefined) return known.key;
    const key = crypto.randomUUID();
    this.#store([...this.#all(), { uid: this.#uid, order, key, sentAt: this.#now() }]);
    return key;
  }

  /** Forgets the order: its outcome is known, or the user gave up. The same order is then new. */
  settle(order: NewOrder): void {
    const others = this.#all().filter(
      (sent) => sent.uid !== this.#uid || !isSameOrder(sent.order, order),
    );
    this.#store(others);
  }

  #all(): readonly UnansweredOrder[] {
    const stored = JSON.parse(this.#storage.get() ?? '[]') as UnansweredOrder[];
    return stored.filter(({ sentAt }) => this.#now() - sentAt < KEY_LIFE_MS);
  }

  #store(orders: readonly UnansweredOrder[]): void {
    this.#storage.set(orders.length === 0 ? null : JSON.stringify(orders));
  }
}

/** The calls that place an order and read it; replaced in tests. */
export type Calls = Pick<AgioClient, 'createOrderV2' | 'createOco' | 'orders' | 'fills'>;

/** Sends the order by the call that has its terms. It has its key as clOrdId, to be found by. */
function send(order: NewOrder, key: string, calls: Calls): Promise<{ readonly orderId: number }> {
  const { oco, ...single } = order;
  const sent = { ...single, clOrdId: key };
  const options = { idempotencyKey: key };
  if (oco !== undefined) {
    const { symbol, side, price, orderQty, timeInForce, expireTime, selfTradePrevention } = order;
    const terms = { timeInForce: timeInForce as 6 | undefined, expireTime, selfTradePrevention };
    const pair = { symbol, side, price: price!, orderQty: orderQty!, clOrdId: key };
    return calls.createOco({ ...pair, ...terms, ...oco }, options);
  }
  return calls.createOrderV2(sent, options);
}

export interface PlacedOrder {
  readonly orderId: number;
  /** Undefined if the order was placed and could not be read afterwards. */
  readonly order: Order | undefined;
  /** Its fills so far; empty if they could not be read. */
  readonly fills: readonly Fill[];
}

/**
 * Places `order` and reads it. Throws Rejected; NotReached or OutcomeUnknown if a try may have
 * placed it.
 */
export async function place(
  order: NewOrder,
  keys: SubmissionKeys,
  calls: Calls = client,
  pauseMs = PAUSE_MS,
): Promise<PlacedOrder> {
  let mayHaveArrived = keys.isUnanswered(order);
  let lost: unknown = null;
  const create = async () => {
    try {
      return await send(order, keys.keyFor(order), calls);
    } catch (error) {
      if (isNotReached(error)) {
        mayHaveArrived = true;
        lost = error;
      } else if (!mayHaveArrived || isFinal(error)) {
        keys.settle(order);
      }
      throw error;
    }
  };
  const { orderId } = await retry(create, pauseMs).catch((error) => {
    // The rejection of a later try does not settle what became of an earlier one.
    throw lost !== null && leavesOpen(error) ? lost : error;
  });
  keys.settle(order);
  const read = () => readOrder(orderId, calls);
  const placed = await retry(read, pauseMs).catch(() => undefined);
  return { orderId, order: placed, fills: await readFills(placed, calls) };
}

const isFinal = (error: unknown): boolean => error instanceof Rejection && !leavesOpen(error);

/** Undefined for an order that is not the account's. */
export async function readOrder(
  orderId: number,
  calls: Pick<Calls, 'orders'> = client,
  options?: CallOptions,
): Promise<Order | undefined> {
  return (await calls.orders({ type: 'SINGLE', orderId }, options)).data[0];
}

/** The fills of an order; none if they cannot be read, because the order is placed regardless. */
export async function readFills(
  order: Order | undefined,
  calls: Pick<Calls, 'fills'> = client,
): Promise<readonly Fill[]> {
  if (order === undefined || isZero(order.cumQty)) return [];
  const { orderId } = order;
  return calls.fills({ orderId, size: MAX_FILLS }).catch(() => []);
}

/** Repeats what got no answer, and what the exchange cannot do at the moment. */
async function retry<T>(work: () => Promise<T>, pauseMs: number): Promise<T> {
  for (let lost = 0, unavailable = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      if (isNotReached(error)) lost++;
      else if (hasCode(error, Code.unavailable)) unavailable++;
      else throw error;
      if (lost === LOST_TRIES || unavailable === UNAVAILABLE_TRIES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
