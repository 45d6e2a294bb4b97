// What the calls of trading, market data and accounts answer. Amounts, prices and rates are Decimal texts, exactly as the server
// wrote them; ids, times (epoch ms), counts and codes are numbers. test/sdk compares every field with what a server sends.
import type { Decimal } from './decimal.ts';

/** 1 buy, 2 sell. */
export type Side = 1 | 2;
/** 1 market, 2 limit. */
export type OrdType = 1 | 2;
/** 0 new, 1 partially filled, 2 filled, 4 canceled, 6 pending cancel, 8 rejected. */
export type OrdStatus = 0 | 1 | 2 | 4 | 6 | 8;
/** What the last report was about: 0 new, 1 partial fill, 2 fill, 4 canceled, 6 pending cancel, 8 rejected. */
export type ExecType = 0 | 1 | 2 | 4 | 6 | 8;
/** From everything to nothing. */
export type InstrumentStatus = 'LIVE' | 'POST_ONLY' | 'CANCEL_ONLY' | 'HALTED';

export interface Health {
  readonly status: string;
  readonly seq: number;
}

export interface Ready {
  /** `ready`, or `readOnly` while the disk has no room for writes. */
  readonly status: string;
  readonly seq: number;
  readonly followerSeq: number;
  readonly history: HistoryStatus;
}

export interface HistoryStatus {
  /** `ready`, `opening`, or what keeps the history from being read, such as `diskFull`. */
  readonly status: string;
  /** Commands that the history lacks, and for how long the oldest of them has been there. */
  readonly lag: number;
  readonly lagSeconds: number;
}

export interface Instrument {
  readonly symbol: string;
  readonly securityId: number;
  readonly securityType: 'SPOT_PAIR';
  readonly instrumentStatus: InstrumentStatus;
  /** Step of quantities. */
  readonly baseAssetIncrement: Decimal;
  /** Step of prices. */
  readonly quoteAssetIncrement: Decimal;
  readonly baseAssetMinOrderSize: Decimal;
  readonly quoteAssetMinOrderSize: Decimal;
  /** Whether orders are taken: LIVE or POST_ONLY. */
  readonly open: boolean;
  readonly fiat: boolean;
  /** Not in version 1. */
  readonly apiTradeSupported?: boolean;
}

export interface Asset {
  readonly asset: string;
  /** Decimals of its amounts. */
  readonly scale: number;
  readonly fiat: boolean;
}

export interface Time {
  /** Wall clock; what signatures are checked against. */
  readonly serverTime: number;
  /** What orders carry and windows count in. */
  readonly businessTime: number;
}

export type Level = readonly [price: Decimal, quantity: Decimal];

export interface Orderbook {
  readonly symbol: string;
  readonly depth: number;
  readonly transactTime: number;
  /** Grows with every change of the book. */
  readonly lastUpdateId: number;
  /** Best first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** All four are texts. */
export type Level3Order = readonly [
  orderId: string,
  sequence: string,
  time: string,
  quantity: Decimal,
];
export type Level3Level = readonly [
  price: Decimal,
  quantity: Decimal,
  orders: readonly Level3Order[],
];

export interface Level3Orderbook {
  readonly version: number;
  readonly transactTime: number;
  readonly symbol: string;
  /** Best level first, orders in their priority. */
  readonly bids: readonly Level3Level[];
  readonly asks: readonly Level3Level[];
}

export interface PublicTrade {
  readonly tradeId: number;
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly quoteAmount: Decimal;
  /** The side of the order that came and traded. */
  readonly takerSide: Side;
  readonly transactTime: number;
}

/** The last 24 hours; what does not exist is null. */
export interface Ticker {
  readonly symbol: string;
  readonly securityId: number;
  readonly openTime: number;
  readonly closeTime: number;
  readonly openPrice: Decimal | null;
  readonly highPrice: Decimal | null;
  readonly lowPrice: Decimal | null;
  readonly lastPrice: Decimal | null;
  readonly priceChange: Decimal | null;
  readonly baseVolume: Decimal;
  readonly quoteVolume: Decimal;
  readonly tradeCount: number;
  readonly lastTradeTime: number | null;
  readonly bestBid: Decimal | null;
  readonly bestBidQuantity: Decimal | null;
  readonly bestAsk: Decimal | null;
  readonly bestAskQuantity: Decimal | null;
}

export interface Candle {
  readonly openTime: number;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
  readonly baseVolume: Decimal;
  readonly quoteVolume: Decimal;
  readonly tradeCount: number;
}

export interface CreatedOrder {
  readonly orderId: number;
  readonly symbol: string;
  /** The client's own, or one that the server gave. */
  readonly clOrdId: string;
  readonly transactTime: number;
}

export interface CanceledOrder {
  readonly orderId: number;
  /** Of the request. */
  readonly clOrdId: string;
  readonly origClOrdId: string;
}

export interface MassCanceled {
  readonly clOrdId: string;
  /** null: all pairs. */
  readonly symbol: string | null;
  readonly securityId: number | null;
}

export interface ArmedSwitch {
  /** When all open orders are canceled; null when disarmed. */
  readonly triggerTime: number | null;
  readonly currentTime: number;
}

/** The last execution report of an order. */
export interface Order {
  readonly rowId: number;
  readonly type: 'ORDER';
  readonly account: number;
  readonly orderId: number;
  readonly execId: number;
  readonly clOrdId: string;
  readonly side: Side;
  /** null for orders by quote. */
  readonly orderQty: Decimal | null;
  readonly quoteOrderQty: Decimal | null;
  /** What is filled. */
  readonly cumQty: Decimal;
  /** What may still be filled. */
  readonly leavesQty: Decimal;
  /** null for market orders. */
  readonly price: Decimal | null;
  readonly stopPx: null;
  /** Truncated to the decimals of the quote asset; 0 before the first fill. */
  readonly avgPx: Decimal;
  readonly lastPx: Decimal;
  readonly lastQty: Decimal;
  readonly symbol: string;
  readonly securityId: number;
  readonly ordType: OrdType;
  readonly timeInForce: '1';
  readonly ordStatus: OrdStatus;
  readonly execType: ExecType;
  readonly transactTime: number;
  /** Where ordStatus is 8. */
  readonly ordRejReason?: number;
  readonly ordRejText?: string;
  /** Where ordStatus is 4. */
  readonly ordCxlText?: string;
  /** 6: post-only. */
  readonly execInst?: '6';
}

export interface OrderPagination {
  readonly currentPage: number;
  readonly size: number;
  readonly startRowId: number | null;
  /** Asks for the next, older page. */
  readonly lastRowId: number | null;
}

export interface OrderPage {
  readonly data: readonly Order[];
  readonly pagination: OrderPagination;
}

export interface Balance {
  readonly asset: string;
  readonly available: Decimal;
  /** Set aside for open orders. */
  readonly held: Decimal;
  /** Principal in plans. */
  readonly earn: Decimal;
  /** On its way back from plans. */
  readonly redeeming: Decimal;
  /** Locked to raise a rate. */
  readonly booster: Decimal;
  /** The sum of all five. */
  readonly total: Decimal;
}

/** An own trade, as one of its two sides sees it. */
export interface Fill {
  readonly tradeId: number;
  readonly orderId: number;
  readonly symbol: string;
  readonly securityId: number;
  readonly side: Side;
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly quoteAmount: Decimal;
  readonly fee: Decimal;
  /** The asset that was received. */
  readonly feeAsset: string;
  readonly maker: boolean;
  readonly transactTime: number;
}

export interface Fees {
  readonly symbol: string;
  readonly securityId: number;
  readonly makerFee: Decimal;
  readonly takerFee: Decimal;
}

/** One change of what the account owns. */
export interface LedgerEntry {
  readonly entryId: number;
  readonly time: number;
  /** credit, debit, trade, fee, subscription, redemption, interest, forfeit, boosterLock, boosterReturn. */
  readonly type: string;
  readonly asset: string;
  readonly amount: Decimal;
  /** After the entry. */
  readonly balance: Decimal;
  readonly tradeId: number | null;
  readonly orderId: number | null;
  readonly transferId: number | null;
  readonly reference: string | null;
  readonly applyId: string | null;
}

/** Of the whole window: opening + all entries = closing. */
export interface StatementBalance {
  readonly asset: string;
  readonly openingBalance: Decimal;
  readonly closingBalance: Decimal;
}

export interface LedgerPagination {
  readonly size: number;
  readonly startEntryId: number | null;
  readonly lastEntryId: number | null;
}

export interface Statement {
  readonly data: readonly LedgerEntry[];
  readonly balances: readonly StatementBalance[];
  readonly pagination: LedgerPagination;
}

/** Of a list that is asked for by the number of a page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly currentPage: number;
  readonly pageSize: number;
  readonly totalNum: number;
  readonly totalPage: number;
}

/** Of a call that has nothing to say but that it was done. */
export type Done = Readonly<Record<string, never>>;
