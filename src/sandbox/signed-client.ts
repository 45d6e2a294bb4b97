// The demo market's way into the exchange: a small HTTP client for the calls that it makes, signed
// like those of every customer. It never throws for what a server or a network may do: every
// outcome is one of four, told apart by what a program can do about it. The rest of the demo market
// knows the two interfaces only.
import { createHmac } from 'node:crypto';
import { formatUnits, toUnits } from '../contract/decimal.ts';
import { MAX_L3_ORDERS } from '../contract/market-data.ts';
import { OrdType, Side } from '../core/fix.ts';
import { type Amount, amount, type Lots, lots, type Ticks, ticks } from '../core/units.ts';
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

const PRIVATE = '/spot-api/api/private/v1';
const INSTRUMENTS = '/spot-api/api/public/v2/instruments';
const L3_BOOK = '/market-data-server/api/public/v1/l3Orderbook';
/**
 * A local server answers in milliseconds, an overworked machine in seconds; what takes longer is as
 * good as gone.
 */
const TIMEOUT_MS = 10_000;
/** How far timestamps may run ahead of a wall clock that was set back before they follow it. */
const MAX_AHEAD_MS = 60_000;
const MAX_TEXT = 200;

/** Requests without a signature, and the transport of those with one. */
export class PublicClient implements MarketClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  async statuses(): Promise<Answer<ReadonlyMap<string, string>>> {
    const answer = await this.send('GET', INSTRUMENTS, null, {});
    return read(answer, (value) => {
      const instruments = value as readonly { symbol: string; instrumentStatus: string }[];
      return new Map(
        instruments.map(({ symbol, instrumentStatus }) => [symbol, instrumentStatus] as const),
      );
    });
  }

  async level3Book(pair: DemoPair): Promise<Answer<Level3Book>> {
    const answer = await this.send('GET', `${L3_BOOK}?symbol=${pair.symbol}`, null, {});
    return read(answer, (value) => {
      const book = value as { readonly bids: WireLevel[]; readonly asks: WireLevel[] };
      return { bids: readSide(pair, book.bids), asks: readSide(pair, book.asks) };
    });
  }

  /** The body of a 2xx answer. */
  async send(
    method: 'GET' | 'POST',
    target: string,
    body: string | null,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer<string>> {
    const { url, signal } = this.#options;
    try {
      const response = await fetch(url + target, {
        method,
        headers: body === null ? headers : { ...headers, 'Content-Type': 'application/json' },
        ...(body === null ? {} : { body }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      const text = await response.text();
      if (response.ok) return { kind: 'ok', value: text };
      return refusalOf(response, text);
    } catch (error) {
      return { kind: 'unknown', text: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** One account, by its API key. */
export class SignedClient implements TradingClient {
  readonly #transport: PublicClient;
  readonly #credentials: Credentials;
  #lastTimestamp = 0;

  constructor(transport: PublicClient, credentials: Credentials) {
    this.#transport = transport;
    this.#credentials = credentials;
  }

  async placeOrder(pair: DemoPair, order: NewOrder): Promise<Answer<number>> {
    const body = JSON.stringify({ symbol: pair.symbol, ...fieldsOf(pair, order) });
    const answer = await this.#send('POST', `${PRIVATE}/order`, body);
    return read(answer, (value) => Number((value as { orderId: unknown }).orderId));
  }

  async cancelOrder(orderId: number): Promise<Answer<void>> {
    const body = JSON.stringify({ orderId });
    return read(await this.#send('POST', `${PRIVATE}/order/cancel`, body), () => undefined);
  }

  async massCancel(pair: DemoPair | null): Promise<Answer<void>> {
    const body = JSON.stringify(pair === null ? {} : { symbol: pair.symbol });
    return read(await this.#send('POST', `${PRIVATE}/order/masscancel`, body), () => undefined);
  }

  async availableBalances(): Promise<Answer<ReadonlyMap<string, Amount>>> {
    const answer = await this.#send('GET', `${PRIVATE}/balances`, null);
    const readValue = (value: unknown) => {
      const balances = value as readonly { asset: string; available: unknown }[];
      return new Map(
        balances.map(({ asset, available }) => [asset, exact(available, ASSET_SCALE)] as const),
      );
    };
    return read(answer, readValue, keepDecimals);
  }

  #send(method: 'GET' | 'POST', path: string, body: string | null): Promise<Answer<string>> {
    const timestamp = String(this.#nextTimestamp());
    const signature = createHmac('sha256', this.#credentials.secretKey)
      .update(timestamp + method + path + (body ?? ''))
      .digest('hex');
    return this.#transport.send(method, path, body, {
      'EXCHANGE-API-KEY': this.#credentials.apiKey,
      'EXCHANGE-API-TIMESTAMP': timestamp,
      'EXCHANGE-API-SIGN': signature,
    });
  }

  /** A signature works once, so two equal orders in one millisecond need two timestamps. */
  #nextTimestamp(): number {
    const now = Date.now();
    const next = this.#lastTimestamp + 1;
    this.#lastTimestamp = next > now && next - now < MAX_AHEAD_MS ? next : now;
    return this.#lastTimestamp;
  }
}

function fieldsOf(pair: DemoPair, order: NewOrder): Record<string, string | number> {
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
    ...(order.postOnly ? { execInst: '6' } : {}),
  };
}

type WireLevel = readonly [price: string, quantity: string, orders: readonly WireOrder[]];
type WireOrder = readonly [orderId: string, sequence: string, time: string, quantity: string];

function readSide(pair: DemoPair, levels: readonly WireLevel[]): BookSide {
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
 * A decimal in units of 10^-decimals. Throws on anything else, which `read` turns into an answer.
 */
function exact(value: unknown, decimals: number): Amount {
  const units = toUnits(String(value), decimals);
  if (typeof units === 'string') throw new TypeError(`not a decimal on the grid: ${units}`);
  return units;
}

/**
 * For JSON.parse: a number that is not an integer of a double's range stays the text that it was.
 */
function keepDecimals(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? String(value);
  return Number.isSafeInteger(value) && String(value) === source ? value : source;
}

/**
 * Reads the JSON of a good answer; a form that is not the expected one says as little as no answer.
 * `reviver` is for answers with decimals: it takes longer than all the rest.
 */
function read<T>(
  answer: Answer<string>,
  readValue: (value: unknown) => T,
  reviver?: typeof keepDecimals,
): Answer<T> {
  if (answer.kind !== 'ok') return answer;
  try {
    return { kind: 'ok', value: readValue(JSON.parse(answer.value, reviver)) };
  } catch (error) {
    return { kind: 'unknown', text: `unexpected answer: ${String(error).slice(0, MAX_TEXT)}` };
  }
}

function refusalOf(response: Response, text: string): Answer<never> {
  const { status, headers } = response;
  const { code, userMsg } = errorBody(text);
  const said = `${status} ${code} ${userMsg}`.slice(0, MAX_TEXT);
  if (status === 429 || status === 503) {
    const seconds = Number(headers.get('retry-after') ?? 1);
    return {
      kind: 'busy',
      retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : 0,
      text: said,
    };
  }
  if (status >= 500) return { kind: 'unknown', text: said };
  return { kind: 'refused', status, code, text: said };
}

function errorBody(text: string): { readonly code: string; readonly userMsg: string } {
  try {
    const { code, userMsg } = JSON.parse(text) as Record<string, unknown>;
    return { code: String(code), userMsg: String(userMsg) };
  } catch {
    return { code: '', userMsg: text };
  }
}
