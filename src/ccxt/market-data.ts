// Public data: instruments, assets, books, best prices, trades, tickers, candles, the clock and the
// service status.
import type {
  Currencies,
  Currency,
  Dict,
  Int,
  LastPrice,
  LastPrices,
  Market,
  OHLCV,
  OrderBook,
  Status,
  Strings,
  Ticker,
  Tickers,
  Trade,
} from 'ccxt';
import { ExchangeNotAvailable, PermissionDenied } from 'ccxt';
import { AgioApi } from './api.ts';
import type { BookTerms, PairListTerms } from './terms.ts';

/** The depths of the order book call; a deeper book is aggregated from the level-3 book. */
const BOOK_DEPTHS = [1, 5, 20, 100];
export const SIDES: Readonly<Record<string, string>> = { '1': 'buy', '2': 'sell' };

/** The prices of a candle, oldest first in a list. */
const CANDLE_FIELDS = ['open', 'high', 'low', 'close', 'baseVolume'];

export class AgioMarketData extends AgioApi {
  /** Epoch ms of the clock that signatures are checked against. */
  override async fetchTime(params: Dict = {}): Promise<Int> {
    return this.safeInteger(await this.spotPublicGetV1Time(params), 'serverTime');
  }

  override async fetchStatus(params: Dict = {}): Promise<Status> {
    const status = { updated: undefined, eta: undefined, url: undefined };
    try {
      const info = await this.systemPublicGetReady(params);
      return { ...status, status: 'ok', info };
    } catch (error) {
      // A service that is starting or stopping also answers.
      if (!(error instanceof ExchangeNotAvailable)) throw error;
      return { ...status, status: 'maintenance', info: { reason: error.message } };
    }
  }

  override async fetchCurrencies(params: Dict = {}): Promise<Currencies> {
    const assets: Dict[] = await this.spotPublicGetV1Assets(params);
    const listed = assets.map((asset) => this.parseCurrency(asset)!);
    return Object.fromEntries(listed.map((currency) => [currency.code, currency]));
  }

  override parseCurrency(asset: Dict): Currency {
    const id = this.safeString(asset, 'asset');
    return this.safeCurrencyStructure({
      info: asset,
      id,
      code: this.safeCurrencyCode(id),
      name: id,
      type: asset.fiat === true ? 'fiat' : 'crypto',
      // Only the operator of the exchange moves money in and out; `active` is about that alone.
      active: false,
      deposit: false,
      withdraw: false,
      precision: this.parseNumber(this.parsePrecision(this.safeString(asset, 'scale'))),
      networks: {},
    });
  }

  override async fetchMarkets(params: Dict = {}): Promise<Market[]> {
    if (this.safeBool(this.options, 'adjustForTimeDifference', false) === true) {
      await this.loadTimeDifference();
    }
    const [instruments, fees] = await Promise.all([
      this.spotPublicGetV2Instruments(params) as Promise<Dict[]>,
      this.#ownFees(),
    ]);
    const feesById = this.indexBy(fees, 'symbol');
    return instruments.map((instrument) =>
      this.parseMarket({ ...instrument, ...feesById[instrument.symbol] }),
    );
  }

  /** Fee rates belong to the account, so they need a key that may read them. */
  async #ownFees(): Promise<Dict[]> {
    if (!this.checkRequiredCredentials(false)) return [];
    try {
      return await this.spotPrivateGetV1Fees();
    } catch (error) {
      if (error instanceof PermissionDenied) return [];
      throw error;
    }
  }

  override parseMarket(instrument: Dict): Market {
    const id = this.safeString(instrument, 'symbol')!;
    const [baseId, quoteId] = id.split('-');
    const base = this.safeCurrencyCode(baseId);
    const quote = this.safeCurrencyCode(quoteId);
    const none = { min: undefined, max: undefined };
    return this.safeMarketStructure({
      id,
      numericId: this.safeInteger(instrument, 'securityId'),
      symbol: `${base}/${quote}`,
      base,
      quote,
      baseId,
      quoteId,
      type: 'spot',
      spot: true,
      margin: false,
      active: instrument.open === true && instrument.apiTradeSupported === true,
      maker: this.safeNumber(instrument, 'makerFee'),
      taker: this.safeNumber(instrument, 'takerFee'),
      percentage: true,
      tierBased: true,
      feeSide: 'get',
      precision: {
        amount: this.safeNumber(instrument, 'baseAssetIncrement'),
        price: this.safeNumber(instrument, 'quoteAssetIncrement'),
        cost: this.safeNumber(instrument, 'quoteAssetIncrement'),
      },
      limits: {
        leverage: none,
        amount: { ...none, min: this.safeNumber(instrument, 'baseAssetMinOrderSize') },
        price: none,
        cost: { ...none, min: this.safeNumber(instrument, 'quoteAssetMinOrderSize') },
      },
      info: instrument,
    });
  }

  /** `limit` levels of each side, 100 by default. `nonce` is the exchange's lastUpdateId. */
  override async fetchOrderBook(...[symbol, limit, params = {}]: BookTerms): Promise<OrderBook> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const levels = limit ?? 100;
    const depth = BOOK_DEPTHS.find((served) => served >= levels);
    const book: Dict =
      depth === undefined
        ? await this.marketPublicGetV1L3Orderbook({ symbol: market.id, ...params })
        : await this.marketPublicGetV1Orderbook({ symbol: market.id, depth, ...params });
    const parsed = this.parseOrderBook(book, market.symbol, this.safeInteger(book, 'transactTime'));
    parsed.nonce = this.safeInteger2(book, 'lastUpdateId', 'version');
    parsed.bids = parsed.bids.slice(0, levels);
    parsed.asks = parsed.asks.slice(0, levels);
    return parsed;
  }

  /** The order book already consists of levels. */
  override async fetchL2OrderBook(symbol: string, limit?: Int, params: Dict = {}) {
    return this.fetchOrderBook(symbol, limit, params);
  }

  /** The levels, best first; of the level-3 book the total of each level. */
  override parseOrderBook(book: Dict, symbol: string | undefined, timestamp?: Int): OrderBook {
    const side = (levels: readonly (readonly string[])[]) =>
      levels.map(([price, quantity]) => [this.parseNumber(price), this.parseNumber(quantity)]);
    const parsed: Dict = {
      symbol,
      bids: side(book.bids),
      asks: side(book.asks),
      timestamp,
      datetime: this.iso8601(timestamp),
      nonce: undefined,
    };
    return parsed as OrderBook;
  }

  /** Single orders in priority: [price, amount, order id]. */
  override async fetchL3OrderBook(...[symbol, limit, params = {}]: BookTerms): Promise<OrderBook> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const book: Dict = await this.marketPublicGetV1L3Orderbook({ symbol: market.id, ...params });
    type Level = readonly [string, string, readonly (readonly string[])[]];
    const side = (levels: readonly Level[]) =>
      levels
        .flatMap(([price, , orders]) =>
          orders.map(([orderId, , , quantity]) => [
            this.parseNumber(price),
            this.parseNumber(quantity),
            orderId,
          ]),
        )
        .slice(0, limit);
    const timestamp = this.safeInteger(book, 'transactTime');
    const parsed: Dict = {
      symbol: market.symbol,
      bids: side(book.bids),
      asks: side(book.asks),
      timestamp,
      datetime: this.iso8601(timestamp),
      nonce: this.safeInteger(book, 'version'),
    };
    return parsed as OrderBook;
  }

  override async fetchTicker(symbol: string, params: Dict = {}): Promise<Ticker> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const [ticker]: Dict[] = await this.marketPublicGetV1Tickers({ symbol: market.id, ...params });
    return this.parseTicker(ticker!, market);
  }

  override async fetchTickers(symbols?: Strings, params: Dict = {}): Promise<Tickers> {
    await this.loadMarkets();
    const tickers: Dict[] = await this.marketPublicGetV1Tickers(params);
    return this.parseTickers(tickers, this.marketSymbols(symbols));
  }

  /** The best prices of markets; everything else in a ticker is undefined. */
  override async fetchBidsAsks(symbols?: Strings, params: Dict = {}): Promise<Tickers> {
    await this.loadMarkets();
    const wanted = this.marketSymbols(symbols);
    const [only] = wanted ?? [];
    const one = wanted?.length === 1 ? { symbol: this.market(only!).id } : {};
    return this.parseTickers(await this.marketPublicGetV1Bbo({ ...one, ...params }), wanted);
  }

  /** The price and time of the last trade of each market within the last 24 hours. */
  override async fetchLastPrices(symbols?: Strings, params: Dict = {}): Promise<LastPrices> {
    await this.loadMarkets();
    return this.parseLastPrices(await this.marketPublicGetV1Tickers(params), symbols);
  }

  override parseLastPrice(ticker: Dict, market?: Market): LastPrice {
    const timestamp = this.safeInteger(ticker, 'lastTradeTime');
    return {
      symbol: this.safeSymbol(this.safeString(ticker, 'symbol'), market, '-'),
      timestamp,
      datetime: this.iso8601(timestamp),
      price: this.safeNumber(ticker, 'lastPrice'),
      side: undefined,
      info: ticker,
    };
  }

  override parseTicker(ticker: Dict, market?: Market): Ticker {
    const timestamp = this.safeInteger2(ticker, 'closeTime', 'transactTime');
    const known = this.safeMarket(this.safeString(ticker, 'symbol'), market, '-');
    return this.safeTicker(
      {
        symbol: known.symbol,
        timestamp,
        datetime: this.iso8601(timestamp),
        high: this.safeString(ticker, 'highPrice'),
        low: this.safeString(ticker, 'lowPrice'),
        bid: this.safeString(ticker, 'bestBid'),
        bidVolume: this.safeString(ticker, 'bestBidQuantity'),
        ask: this.safeString(ticker, 'bestAsk'),
        askVolume: this.safeString(ticker, 'bestAskQuantity'),
        open: this.safeString(ticker, 'openPrice'),
        last: this.safeString(ticker, 'lastPrice'),
        change: this.safeString(ticker, 'priceChange'),
        baseVolume: this.safeString(ticker, 'baseVolume'),
        quoteVolume: this.safeString(ticker, 'quoteVolume'),
        info: ticker,
      },
      known,
    );
  }

  /**
   * The newest trades, at most 1,000 a page; `paginate` reads more, `beforeTradeId` starts there.
   */
  override async fetchTrades(
    ...[symbol, since, limit, params = {}]: PairListTerms
  ): Promise<Trade[]> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const names = { start: 'since', end: 'until', size: 'limit' };
    // The call has no time window, so `since` and `until` are applied here.
    const until = this.safeInteger(params, 'until');
    const given = { symbol: market.id, ...params };
    const page = this.pageRequest(names, since ?? until, limit, given);
    const request = this.omit(page.request, ['since', 'until']);
    const cursor = { parameter: 'beforeTradeId', id: 'tradeId' };
    const rows = await this.readPages({ ...page, request }, cursor, (asked) =>
      this.marketPublicGetV1Trades(asked),
    );
    const wanted = rows.filter((row) => until === undefined || Number(row.transactTime) <= until);
    return this.parseTrades(wanted, market, since, limit);
  }

  /** A public trade, or a fill of the account. The fee is in the received asset. */
  override parseTrade(trade: Dict, market?: Market): Trade {
    const timestamp = this.safeInteger(trade, 'transactTime');
    const feeAsset = this.safeString(trade, 'feeAsset');
    const own = feeAsset !== undefined;
    return this.safeTrade(
      {
        info: trade,
        id: this.safeString(trade, 'tradeId'),
        order: this.safeString(trade, 'orderId'),
        timestamp,
        datetime: this.iso8601(timestamp),
        symbol: this.safeSymbol(this.safeString(trade, 'symbol'), market, '-'),
        type: undefined,
        side: SIDES[this.safeString2(trade, 'side', 'takerSide')!],
        takerOrMaker: own ? (trade.maker === true ? 'maker' : 'taker') : undefined,
        price: this.safeString(trade, 'price'),
        amount: this.safeString(trade, 'quantity'),
        cost: this.safeString(trade, 'quoteAmount'),
        fee: own
          ? { cost: this.safeString(trade, 'fee'), currency: this.safeCurrencyCode(feeAsset) }
          : undefined,
      },
      market,
    );
  }

  /** Oldest first; an interval without trades has no candle. */
  override async fetchOHLCV(
    symbol: string,
    timeframe = '1m',
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<OHLCV[]> {
    await this.loadMarkets();
    const market = this.market(symbol);
    if (this.safeBool(params, 'paginate', false) === true) {
      const rest = this.omit(params, 'paginate');
      return this.fetchPaginatedCallDeterministic(
        'fetchOHLCV',
        symbol,
        since,
        limit,
        timeframe,
        rest,
        1000,
      );
    }
    const request: Dict = {
      symbol: market.id,
      interval: this.safeString(this.timeframes, timeframe, timeframe),
      ...(since === undefined ? {} : { startTime: since }),
      ...(limit === undefined ? {} : { limit: Math.min(limit, 1000) }),
    };
    const until = this.safeInteger(params, 'until');
    if (until !== undefined) request.endTime = until;
    const candles: Dict[] = await this.marketPublicGetV1Candles({
      ...request,
      ...this.omit(params, 'until'),
    });
    return this.parseOHLCVs(candles, market, timeframe, since, limit);
  }

  override parseOHLCV(candle: Dict): OHLCV {
    const values = CANDLE_FIELDS.map((field) => this.safeNumber(candle, field));
    return [this.safeInteger(candle, 'openTime'), ...values] as OHLCV;
  }
}
