// The tools of the checks: calls by their descriptions, the account's pair with prices and sizes at
// which an order rests, and the orders that the kit has to cancel at the end.
import type { ApiCall } from '../contract/call.ts';
import { CODES } from '../contract/codes.ts';
import { marketDataCalls } from '../contract/market-data/calls.ts';
import { accountCalls, orderCalls } from '../contract/trading/calls.ts';
import * as decimal from '../sdk/decimal.ts';
import {
  type AnswerOf,
  type CodeName,
  expect,
  expectDescribed,
  expectOk,
  expectRejected,
  Skip,
} from './expect.ts';
import type { Answer, Fields, Sending, Target, Wire } from './wire.ts';

const { instruments, orderbook, tickers } = marketDataCalls;
const { createOrder, testOrder, cancelOrder, orders } = orderCalls;
type Instrument = AnswerOf<typeof instruments>[number];
export type OrderRow = AnswerOf<typeof orders>['data'][number];

/** A pair, its terms, and the kit's usual order. */
export interface Pair {
  readonly symbol: string;
  readonly securityId: number;
  readonly tick: string;
  readonly lot: string;
  readonly minQuantity: string;
  readonly base: string;
  readonly quote: string;
  /** The price of a bid that rests below everything in the book. */
  readonly bidPrice: string;
  /** Twice the minimum at that price, so half of it is enough as well. */
  readonly quantity: string;
}

export interface KitOptions {
  readonly wire: Wire;
  /** The pair to trade; the first that is open unless given. */
  readonly symbol: string | undefined;
  /** True if the kit may subscribe to a flexible plan and redeem. */
  readonly subscribe: boolean;
}

/** Without a price in the market, this many ticks. */
const TICKS_OF_AN_EMPTY_MARKET = '100000';
/** Shares of the best price, the farthest first: a price band may allow less. */
const DISTANCES = ['0.5', '0.8', '0.9', '0.95', '0.98', '0.99'];

export const isCode = ({ json }: Answer, ...names: readonly CodeName[]): boolean =>
  names.some((name) => json?.code === String(CODES[name].code));

/** A pair whose symbol and securityId differ is rejected; the id may not exist at all. */
export const expectMismatch = (answer: Answer): Fields =>
  expectRejected(answer, isCode(answer, 'unknownSymbol') ? 'unknownSymbol' : 'symbolMismatch');

export class Kit {
  readonly wire: Wire;
  readonly options: KitOptions;
  readonly #entered = new Set<number>();
  #pair: Pair | null = null;
  #lacks: string | null = null;

  constructor(options: KitOptions) {
    this.options = options;
    this.wire = options.wire;
  }

  /** Makes a call that has to succeed. Returns the data of its answer. */
  async call<C extends ApiCall>(
    call: C,
    fields?: Fields | string,
    sending?: Sending,
  ): Promise<AnswerOf<C>> {
    return expectDescribed(call, await this.wire.send(call, fields, sending));
  }

  /** Makes a call that has to be rejected. Returns the details of the rejection. */
  async expectRejected(
    call: Target,
    fields: Fields | string,
    code: CodeName,
    field?: string,
  ): Promise<Fields> {
    return expectRejected(await this.wire.send(call, fields), code, field);
  }

  /** The pair, found once. Throws Skip if the account can bid in none. */
  async pair(): Promise<Pair> {
    if (this.#lacks !== null) throw new Skip(this.#lacks);
    try {
      this.#pair ??= await this.#findPair();
    } catch (error) {
      if (error instanceof Skip) this.#lacks = error.message;
      throw error;
    }
    return this.#pair;
  }

  async #findPair(): Promise<Pair> {
    const { symbol } = this.options;
    const listed = await this.call(instruments);
    const open = listed.filter(({ instrumentStatus }) => instrumentStatus === 'LIVE');
    const candidates = open.filter((one) => symbol === undefined || one.symbol === symbol);
    const owned = await this.#available();
    let reason = symbol === undefined ? 'no pair is open' : `${symbol} is not open`;
    for (const instrument of candidates) {
      const pair = await this.#priced(instrument);
      const cost = decimal.multiply(pair.bidPrice, pair.quantity);
      const has = owned.get(pair.quote) ?? '0';
      if (decimal.compare(has, decimal.multiply(cost, '4')) >= 0) return pair;
      reason = `the account has ${has} ${pair.quote}, and needs four times ${cost}`;
    }
    throw new Skip(reason);
  }

  async #available(): Promise<Map<string, string>> {
    const rows = await this.call(accountCalls.balances);
    return new Map(rows.map(({ asset, available }) => [asset, available]));
  }

  /** The available balance of an asset. */
  async has(asset: string): Promise<string> {
    return (await this.#available()).get(asset) ?? '0';
  }

  async #priced(instrument: Instrument): Promise<Pair> {
    const { symbol, securityId, baseAssetMinOrderSize: minQuantity } = instrument;
    const { quoteAssetIncrement: tick, baseAssetIncrement: lot } = instrument;
    const [base = '', quote = ''] = symbol.split('-');
    const sized = (bidPrice: string): Pair => {
      const minQuote = decimal.divideDown(instrument.quoteAssetMinOrderSize, bidPrice, 18);
      const minimum = decimal.max(minQuantity, decimal.ceilTo(minQuote, lot));
      const quantity = decimal.multiply(decimal.add(minimum, lot), '2');
      return { symbol, securityId, tick, lot, base, quote, minQuantity, bidPrice, quantity };
    };
    const [from, isBest] = await this.#reference(symbol);
    if (from === null) return sized(decimal.multiply(tick, TICKS_OF_AN_EMPTY_MARKET));
    for (const share of isBest ? DISTANCES : ['1', ...DISTANCES]) {
      const price = decimal.floorTo(decimal.multiply(from, share), tick);
      if (!decimal.isPositive(price)) continue;
      const pair = sized(price);
      const tested = await this.wire.send(testOrder, bidOf(pair));
      if (!isCode(tested, 'priceOutsideBand')) return pair;
    }
    return sized(from);
  }

  /** The best price of either side and true, or the last price and false. */
  async #reference(symbol: string): Promise<readonly [price: string | null, isBest: boolean]> {
    const book = await this.call(orderbook, { symbol, depth: 1 });
    const best = book.bids[0]?.[0] ?? book.asks[0]?.[0];
    if (best !== undefined) return [best, true];
    const [ticker] = await this.call(tickers, { symbol });
    return [ticker?.lastPrice ?? null, false];
  }

  /** The fields of a bid that rests. */
  async bid(more: Fields = {}): Promise<Fields> {
    return { ...bidOf(await this.pair()), ...more };
  }

  /** Enters an order; `clean` cancels it. */
  async enter(fields: Fields): Promise<Answer> {
    const answer = await this.wire.send(createOrder, fields);
    if (answer.status === 200) this.noteEntered(answer.json?.orderId);
    return answer;
  }

  /** Notes an order that `clean` has to cancel. */
  noteEntered(orderId: unknown): void {
    if (typeof orderId === 'number') this.#entered.add(orderId);
  }

  /** Enters an order that has to be accepted. */
  async create(fields: Fields): Promise<AnswerOf<typeof createOrder>> {
    return expectDescribed(createOrder, await this.enter(fields));
  }

  /** Enters a bid that has to be accepted; returns its orderId. */
  async rest(more?: Fields): Promise<number> {
    return (await this.create(await this.bid(more))).orderId;
  }

  async cancel(orderId: number): Promise<void> {
    expectOk(await this.wire.send(cancelOrder, { orderId }));
  }

  /** The rows of getOrders. */
  async rows(fields: Fields): Promise<readonly OrderRow[]> {
    return (await this.call(orders, fields)).data;
  }

  /** The row of one own order. */
  async row(orderId: number): Promise<OrderRow> {
    const [row] = await this.rows({ type: 'SINGLE', orderId });
    expect(row !== undefined, `the order ${orderId} to be found`, row);
    return row;
  }

  /** Throws Skip if the account has other open orders than the kit's, in a pair or in all. */
  async requireNoOthers(symbol?: string): Promise<void> {
    const rows = await this.rows({ type: 'OPEN', ...(symbol === undefined ? {} : { symbol }) });
    const foreign = rows.filter(({ orderId }) => !this.#entered.has(orderId));
    if (foreign.length > 0) {
      throw new Skip(`the account has ${foreign.length} open orders that are not this kit’s`);
    }
  }

  /** Cancels the entered orders that still rest. */
  async clean(): Promise<void> {
    for (const orderId of this.#entered) {
      const answer = await this.wire.send(cancelOrder, { orderId });
      const isGone = answer.status === 200 || isCode(answer, 'orderClosed', 'orderUnknown');
      if (isGone) this.#entered.delete(orderId);
    }
  }
}

const bidOf = ({ symbol, bidPrice, quantity }: Pair): Fields => ({
  symbol,
  side: 1,
  ordType: 2,
  price: bidPrice,
  orderQty: quantity,
});
