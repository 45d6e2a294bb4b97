// The account: balances, fees, fills, and the ledger of every change.
import type {
  Balances,
  Currency,
  Dict,
  Int,
  LedgerEntry,
  Str,
  Trade,
  TradingFeeInterface,
  TradingFees,
} from 'ccxt';
import { Precise } from 'ccxt';
import type { ListTerms } from './terms.ts';
import { AgioTrading } from './trading.ts';

/** ccxt's names of entry types; other types keep their own. */
const LEDGER_TYPES: Readonly<Record<string, string>> = {
  credit: 'transaction',
  debit: 'transaction',
  subscription: 'transfer',
  redemption: 'transfer',
  boosterLock: 'transfer',
  boosterReturn: 'transfer',
};

const WINDOW = { start: 'startTime', end: 'endTime', size: 'size' };

export class AgioAccount extends AgioTrading {
  /** The spot balance: free, used by open orders, and total. Money in plans is in `info`. */
  override async fetchBalance(params: Dict = {}): Promise<Balances> {
    await this.loadMarkets();
    return this.parseBalance(await this.spotPrivateGetV1Balances(params));
  }

  override parseBalance(balances: Dict[]): Balances {
    const result: Dict = { info: balances, timestamp: undefined, datetime: undefined };
    for (const balance of balances) {
      const account = this.account();
      account.free = this.safeString(balance, 'available');
      account.used = this.safeString(balance, 'held');
      result[this.safeCurrencyCode(this.safeString(balance, 'asset'))!] = account;
    }
    return this.safeBalance(result);
  }

  /** The rates of the account's next fill, by pair. */
  override async fetchTradingFees(params: Dict = {}): Promise<TradingFees> {
    await this.loadMarkets();
    const rates: Dict[] = await this.spotPrivateGetV1Fees(params);
    const fees = rates.map((rate) => this.parseTradingFee(rate));
    return Object.fromEntries(fees.map((fee) => [fee.symbol, fee]));
  }

  override async fetchTradingFee(symbol: string, params: Dict = {}): Promise<TradingFeeInterface> {
    const fees = await this.fetchTradingFees(params);
    return fees[this.market(symbol).symbol]!;
  }

  parseTradingFee(rate: Dict): TradingFeeInterface {
    return {
      info: rate,
      symbol: this.safeSymbol(this.safeString(rate, 'symbol'), undefined, '-'),
      maker: this.safeNumber(rate, 'makerFee'),
      taker: this.safeNumber(rate, 'takerFee'),
      percentage: true,
      tierBased: true,
    };
  }

  /** The account's fills. A trade of the account with itself has two, one for each order. */
  override async fetchMyTrades(
    ...[symbol, since, limit, params = {}]: ListTerms
  ): Promise<Trade[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const pair = market === undefined ? {} : { symbol: market.id };
    const page = this.pageRequest(WINDOW, since, limit, { ...pair, ...params });
    const cursor = { parameter: 'lastTradeId', id: 'tradeId' };
    const rows = await this.readPages(page, cursor, (request) =>
      this.spotPrivateGetV1Trades(request),
    );
    return this.parseTrades(rows, market, since, limit);
  }

  override async fetchOrderTrades(
    id: string,
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Trade[]> {
    return this.fetchMyTrades(symbol, since, limit, { orderId: id, ...params });
  }

  /** Every change of the spot balance, back to the first. */
  override async fetchLedger(
    code?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<LedgerEntry[]> {
    await this.loadMarkets();
    const currency = code === undefined ? undefined : this.currency(code);
    const asset = currency === undefined ? {} : { asset: currency.id };
    const page = this.pageRequest(WINDOW, since, limit, { ...asset, ...params });
    const cursor = { parameter: 'lastEntryId', id: 'entryId' };
    const rows = await this.readPages(page, cursor, async (request) => {
      const answer: Dict = await this.spotPrivateGetV1Ledger(request);
      return answer.data as Dict[];
    });
    // Entries of one command share a time; their ids have the order.
    return this.parseLedger(rows.toReversed(), currency, since, limit);
  }

  override parseLedgerEntry(entry: Dict, currency?: Currency): LedgerEntry {
    const timestamp = this.safeInteger(entry, 'time');
    const type = this.safeString(entry, 'type');
    const change = this.safeString(entry, 'amount')!;
    const after = this.safeString(entry, 'balance');
    return this.safeLedgerEntry(
      {
        info: entry,
        id: this.safeString(entry, 'entryId'),
        timestamp,
        direction: change.startsWith('-') ? 'out' : 'in',
        account: 'spot',
        referenceId: this.safeStringN(entry, ['tradeId', 'transferId', 'applyId']),
        referenceAccount: undefined,
        type: this.safeString(LEDGER_TYPES, type!, type),
        amount: Precise.stringAbs(change),
        before: Precise.stringSub(after, change),
        after,
        status: 'ok',
        fee: undefined,
      },
      this.safeCurrency(this.safeString(entry, 'asset'), currency),
    );
  }
}
