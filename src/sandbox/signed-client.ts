// The demo market's way into the exchange: the SDK, with a key like every customer. It never throws
// for what a server or a network may do: every outcome is one of four, told apart by what a program
// can do about it. The rest of the demo market knows the two interfaces only.
import { formatUnits, toUnits } from '../contract/decimal.ts';
import { MAX_L3_ORDERS } from '../contract/market-data.ts';
import { OrdType, Side } from '../core/fix.ts';
import { type Amount, amount, type Lots, lots, type Ticks, ticks } from '../core/units.ts';
import type { Level3Level } from '../sdk/answers.ts';
import { AgioClient } from '../sdk/client.ts';
import { RateLimited, Refused, ServerFailure, Unavailable } from '../sdk/errors.ts';
import type { CreateOrderRequest } from '../sdk/requests.ts';
import type { WriteOptions } from '../sdk/transport.ts';
import { ASSET_SCALE, type DemoPair } from './demo-pairs.ts';

export type Answer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  /** The server said no, and will say it again. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly text: string;
    }
  /**
   * Not now, and not carried out: too many requests, or the server is starting, stopping or
   * overloaded.
   */
  | { readonly kind: 'busy'; readonly retryAfterMs: number; readonly text: string }
  /** No answer, or one that says nothing: a write may or may not have been carried out. */
  | { readonly kind: 'unknown'; readonly text: string };

export type NewOrder =
  | {
      readonly side: Side;
      readonly price: Ticks;
      readonly orderQty: Lots;
      readonly postOnly: boolean;
    }
  | { readonly side: Side; readonly market: Lots }
  /** A market buy with a budget, in ticks of the quote asset. */
  | { readonly budget: number };

/** What one account does. */
export interface TradingClient {
  /** The value is the order's id. */
  placeOrder(pair: DemoPair, order: NewOrder): Promise<Answer<number>>;
  cancelOrder(orderId: number): Promise<Answer<void>>;
  /** All open orders of the pair, or of the account. */
  massCancel(pair: DemoPair | null): Promise<Answer<void>>;
  /** What is available of each asset, by name. */
  availableBalances(): Promise<Answer<ReadonlyMap<string, Amount>>>;
}

export interface BookOrder {
  readonly orderId: number;
  readonly price: Ticks;
  readonly leavesQty: Lots;
}

/** One side of a level-3 book, best order first. */
export interface BookSide {
  readonly orders: readonly BookOrder[];
  /** False when the book is so deep that the server left out its end. */
  readonly complete: boolean;
}

export interface Level3Book {
  readonly bids: BookSide;
  readonly asks: BookSide;
}

/** What everyone may read. */
export interface MarketClient {
  /** The instrumentStatus of each symbol. */
  statuses(): Promise<Answer<ReadonlyMap<string, string>>>;
  level3Book(pair: DemoPair): Promise<Answer<Level3Book>>;
}

export interface ClientOptions {
  readonly url: string;
  /** Gives up requests under way. */
  readonly signal: AbortSignal;
}

export interface Credentials {
  readonly apiKey: string;
  readonly secretKey: string;
}

/**
 * A local server answers in milliseconds, an overworked machine in seconds; what takes longer is as
 * good as gone.
 */
const TIMEOUT_MS = 10_000;
const BUSY_MS = 1000;
const MAX_TEXT = 200;
/** What to do about trouble is decided here, order by order, so nothing is sent twice. */
const ONE_ATTEMPT = { attempts: 1, timeoutMs: TIMEOUT_MS, clock: 'own' } as const;

/** Books and statuses, without a key. */
export class PublicClient implements MarketClient {
  readonly #client: AgioClient;
  readonly #signal: AbortSignal;

  constructor({ url, signal }: ClientOptions) {
    this.#client = new AgioClient({ ...ONE_ATTEMPT, url });
    this.#signal = signal;
  }

  statuses(): Promise<Answer<ReadonlyMap<string, string>>> {
    return answerOf(async () => {
      const instruments = await this.#client.instruments({}, { signal: this.#signal });
      return new Map(
        instruments.map(({ symbol, instrumentStatus }) => [symbol, instrumentStatus] as const),
      );
    });
  }

  level3Book(pair: DemoPair): Promise<Answer<Level3Book>> {
    const { symbol } = pair;
    return answerOf(async () => {
      const book = await this.#client.level3Orderbook({ symbol }, { signal: this.#signal });
      return { bids: readSide(pair, book.bids), asks: readSide(pair, book.asks) };
    });
  }
}

/** One account, by its API key. */
export class SignedClient implements TradingClient {
  readonly #client: AgioClient;
  /** Of writes: an order that may be lost is found in the book, so it needs no Idempotency-Key. */
  readonly #options: WriteOptions;

  constructor({ url, signal }: ClientOptions, { apiKey, secretKey }: Credentials) {
    this.#client = new AgioClient({ ...ONE_ATTEMPT, url, apiKey, secretKey });
    this.#options = { signal, idempotencyKey: null };
  }

  placeOrder(pair: DemoPair, order: NewOrder): Promise<Answer<number>> {
    const fields = { symbol: pair.symbol, ...fieldsOf(pair, order) };
    return answerOf(async () => {
      const { orderId } = await this.#client.createOrder(fields, this.#options);
      return orderId;
    });
  }

  cancelOrder(orderId: number): Promise<Answer<void>> {
    return answerOf(async () => {
      await this.#client.cancelOrder({ orderId }, this.#options);
    });
  }

  massCancel(pair: DemoPair | null): Promise<Answer<void>> {
    return answerOf(async () => {
      await this.#client.massCancel(pair === null ? {} : { symbol: pair.symbol }, this.#options);
    });
  }

  availableBalances(): Promise<Answer<ReadonlyMap<string, Amount>>> {
    return answerOf(async () => {
      const balances = await this.#client.balances(this.#options);
      return new Map(
        balances.map(({ asset, available }) => [asset, exact(available, ASSET_SCALE)] as const),
      );
    });
  }
}

function fieldsOf(pair: DemoPair, order: NewOrder): Omit<CreateOrderRequest, 'symbol'> {
  const quantity = (orderQty: Lots) => formatUnits(amount(orderQty), pair.lotDecimals);
  const price = (steps: number) => formatUnits(amount(steps), pair.tickDecimals);
  if ('budget' in order) {
    return { side: Side.buy, ordType: OrdType.market, quoteOrderQty: price(order.budget) };
  }
  if ('market' in order) {
    return { side: order.side, ordType: OrdType.market, orderQty: quantity(order.market) };
  }
  return {
    side: order.side,
    ordType: OrdType.limit,
    price: price(order.price),
    orderQty: quantity(order.orderQty),
    ...(order.postOnly ? { execInst: 6 } : {}),
  };
}

function readSide(pair: DemoPair, levels: readonly Level3Level[]): BookSide {
  const orders = levels.flatMap(([price, , queue]) => {
    const level = ticks(Number(exact(price, pair.tickDecimals)));
    return queue.map(([orderId, , , quantity]) => ({
      orderId: Number(orderId),
      price: level,
      leavesQty: lots(Number(exact(quantity, pair.lotDecimals))),
    }));
  });
  return { orders, complete: orders.length < MAX_L3_ORDERS };
}

/**
 * A decimal in units of 10^-decimals. Throws on anything else, which `answerOf` turns into one.
 */
function exact(value: unknown, decimals: number): Amount {
  const units = toUnits(String(value), decimals);
  if (typeof units === 'string') throw new TypeError(`not a decimal on the grid: ${units}`);
  return units;
}

/** What came of a call; a form that is not the expected one says as little as no answer. */
async function answerOf<T>(call: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { kind: 'ok', value: await call() };
  } catch (error) {
    return troubleOf(error);
  }
}

function troubleOf(error: unknown): Answer<never> {
  if (!(error instanceof Refused)) {
    return { kind: 'unknown', text: String(error).slice(0, MAX_TEXT) };
  }
  const { status, code, message, retryAfterMs } = error;
  const text = `${status} ${code} ${message}`.slice(0, MAX_TEXT);
  if (error instanceof RateLimited || error instanceof Unavailable) {
    return { kind: 'busy', retryAfterMs: retryAfterMs ?? BUSY_MS, text };
  }
  if (error instanceof ServerFailure) return { kind: 'unknown', text };
  return { kind: 'refused', status, code: String(code), text };
}
