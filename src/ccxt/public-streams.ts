// The public channels: order books checked by sequence and checksum, best prices, trades, tickers
// and candles.
import type { Dict, Int, Market, OHLCV, OrderBook, Strings, Ticker, Tickers, Trade } from 'ccxt';
import { ChecksumError } from 'ccxt';
import { AgioConnection, type Client, PUBLIC, type Subject } from './connection.ts';
import { Recent } from './recent.ts';
import type { BookTerms, PairListTerms } from './terms.ts';

/** The depths of the orderbook channel; a deeper book is aggregated from the level-3 channel. */
const DEPTHS = [1, 5, 20, 100];
const CHECKSUM_LEVELS = 10;
const KEPT_TRADES = 1000;
const KEPT_CANDLES = 1000;

const TRADES = {
  identity: ({ id }: Trade) => id,
  symbolOf: () => undefined,
  moves: true,
};
const CANDLES = {
  identity: ([openTime]: OHLCV) => openTime,
  symbolOf: () => undefined,
  moves: false,
};

type Level = readonly [price: string, quantity: string, ...rest: unknown[]];
type Side = 'bids' | 'asks';

/** A live book: ccxt's, and the text of each level, which the checksum covers. */
interface LiveBook {
  readonly book: Dict;
  readonly texts: Readonly<Record<Side, Map<number, string>>>;
  seq: string;
}

export abstract class AgioPublicStreams extends AgioConnection {
  /** By client, then by subscription: a book ends with its connection. */
  readonly #books = new WeakMap<Client, Map<string, LiveBook>>();

  /** `limit` levels of each side, 100 by default. `nonce` is the exchange's lastUpdateId. */
  override async watchOrderBook(...[symbol, limit, params = {}]: BookTerms): Promise<OrderBook> {
    await this.loadMarkets();
    return cut(await this.listen(this.#bookOf(symbol, limit), params), limit);
  }

  /** The next book of any of the markets, as watchOrderBook has it. */
  override async watchOrderBookForSymbols(
    symbols: string[],
    limit?: Int,
    params: Dict = {},
  ): Promise<OrderBook> {
    await this.loadMarkets();
    const subjects = symbols.map((symbol) => this.#bookOf(symbol, limit));
    return cut(await this.listenToAny<OrderBook>(subjects, params), limit);
  }

  override async unWatchOrderBook(symbol: string, params: Dict = {}) {
    return this.unWatchOrderBookForSymbols([symbol], params);
  }

  /** `params.limit` is that of the books. */
  override async unWatchOrderBookForSymbols(symbols: string[], params: Dict = {}) {
    await this.loadMarkets();
    const limit = this.safeInteger(params, 'limit');
    return this.leaveAll(symbols.map((symbol) => this.#bookOf(symbol, limit)));
  }

  #bookOf(symbol: string, limit: Int): Subject {
    const { id } = this.market(symbol);
    const depth = DEPTHS.find((served) => served >= (limit ?? 100));
    const request: Dict =
      depth === undefined
        ? { channel: 'l3orderbook', symbol: id }
        : { channel: 'orderbook', symbol: id, depth };
    return { path: PUBLIC, request, hash: hashOf(request) };
  }

  #handleBook(client: Client, message: Dict): void {
    const hash = hashOf(message);
    const books = this.#books.get(client) ?? new Map<string, LiveBook>();
    this.#books.set(client, books);
    const symbol = this.safeSymbol(message.symbol, undefined, '-');
    if (message.type === 'snapshot') {
      const texts = { bids: new Map<number, string>(), asks: new Map<number, string>() };
      books.set(hash, { book: this.orderBook({ symbol }), texts, seq: message.seq });
    }
    const live = books.get(hash);
    // Updates that were on their way when the book was dropped.
    if (live === undefined) return;
    if (message.type === 'update' && message.prevSeq !== live.seq) {
      this.#giveUp(client, hash, `has a gap: ${live.seq} came before, not ${message.prevSeq}`);
      return;
    }
    live.seq = message.seq;
    for (const side of ['bids', 'asks'] as const) apply(live, side, message[side]);
    const { book } = live;
    book.nonce = this.safeInteger(message, 'lastUpdateId');
    book.timestamp = this.safeInteger(message, 'transactTime');
    book.datetime = this.iso8601(book.timestamp);
    if (String(this.crc32(checksumText(live))) !== this.safeString(message, 'checksum')) {
      this.#giveUp(client, hash, 'does not add up to its checksum');
      return;
    }
    (this.orderbooks as Dict)[symbol] = book;
    this.deliver(client, book, hash);
  }

  #giveUp(client: Client, hash: string, why: string): void {
    this.#books.get(client)!.delete(hash);
    this.fail(client, hash, new ChecksumError(`${this.id} ${hash} ${why}`));
  }

  override async watchTrades(
    ...[symbol, since, limit, params = {}]: PairListTerms
  ): Promise<Trade[]> {
    await this.loadMarkets();
    const trades = await this.listen(this.#of('trades', symbol), params);
    return this.#newest(trades, since, limit, 'timestamp');
  }

  /** The new trades of one of the markets. */
  override async watchTradesForSymbols(
    symbols: string[],
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Trade[]> {
    await this.loadMarkets();
    const subjects = symbols.map((symbol) => this.#of('trades', symbol));
    const trades = await this.listenToAny<Recent<Trade>>(subjects, params);
    return this.#newest(trades, since, limit, 'timestamp');
  }

  override async unWatchTrades(symbol: string) {
    return this.unWatchTradesForSymbols([symbol]);
  }

  override async unWatchTradesForSymbols(symbols: string[]) {
    await this.loadMarkets();
    return this.leaveAll(symbols.map((symbol) => this.#of('trades', symbol)));
  }

  /** The rows that no call has returned, or with `newUpdates: false` the last ones. */
  #newest<T extends object>(
    rows: Recent<T>,
    since: Int,
    limit: Int,
    timeKey: 'timestamp' | 0,
  ): T[] {
    const count = this.newUpdates ? rows.getLimit(undefined, limit) : limit;
    return this.filterBySinceLimit(rows, since, count, timeKey, true);
  }

  #of(channel: string, symbol: string): Subject {
    return subjectOf({ channel, symbol: this.market(symbol).id });
  }

  #handleTrades(client: Client, message: Dict): void {
    const market = this.safeMarket(message.symbol, undefined, '-');
    const { symbol } = market;
    const limit = this.safeInteger(this.options, 'tradesLimit', KEPT_TRADES)!;
    const caches: Dict = this.trades;
    caches[symbol!] ??= new Recent({ ...TRADES, limit });
    const cache: Recent<Trade> = caches[symbol!];
    const last = Number(cache.at(-1)?.id ?? 0);
    // After a reconnection the snapshot repeats known trades.
    const news = (message.data as Dict[]).filter(({ tradeId }) => Number(tradeId) > last);
    for (const trade of news) cache.append(this.parseTrade(trade, market));
    if (news.length > 0) this.deliver(client, cache, hashOf(message));
  }

  override async watchTicker(symbol: string, params: Dict = {}): Promise<Ticker> {
    await this.loadMarkets();
    return this.listen(this.#of('ticker', symbol), params);
  }

  override async unWatchTicker(symbol: string) {
    await this.loadMarkets();
    return this.leaveAll([this.#of('ticker', symbol)]);
  }

  /** The symbols with new data. */
  override async watchTickers(symbols?: Strings, params: Dict = {}): Promise<Tickers> {
    await this.loadMarkets();
    const wanted = this.marketSymbols(symbols);
    for (;;) {
      const news = await this.listen(ALL_TICKERS, params);
      const tickers: Tickers = this.filterByArray(
        this.newUpdates ? news : this.tickers,
        'symbol',
        wanted,
      );
      if (Object.keys(tickers).length > 0) return tickers;
    }
  }

  /** Ends the subscription of watchTickers, which is one for all markets. */
  override async unWatchTickers() {
    return this.leaveAll([ALL_TICKERS]);
  }

  #handleTickers(client: Client, message: Dict): void {
    const news: Dict = {};
    for (const row of message.data as Dict[]) {
      const ticker = this.parseTicker(row);
      news[ticker.symbol!] = ticker;
      this.tickers[ticker.symbol!] = ticker;
    }
    const one = message.symbol === undefined ? undefined : Object.values(news)[0];
    this.deliver(client, one ?? news, hashOf(message));
  }

  /** The best prices of markets, without `symbols` of all: those that have changed. */
  override async watchBidsAsks(symbols?: Strings, params: Dict = {}): Promise<Tickers> {
    await this.loadMarkets();
    const wanted: string[] = this.marketSymbols(symbols) ?? this.symbols;
    const subjects = wanted.map((symbol) => this.#of('bbo', symbol));
    const ticker = await this.listenToAny<Ticker>(subjects, params);
    if (this.newUpdates) return { [ticker.symbol!]: ticker };
    return this.filterByArray(this.bidsasks, 'symbol', wanted);
  }

  override async unWatchBidsAsks(symbols?: Strings) {
    await this.loadMarkets();
    const wanted: string[] = this.marketSymbols(symbols) ?? this.symbols;
    return this.leaveAll(wanted.map((symbol) => this.#of('bbo', symbol)));
  }

  #handleBidsAsks(client: Client, message: Dict): void {
    const ticker = this.parseTicker(message);
    this.bidsasks[ticker.symbol!] = ticker;
    this.deliver(client, ticker, hashOf(message));
  }

  /** Candles as they grow, and each a last time when it is complete. */
  override async watchOHLCV(
    symbol: string,
    timeframe = '1m',
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<OHLCV[]> {
    await this.loadMarkets();
    const candles = await this.listen(this.#candlesOf(symbol, timeframe), params);
    return this.#newest(candles, since, limit, 0);
  }

  /** The next candles of any of the pairs of symbol and timeframe, by symbol and timeframe. */
  override async watchOHLCVForSymbols(
    pairs: string[][],
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ) {
    await this.loadMarkets();
    const subjects = pairs.map(([symbol, timeframe]) => this.#candlesOf(symbol!, timeframe!));
    const candles = await this.listenToAny<Recent<OHLCV>>(subjects, params);
    const [symbol, timeframe] = pairs.find(
      ([one, frame]) => (this.ohlcvs as Dict)[this.symbol(one!)]?.[frame!] === candles,
    )!;
    const rows = this.#newest(candles, since, limit, 0);
    return this.createOHLCVObject(this.symbol(symbol!), timeframe!, rows);
  }

  override async unWatchOHLCV(symbol: string, timeframe = '1m') {
    return this.unWatchOHLCVForSymbols([[symbol, timeframe]]);
  }

  override async unWatchOHLCVForSymbols(pairs: string[][]) {
    await this.loadMarkets();
    return this.leaveAll(pairs.map(([symbol, timeframe]) => this.#candlesOf(symbol!, timeframe!)));
  }

  #candlesOf(symbol: string, timeframe: string): Subject {
    const interval = this.safeString(this.timeframes, timeframe, timeframe);
    return subjectOf({ channel: 'candles', symbol: this.market(symbol).id, interval });
  }

  #handleCandles(client: Client, message: Dict): void {
    const market: Market = this.safeMarket(message.symbol, undefined, '-');
    const timeframe = this.findTimeframe(message.interval)!;
    const caches: Dict = this.ohlcvs;
    caches[market!.symbol!] ??= {};
    const ofSymbol: Dict = caches[market!.symbol!];
    const limit = this.safeInteger(this.options, 'OHLCVLimit', KEPT_CANDLES)!;
    ofSymbol[timeframe] ??= new Recent({ ...CANDLES, limit });
    const cache: Recent<OHLCV> = ofSymbol[timeframe];
    for (const row of message.data as Dict[]) cache.append(this.parseOHLCV(row));
    this.deliver(client, cache, hashOf(message));
  }

  protected override handleData(client: Client, message: Dict): void {
    const { channel } = message;
    if (channel === 'orderbook' || channel === 'l3orderbook') this.#handleBook(client, message);
    else if (channel === 'trades') this.#handleTrades(client, message);
    else if (channel === 'bbo') this.#handleBidsAsks(client, message);
    else if (channel === 'ticker') this.#handleTickers(client, message);
    else if (channel === 'candles') this.#handleCandles(client, message);
  }
}

/** The same for a request and for the messages that follow it. */
const hashOf = ({ channel, symbol, depth, interval }: Dict): string =>
  [channel, symbol, depth, interval].filter((part) => part !== undefined).join(':');

const subjectOf = (request: Dict): Subject => ({ path: PUBLIC, request, hash: hashOf(request) });

const ALL_TICKERS = subjectOf({ channel: 'ticker' });

/** A copy with `limit` levels; the book itself if it has no more. */
function cut(book: OrderBook, limit: Int): OrderBook {
  if (limit === undefined || DEPTHS.includes(limit)) return book;
  const some = book.copy();
  some.bids = some.bids.slice(0, limit);
  some.asks = some.asks.slice(0, limit);
  return some;
}

/** Levels of any book: the third member of a level-3 one is its orders. */
function apply({ book, texts }: LiveBook, side: Side, levels: readonly Level[]): void {
  for (const [price, quantity] of levels) {
    const key = Number(price);
    const size = Number(quantity);
    book[side].storeArray([key, size]);
    if (size === 0) texts[side].delete(key);
    else texts[side].set(key, `${price}:${quantity}`);
  }
}

/** The text of the checksum: the ten best levels of each side (docs/websocket.md). */
function checksumText({ book, texts }: LiveBook): string {
  const best = (side: Side): string =>
    (book[side] as number[][])
      .slice(0, CHECKSUM_LEVELS)
      .map(([price]) => texts[side].get(price!))
      .join(',');
  return `${best('bids')}|${best('asks')}`;
}
