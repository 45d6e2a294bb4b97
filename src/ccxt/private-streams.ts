// The account's own channels: what becomes of its orders, its trades, and its balance.
import type { Balances, Dict, Int, Order, Str, Trade } from 'ccxt';
import { ACCOUNT, type Client, ORDERS, type Subject } from './connection.ts';
import { AgioPublicStreams } from './public-streams.ts';
import { Recent } from './recent.ts';

const ORDER_REPORTS: Subject = { path: ORDERS, request: { channel: 'orders' }, hash: 'orders' };
const BALANCES: Subject = { path: ACCOUNT, request: { channel: 'balances' }, hash: 'balances' };
const MY_TRADES = 'orders:trades';
const KEPT = 1000;
const TRADES_PAGE = 100;
const OWN = { symbolOf: ({ symbol }: { symbol: Str }) => symbol, moves: true };
/** The code of a position that is too far back to be resumed from. */
const RESUME_TOO_OLD = '100601';
/** The code of a key that may not do what was asked for. */
const FORBIDDEN = '100403';
/** execType of a trade. */
const FILLS = ['1', '2'];

export class AgioPrivateStreams extends AgioPublicStreams {
  /** Everything of the orders channel up to this seq has been heard. */
  #ordersSeq: string | undefined;
  /** What was asked for last: it holds for every connection, whichever loop subscribes first. */
  #cancelOnDisconnect = false;
  /** Of the newest own trade that has been told. */
  #lastTradeId: number | undefined;
  #readingTrades = false;
  #moreTrades = false;

  /**
   * Every report of the account's orders: accepted, traded, canceled. After a disconnection what was missed comes first.
   * `params.cancelOnDisconnect` cancels all open orders when the connection is gone, from this call on; false ends that.
   */
  override async watchOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const hash = market === undefined ? 'orders' : `orders:${market.symbol}`;
    const orders = await this.#listenToOrders(params, hash);
    const count = this.newUpdates ? orders.getLimit(market?.symbol, limit) : limit;
    return this.filterBySymbolSinceLimit(orders, market?.symbol, since, count, true);
  }

  /** The account's trades from the first call on. They are read when a report tells of one, with their fees. */
  override async watchMyTrades(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
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
    // Fills that were reported during the first look, or could not be read when they were.
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

  protected override refused(hash: string, { code }: Dict): void {
    if (hash !== ORDER_REPORTS.hash) return;
    if (code === RESUME_TOO_OLD) this.#ordersSeq = undefined;
    // A key that may listen but not cancel can still listen.
    if (code === FORBIDDEN) this.#cancelOnDisconnect = false;
  }

  protected override handleData(client: Client, message: Dict): void {
    if (message.channel === 'orders') this.#handleOrders(client, message);
    else if (message.channel === 'balances') this.#handleBalances(client, message);
    else if (message.channel === 'heartbeat') this.#handleHeartbeat(client, message);
    else super.handleData(client, message);
  }

  #handleOrders(client: Client, message: Dict): void {
    const { seq, type } = message;
    // On its way when the channel was subscribed to anew: it is told again after that.
    const known = type === 'update' && Number(seq) <= Number(this.#ordersSeq ?? -1);
    if (known) return;
    this.#ordersSeq = this.safeString(message, 'seq');
    const limit = this.safeInteger(this.options, 'ordersLimit', KEPT)!;
    const caches = this as Dict;
    caches.orders ??= new Recent({ ...OWN, limit, identity: ({ id }: Order) => id });
    const orders: Recent<Order> = caches.orders;
    const reports = message.data as Dict[];
    // A snapshot has the orders that are open, so what traded before it may have been told by nothing.
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

  /** Before anybody follows the trades it is only remembered. */
  #tradesBehind(client: Client): void {
    this.#moreTrades = true;
    if (this.#lastTradeId !== undefined) void this.#readTrades(client);
  }

  /** One reading at a time; what trades meanwhile is read after it. */
  async #readTrades(client: Client): Promise<void> {
    if (this.#readingTrades) return;
    this.#readingTrades = true;
    try {
      while (this.#moreTrades) {
        this.#moreTrades = false;
        await this.#tellTrades(client);
      }
    } catch (error) {
      this.#moreTrades = true;
      this.fail(client, MY_TRADES, error);
    } finally {
      this.#readingTrades = false;
    }
  }

  async #tellTrades(client: Client): Promise<void> {
    const news = this.parseTrades(await this.#rowsSince(this.#lastTradeId!));
    if (news.length === 0) return;
    const limit = this.safeInteger(this.options, 'tradesLimit', KEPT)!;
    // A trade of the account with itself is two, one for each order.
    const identity = ({ id, order }: Trade) => `${id}/${order}`;
    const caches = this as Dict;
    caches.myTrades ??= new Recent({ ...OWN, limit, identity });
    const told: Recent<Trade> = caches.myTrades;
    for (const trade of news) told.append(trade);
    this.#lastTradeId = Math.max(...news.map(({ id }) => Number(id)));
    client.resolve(told, MY_TRADES);
    for (const symbol of new Set(news.map((trade) => trade.symbol))) {
      client.resolve(told, `${MY_TRADES}:${symbol}`);
    }
  }

  /** Page after page, until one reaches what has been told. */
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

  /** Everything up to its seq has been heard. */
  #handleHeartbeat(client: Client, message: Dict): void {
    const follows = client.url.endsWith(ORDERS) && client.subscriptions.orders !== undefined;
    const told = (message.channels as Dict[]).some(({ channel }) => channel === 'orders');
    if (follows && told) this.#ordersSeq = this.safeString(message, 'seq');
  }
}
