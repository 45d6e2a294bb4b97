// What the checks work with: the account's pair, prices and sizes at which an order neither trades
// nor is refused, what was entered and has to be taken away again.
import * as decimal from '../sdk/decimal.ts';
import { Skipped } from './check.ts';
import { decimalText, expectOk } from './expect.ts';
import type { Answer, Json, Wire } from './wire.ts';

export const SPOT = '/spot-api/api/private/v1';
export const PUBLIC = '/spot-api/api/public';
export const MARKET = '/market-data-server/api/public/v1';
export const EARN = '/earn-api/v1/user';

/** A pair, its terms, and what an order of the kit is like. */
export interface Pair {
  readonly symbol: string;
  readonly securityId: number;
  readonly tick: string;
  readonly lot: string;
  readonly minQuantity: string;
  readonly base: string;
  readonly quote: string;
  /** Of a bid that rests: below everything in the book. */
  readonly bidPrice: string;
  /** The smallest that may be bid there, twice over, so that a half of it would do as well. */
  readonly quantity: string;
}

export interface KitOptions {
  readonly wire: Wire;
  /** The pair to trade; the first that is open unless given. */
  readonly symbol: string | undefined;
  /** Whether money may be subscribed to a flexible plan and redeemed. */
  readonly subscribe: boolean;
}

/** Without a price in the market, this many ticks. */
const TICKS_OF_AN_EMPTY_MARKET = '100000';
/** Of the best price, the farthest first: a price band may allow less. */
const DISTANCES = ['0.5', '0.8', '0.9', '0.95', '0.98', '0.99'];

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

  /** The pair, found once. Throws Skipped where there is none that this account can bid in. */
  async pair(): Promise<Pair> {
    if (this.#lacks !== null) throw new Skipped(this.#lacks);
    try {
      this.#pair ??= await this.#findPair();
    } catch (error) {
      if (error instanceof Skipped) this.#lacks = error.message;
      throw error;
    }
    return this.#pair;
  }

  async #findPair(): Promise<Pair> {
    const { symbol } = this.options;
    const listed = expectOk(await this.wire.open(`${PUBLIC}/v2/instruments`)) as unknown as Json[];
    const open = listed.filter((one) => String(one.instrumentStatus) === 'LIVE');
    const named = symbol === undefined ? open : open.filter((one) => String(one.symbol) === symbol);
    const owned = await this.#available();
    let reason = symbol === undefined ? 'no pair is open' : `${symbol} is not open`;
    for (const instrument of named) {
      const pair = await this.#priced(instrument);
      const cost = decimal.multiply(pair.bidPrice, pair.quantity);
      const has = owned.get(pair.quote) ?? '0';
      if (decimal.compare(has, decimal.multiply(cost, '4')) >= 0) return pair;
      reason = `the account has ${has} ${pair.quote}, and needs four times ${cost}`;
    }
    throw new Skipped(reason);
  }

  async #available(): Promise<Map<string, string>> {
    const rows = expectOk(await this.wire.get(`${SPOT}/balances`)) as unknown as Json[];
    return new Map(
      rows.map(({ asset, available }) => [String(asset), decimalText(available as unknown)]),
    );
  }

  /** What the account has available of an asset. */
  async has(asset: string): Promise<string> {
    return (await this.#available()).get(asset) ?? '0';
  }

  async #priced(instrument: Json): Promise<Pair> {
    const symbol = String(instrument.symbol);
    const [base = '', quote = ''] = symbol.split('-');
    const of = (field: string): string => decimalText(instrument[field] as unknown);
    const tick = of('quoteAssetIncrement');
    const lot = of('baseAssetIncrement');
    const minimum = of('baseAssetMinOrderSize');
    const minQuote = of('quoteAssetMinOrderSize');
    const plain = { symbol, securityId: Number(instrument.securityId), tick, lot, base, quote };
    const sized = (bidPrice: string): Pair => {
      const byQuote = decimal.ceilTo(decimal.divideDown(minQuote, bidPrice, 18), lot);
      const least = decimal.add(decimal.max(minimum, byQuote), lot);
      const quantity = decimal.multiply(least, '2');
      return { ...plain, minQuantity: minimum, bidPrice, quantity };
    };
    const [from, isBest] = await this.#reference(symbol);
    if (from === null) return sized(decimal.multiply(tick, TICKS_OF_AN_EMPTY_MARKET));
    for (const share of isBest ? DISTANCES : ['1', ...DISTANCES]) {
      const price = decimal.floorTo(decimal.multiply(from, share), tick);
      if (!decimal.isPositive(price)) continue;
      const pair = sized(price);
      const tested = await this.wire.post(`${SPOT}/testorder`, this.bid(pair));
      if (String(tested.json?.code) !== '100211') return pair;
    }
    return sized(from);
  }

  /** The best price of either side, or the last one; and whether it is of the book. */
  async #reference(symbol: string): Promise<readonly [price: string | null, isBest: boolean]> {
    const book = expectOk(await this.wire.open(`${MARKET}/orderbook`, { symbol, depth: 1 }));
    const best = (book.bids?.[0]?.[0] ?? book.asks?.[0]?.[0]) as unknown;
    if (best !== undefined) return [decimalText(best), true];
    const [ticker] = expectOk(
      await this.wire.open(`${MARKET}/tickers`, { symbol }),
    ) as unknown as Json[];
    const last = ticker?.lastPrice as unknown;
    return [last === null || last === undefined ? null : decimalText(last), false];
  }

  /** A bid that rests. */
  bid(pair: Pair, more: object = {}): object {
    const { symbol, bidPrice, quantity } = pair;
    return { symbol, side: 1, ordType: 2, price: bidPrice, orderQty: quantity, ...more };
  }

  /** Enters an order; it is taken away at the end. */
  async enter(body: object): Promise<Answer> {
    const answer = await this.wire.post(`${SPOT}/order`, body);
    const orderId = Number(answer.json?.orderId);
    if (answer.status === 200 && Number.isSafeInteger(orderId)) this.#entered.add(orderId);
    return answer;
  }

  /** Enters a bid that has to be accepted; returns its orderId. */
  async rest(more: object = {}): Promise<number> {
    const answer = await this.enter(this.bid(await this.pair(), more));
    return Number(expectOk(answer).orderId);
  }

  /** The row of one own order. */
  async row(orderId: number): Promise<Json> {
    const answer = await this.wire.get(`${SPOT}/orders`, { type: 'SINGLE', orderId });
    return expectOk(answer).data?.[0] as Json;
  }

  /**
   * Throws Skipped where the account has open orders that are not the kit's, in a pair or in all.
   */
  async requireNoOthers(symbol?: string): Promise<void> {
    const query = { type: 'OPEN', ...(symbol === undefined ? {} : { symbol }) };
    const answer = expectOk(await this.wire.get(`${SPOT}/orders`, query));
    const rows = answer.data as unknown as Json[];
    const foreign = rows.filter(({ orderId }) => !this.#entered.has(Number(orderId)));
    if (foreign.length > 0) {
      throw new Skipped(`the account has ${foreign.length} open orders that are not this kit’s`);
    }
  }

  /** Takes away what was entered and still rests; returns the orders that could not be. */
  async clean(): Promise<number[]> {
    const left: number[] = [];
    for (const orderId of this.#entered) {
      const { status, json } = await this.wire.post(`${SPOT}/order/cancel`, { orderId });
      const isClosed = status === 200 || ['100205', '100203'].includes(String(json?.code));
      if (isClosed) this.#entered.delete(orderId);
      else left.push(orderId);
    }
    return left;
  }
}
