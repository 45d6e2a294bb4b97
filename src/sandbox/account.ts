// An account of the demo market: the SDK with an API key, like every customer. It knows which
// rejections are part of a normal market, and sends no orders for a while after one.
import { formatUnits } from '../contract/decimal.ts';
import { OrdType, Side } from '../core/fix.ts';
import { amount, type Lots, type Ticks } from '../core/units.ts';
import { AgioClient } from '../sdk/client.ts';
import {
  InsufficientBalance,
  LimitReached,
  MarketClosed,
  OrderNotFound,
} from '../sdk/generated/rejections.ts';
import type { CreateOrderRequest } from '../sdk/generated/types.ts';
import type { WriteOptions } from '../sdk/transport.ts';
import type { DemoPair } from './pairs.ts';

export interface Connection {
  /** Where the exchange listens, such as http://127.0.0.1:8080. */
  readonly url: string;
  /** Gives up the requests that are under way. */
  readonly signal: AbortSignal;
}

export interface Credentials {
  readonly apiKey: string;
  readonly secretKey: string;
}

/** The demo market handles every failure itself, so the SDK sends nothing twice. */
export const ONE_ATTEMPT = { attempts: 1, deadlineMs: 10_000, clock: 'own' } as const;

/** How long a pair rests that does not accept orders, and a side that cannot be paid for. */
const CLOSED_MS = 3_000;
const UNPAID_MS = 60_000;

/** Every method throws AgioError where the server or the network fails. */
export class Account {
  readonly #client: AgioClient;
  readonly #options: WriteOptions;
  /** By pair, and by pair and side, when orders may be sent again. */
  readonly #restsUntil = new Map<string, number>();

  constructor({ url, signal }: Connection, { apiKey, secretKey }: Credentials) {
    this.#client = new AgioClient({ ...ONE_ATTEMPT, url, apiKey, secretKey });
    // An order whose answer is lost is found in the book.
    this.#options = { signal, idempotencyKey: null };
  }

  /** True if an order may be sent now. */
  mayPlace({ symbol }: DemoPair, side: Side): boolean {
    const now = performance.now();
    return [symbol, symbol + side].every((key) => now >= (this.#restsUntil.get(key) ?? 0));
  }

  /** A post-only limit order. Returns its id, or null when it was rejected. */
  placeQuote(pair: DemoPair, side: Side, price: Ticks, quantity: Lots): Promise<number | null> {
    return this.#place(pair, {
      side,
      ordType: OrdType.limit,
      price: formatUnits(amount(price), pair.tickDecimals),
      orderQty: formatUnits(amount(quantity), pair.lotDecimals),
      execInst: 6,
    });
  }

  placeMarket(pair: DemoPair, side: Side, quantity: Lots): Promise<number | null> {
    const orderQty = formatUnits(amount(quantity), pair.lotDecimals);
    return this.#place(pair, { side, ordType: OrdType.market, orderQty });
  }

  /** Buys for a budget in ticks of the quote asset. */
  placeBudget(pair: DemoPair, budget: number): Promise<number | null> {
    const quoteOrderQty = formatUnits(amount(budget), pair.tickDecimals);
    return this.#place(pair, { side: Side.buy, ordType: OrdType.market, quoteOrderQty });
  }

  /** Cancels an order, which may have been filled meanwhile. */
  async cancel(pair: DemoPair, orderId: number): Promise<void> {
    try {
      await this.#client.cancelOrder({ orderId }, this.#options);
    } catch (error) {
      if (error instanceof MarketClosed) this.#rest(pair.symbol, CLOSED_MS);
      else if (!(error instanceof OrderNotFound)) throw error;
    }
  }

  /** Cancels all orders, or those of one pair. */
  async cancelAll(pair: DemoPair | null = null): Promise<void> {
    await this.#client.massCancel(pair === null ? {} : { symbol: pair.symbol }, this.#options);
  }

  async #place(pair: DemoPair, fields: Omit<CreateOrderRequest, 'symbol'>): Promise<number | null> {
    const { symbol } = pair;
    try {
      const order = await this.#client.createOrder({ symbol, ...fields }, this.#options);
      return order.orderId;
    } catch (error) {
      if (error instanceof MarketClosed) this.#rest(symbol, CLOSED_MS);
      else if (isShortage(error)) this.#rest(symbol + fields.side, UNPAID_MS);
      else throw error;
      return null;
    }
  }

  #rest(key: string, milliseconds: number): void {
    this.#restsUntil.set(key, performance.now() + milliseconds);
  }
}

const isShortage = (error: unknown): boolean =>
  error instanceof InsufficientBalance || error instanceof LimitReached;
