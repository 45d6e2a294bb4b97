// One account of the demo market: its orders as far as it knows them, what it can afford, and what
// it does when a request fails. A write without an answer may have left an order that nobody knows;
// the account's orders of that pair are then cleared before it quotes there again.
import { Side } from '../core/fix.ts';
import {
  type Amount,
  add,
  amount,
  divideDown,
  type Lots,
  lots,
  multiply,
  type Ticks,
} from '../core/units.ts';
import { costToBuy, costToSell, DEMO_PAIRS, type DemoPair } from './demo-pairs.ts';
import { Patience, type RareWarnings } from './pacing.ts';
import type { Answer, BookSide, Level3Book, NewOrder, TradingClient } from './signed-client.ts';

export interface OwnOrder {
  readonly orderId: number;
  readonly owner: Trader;
  readonly side: Side;
  readonly price: Ticks;
  leavesQty: Lots;
  /** The rank of the ladder that it was placed at. */
  readonly placedAt: number;
  /** When the answer came, on the process's steady clock. */
  readonly since: number;
}

export type LimitOrder = Extract<NewOrder, { readonly price: Ticks }>;

/** Codes of the contract that the demo market expects in its normal life. */
const ORDER_GONE = ['100203', '100205'];
const INSUFFICIENT_BALANCE = '100206';
const PAIR_CLOSED = '100209';

/** What became of an order: placed; refused, others may pass; or better not to send more now. */
export type Placed = 'placed' | 'refused' | 'closed' | 'later';

export class Trader {
  readonly name: string;
  readonly patience = new Patience();
  readonly #client: TradingClient;
  readonly #warnings: RareWarnings;
  readonly #orders = new Map<string, Map<number, OwnOrder>>();
  #available = new Map<string, Amount>();
  /** Pairs where an order may rest that this account does not know: all of them, to begin with. */
  readonly #unclear = new Set(DEMO_PAIRS.map(({ symbol }) => symbol));

  constructor(name: string, client: TradingClient, warnings: RareWarnings) {
    this.name = name;
    this.#client = client;
    this.#warnings = warnings;
  }

  ordersOf(pair: DemoPair): ReadonlyMap<number, OwnOrder> {
    return this.#ordersOf(pair);
  }

  /**
   * What one side of a pair can be paid with: the quote asset for buys, the base asset for sells.
   */
  availableFor(pair: DemoPair, side: Side): Amount {
    return this.#available.get(side === Side.buy ? pair.quote : pair.base) ?? amount(0);
  }

  /**
   * How much of `quantity` its open orders and what is available come to at `price`, in percent, at
   * most 100.
   */
  strength(pair: DemoPair, side: Side, price: Ticks, quantity: Lots): number {
    let placed = 0;
    for (const order of this.ordersOf(pair).values()) {
      if (order.side === side) placed += order.leavesQty;
    }
    const means = add(this.availableFor(pair, side), costOf(pair, side, price, lots(placed)));
    const percent = divideDown(multiply(means, 100), costOf(pair, side, price, quantity));
    return percent < 100 ? Number(percent) : 100;
  }

  async refreshBalances(): Promise<void> {
    const answer = await this.#client.availableBalances();
    this.#note('balances were not read', answer);
    if (answer.kind === 'ok') this.#available = new Map(answer.value);
  }

  /** Cancels everything of this account, or of one pair. */
  async clear(pair: DemoPair | null): Promise<boolean> {
    const answer = await this.#client.massCancel(pair);
    this.#note('orders were not cleared', answer);
    if (answer.kind !== 'ok') return false;
    if (pair === null) {
      this.#orders.clear();
      this.#unclear.clear();
    } else {
      this.#orders.delete(pair.symbol);
      this.#unclear.delete(pair.symbol);
    }
    return true;
  }

  /**
   * Whether this account may quote in the pair now; clears first what a lost answer may have left
   * there.
   */
  async ready(pair: DemoPair): Promise<boolean> {
    if (!this.patience.calm) return false;
    return !this.#unclear.has(pair.symbol) || this.clear(pair);
  }

  async placeLimit(pair: DemoPair, order: LimitOrder, placedAt: number): Promise<Placed> {
    const { side, price, orderQty } = order;
    const [placed, orderId] = await this.#place(pair, order, costOf(pair, side, price, orderQty));
    if (placed === 'placed') {
      this.#ordersOf(pair).set(orderId, {
        orderId,
        owner: this,
        side,
        price,
        leavesQty: orderQty,
        placedAt,
        since: performance.now(),
      });
    }
    return placed;
  }

  /** A market order; `cost` is what it will take of the balance, roughly. */
  async placeMarket(
    pair: DemoPair,
    order: Exclude<NewOrder, LimitOrder>,
    cost: Amount,
  ): Promise<Placed> {
    const [placed] = await this.#place(pair, order, cost);
    return placed;
  }

  /** Whether the order is gone; if not, the next look at the book tells. */
  async cancel(pair: DemoPair, order: OwnOrder): Promise<boolean> {
    const answer = await this.#client.cancelOrder(order.orderId);
    const gone = answer.kind === 'refused' && ORDER_GONE.includes(answer.code);
    if (answer.kind !== 'ok' && !gone) {
      this.#note('an order was not canceled', answer);
      return false;
    }
    this.patience.note(answer);
    if (this.#ordersOf(pair).delete(order.orderId) && !gone) {
      const { side, price, leavesQty } = order;
      this.#credit(pair, side, costOf(pair, side, price, leavesQty));
    }
    return true;
  }

  /**
   * Takes over from the book how much is left of each order; what the book does not have any more
   * is gone. `askedAt` is when the book was asked for: it may not have yet what was placed since.
   */
  compareWith(pair: DemoPair, book: Level3Book, askedAt: number): void {
    const own = this.#ordersOf(pair);
    if (own.size === 0) return;
    const left = new Set<number>();
    for (const { orderId, since } of own.values()) if (since < askedAt) left.add(orderId);
    for (const { orders } of [book.bids, book.asks]) {
      for (const { orderId, leavesQty } of orders) {
        const order = own.get(orderId);
        if (order === undefined) continue;
        order.leavesQty = leavesQty;
        left.delete(orderId);
      }
    }
    for (const orderId of left) {
      const order = own.get(orderId)!;
      const side = order.side === Side.buy ? book.bids : book.asks;
      if (!isBeyondEnd(side, order)) own.delete(orderId);
    }
  }

  async #place(pair: DemoPair, order: NewOrder, cost: Amount): Promise<[Placed, number]> {
    const side = 'budget' in order ? Side.buy : order.side;
    this.#credit(pair, side, multiply(cost, -1));
    const answer = await this.#client.placeOrder(pair, order);
    if (answer.kind === 'ok') {
      this.patience.note(answer);
      return ['placed', answer.value];
    }
    if (answer.kind === 'unknown') this.#unclear.add(pair.symbol);
    if (answer.kind === 'refused' && answer.code === INSUFFICIENT_BALANCE) {
      // The balance was read wrongly or is shared with someone; until it is read again, there is
      // none.
      this.#available.delete(side === Side.buy ? pair.quote : pair.base);
      this.#note('an order was not affordable', answer);
      return ['refused', 0];
    }
    this.#credit(pair, side, cost);
    if (answer.kind === 'refused' && answer.code === PAIR_CLOSED) return ['closed', 0];
    this.#note('an order was not placed', answer);
    return ['later', 0];
  }

  /** Keeps the balance roughly right between two readings of it. */
  #credit(pair: DemoPair, side: Side, change: Amount): void {
    const asset = side === Side.buy ? pair.quote : pair.base;
    const sum = add(this.#available.get(asset) ?? amount(0), change);
    this.#available.set(asset, sum < 0 ? amount(0) : sum);
  }

  #note(kind: string, answer: Answer<unknown>): void {
    this.patience.note(answer);
    if (answer.kind !== 'ok') this.#warnings.warn(kind, `${this.name}: ${answer.text}`);
  }

  #ordersOf({ symbol }: DemoPair): Map<number, OwnOrder> {
    let orders = this.#orders.get(symbol);
    if (orders === undefined) {
      orders = new Map();
      this.#orders.set(symbol, orders);
    }
    return orders;
  }
}

export function costOf(pair: DemoPair, side: Side, price: Ticks, quantity: Lots): Amount {
  return side === Side.buy ? costToBuy(pair, price, quantity) : costToSell(pair, quantity);
}

/** Whether the server's list may have ended before this order. */
function isBeyondEnd({ orders, complete }: BookSide, { side, price }: OwnOrder): boolean {
  const last = orders.at(-1);
  if (complete || last === undefined) return false;
  return side === Side.buy ? price <= last.price : price >= last.price;
}
