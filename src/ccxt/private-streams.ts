// The private channels: orders, fills and balance of the account.
import type { Balances, Dict, Order, Str, Trade } from 'ccxt';
import { Code } from '../sdk/generated/codes.ts';
import { ACCOUNT, type Client, ORDERS, PUBLIC, type Subject } from './connection.ts';
import { AgioPublicStreams } from './public-streams.ts';
import { Recent } from './recent.ts';
import type { ListTerms } from './terms.ts';

const ORDER_REPORTS: Subject = { path: ORDERS, request: { channel: 'orders' }, hash: 'orders' };
const BALANCES: Subject = { path: ACCOUNT, request: { channel: 'balances' }, hash: 'balances' };
const MY_TRADES = 'orders:trades';
const KEPT = 1000;
const TRADES_PAGE = 100;
const OWN = { symbolOf: ({ symbol }: { symbol: Str }) => symbol, moves: true };
const RESUME_TOO_OLD = String(Code.resumeTooOld);
const FORBIDDEN = String(Code.forbidden);
/** execType of a trade. */
const FILLS = ['1', '2'];

export class AgioPrivateStreams extends AgioPublicStreams {
  /** The seq up to which every report of the orders channel was received. */
  #ordersSeq: string | undefined;
  /** The newest report that was delivered. */
  #lastExecId = 0;
  /** The last value that a caller gave; it applies to every connection. */
  #cancelOnDisconnect = false;
  /** The id of the newest fill that was delivered. */
  #lastTradeId: number | undefined;
  #readingTrades = false;
  #moreTrades = false;

  /**
   * Every report of the account's orders: accepted, traded, canceled. After a disconnection the
   * missed reports come first. With `params.cancelOnDisconnect` the exchange cancels all open
   * orders when the connection ends.
   */
  override async watchOrders(...[symbol, since, limit, params = {}]: ListTerms): Promise<Order[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const hash = market === undefined ? 'orders' : `orders:${market.symbol}`;
    const orders = await this.#listenToOrders(params, hash);
    const count = this.newUpdates ? orders.getLimit(market?.symbol, limit) : limit;
    return this.filterBySymbolSinceLimit(orders, market?.symbol, since, count, true);
  }

  /**
   * The account's fills since the first call, with fees; read over REST when a report shows a
   * trade.
   */
  override async watchMyTrades(
    ...[symbol, since, limit, params = {}]: ListTerms
  ): Promise<Trade[]> {
    await this.loadMarkets();
    if (this.#lastTradeId === undefined) {
      const [newest] = await this.fetchMyTrades(undefined, undefined, 1);
      this.#lastTradeId ??= Number(newest?.id ?? 0);
    }
    const market = symbol === undefined ? undefined : this.market(symbol);
    const hash = market === undefined ? MY_TRADES : `${MY_TRADES}:${market.symbol}`;
    await this.logIn(ORDERS);
    const waiting = this.#listenToOrders(params, hash);
    // Fills that were reported during the first read, or that a failed read left out.
    const client = this.connected(this.streamUrl(ORDERS));
    if (this.#moreTrades && client !== undefined) void this.#readTrades(client);
    const trades = await waiting;
    const count = this.newUpdates ? trades.getLimit(market?.symbol, limit) : limit;
    return this.filterBySymbolSinceLimit(trades, market?.symbol, since, count, true);
  }

  #listenToOrders(params: Dict, hash: string) {
    const asked = this.safeBool(params, 'cancelOnDisconnect', this.#cancelOnDisconnect)!;
    this.#cancelOnDisconnect = asked;
    return this.listen(ORDER_REPORTS, this.omit(params, 'cancelOnDisconnect'), hash);
  }

  override async watchBalance(params: Dict = {}): Promise<Balances> {
    await this.loadMarkets();
    return this.listen(BALANCES, params);
  }

  protected override resumption(subject: Subject): Dict {
    if (subject !== ORDER_REPORTS || this.#ordersSeq === undefined) return {};
    return { resumeFrom: Number(this.#ordersSeq) };
  }

  protected override terms(subject: Subject): Dict {
    return subject === ORDER_REPORTS && this.#cancelOnDisconnect
      ? { cancelOnDisconnect: true }
      : {};
  }

  protected override rejected(hash: string, { code }: Dict): void {
    if (hash !== ORDER_REPORTS.hash) return;
    if (code === RESUME_TOO_OLD) this.#ordersSeq = undefined;
    // A key without the privilege to cancel can still listen.
    if (code === FORBIDDEN) this.#cancelOnDisconnect = false;
  }

  protected override handleData(client: Client, message: Dict): void {
    if (!client.url.endsWith(PUBLIC)) this.noteSeq(message.seq);
    if (message.channel === 'orders') this.#handleOrders(client, message);
    else if (message.channel === 'balances') this.#handleBalances(client, message);
    else if (message.channel === 'heartbeat') this.#handleHeartbeat(client, message);
    else super.handleData(client, message);
  }

  #handleOrders(client: Client, message: Dict): void {
    const { type } = message;
    this.#ordersSeq = this.safeString(message, 'seq');
    // A subscription that resumes repeats reports that were on their way, or came in part.
    const known = type === 'snapshot' ? 0 : this.#lastExecId;
    const reports = (message.data as Dict[]).filter(({ execId }) => Number(execId) > known);
    this.#lastExecId = Math.max(known, ...reports.map(({ execId }) => Number(execId)));
    const limit = this.safeInteger(this.options, 'ordersLimit', KEPT)!;
    const caches = this as Dict;
    caches.orders ??= new Recent({ ...OWN, limit, identity: ({ id }: Order) => id });
    const orders: Recent<Order> = caches.orders;
    // A snapshot has open orders only, so earlier trades may be missing: read the fills.
    const traded = type === 'snapshot' || reports.some(({ execType }) => FILLS.includes(execType));
    if (traded) this.#tradesBehind(client);
    const symbols = new Set<Str>();
    for (const report of reports) {
      const order = this.parseOrder(report);
      orders.append(order);
      symbols.add(order.symbol);
    }
    if (reports.length === 0) return;
    client.resolve(orders, 'orders');
    for (const symbol of symbols) client.resolve(orders, `orders:${symbol}`);
  }

  /** Only notes the trade while no call follows the fills. */
  #tradesBehind(client: Client): void {
    this.#moreTrades = true;
    if (this.#lastTradeId !== undefined) void this.#readTrades(client);
  }

  /** One read at a time; trades during it are read afterwards. */
  async #readTrades(client: Client): Promise<void> {
    if (this.#readingTrades) return;
    this.#readingTrades = true;
    try {
      while (this.#moreTrades) {
        this.#moreTrades = false;
        await this.#emitTrades(client);
      }
    } catch (error) {
      this.#moreTrades = true;
      this.fail(client, MY_TRADES, error);
    } finally {
      this.#readingTrades = false;
    }
  }

  async #emitTrades(client: Client): Promise<void> {
    const news = this.parseTrades(await this.#rowsSince(this.#lastTradeId!));
    if (news.length === 0) return;
    const limit = this.safeInteger(this.options, 'tradesLimit', KEPT)!;
    // A trade of the account with itself has two fills, one for each order.
    const identity = ({ id, order }: Trade) => `${id}/${order}`;
    const caches = this as Dict;
    caches.myTrades ??= new Recent({ ...OWN, limit, identity });
    const cache: Recent<Trade> = caches.myTrades;
    for (const trade of news) cache.append(trade);
    this.#lastTradeId = Math.max(...news.map(({ id }) => Number(id)));
    client.resolve(cache, MY_TRADES);
    for (const symbol of new Set(news.map((trade) => trade.symbol))) {
      client.resolve(cache, `${MY_TRADES}:${symbol}`);
    }
  }

  /** Reads pages back to the last fill that was delivered. */
  async #rowsSince(last: number): Promise<Dict[]> {
    let rows: Dict[] = [];
    for (let more: Dict = {}; ; ) {
      const page: Dict[] = await this.spotPrivateGetV1Trades({ size: TRADES_PAGE, ...more });
      rows = [...rows, ...page];
      const oldest = page.at(-1)?.tradeId;
      if (page.length < TRADES_PAGE || Number(oldest) <= last) break;
      more = { lastTradeId: oldest };
    }
    return rows.filter(({ tradeId }) => Number(tradeId) > last);
  }

  #handleBalances(client: Client, message: Dict): void {
    const timestamp = this.safeInteger(message, 'transactTime');
    const changed = this.parseBalance(message.data as Dict[]);
    const rows = message.data as Dict[];
    const codes = rows.map(({ asset }) => this.safeCurrencyCode(asset)!);
    for (const code of codes) this.balance[code] = changed[code];
    const whole = { ...this.balance, info: rows, timestamp, datetime: this.iso8601(timestamp) };
    this.balance = this.safeBalance(whole);
    client.resolve(this.balance, BALANCES.hash);
  }

  /** Notes that every report up to its seq was received. */
  #handleHeartbeat(client: Client, message: Dict): void {
    const follows = client.url.endsWith(ORDERS) && client.subscriptions.orders !== undefined;
    const isListed = (message.channels as Dict[]).some(({ channel }) => channel === 'orders');
    if (follows && isListed) this.#ordersSeq = this.safeString(message, 'seq');
  }
}
