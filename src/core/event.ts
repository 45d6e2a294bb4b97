// What happened: past facts that views and streams are made of. Events carry the state after the fact,
// in core units, so that a reader never needs the core to understand them.
import type { CloseReason, ExecType, OrdRejReason, OrdStatus, OrdType, Side } from './fix.ts';
import type { Amount, Lots, Ticks } from './units.ts';

/** FIX execution report: one for each change of an order. */
export interface ExecutionReport {
  readonly type: 'executionReport';
  readonly execId: number;
  readonly orderId: number;
  readonly uid: number;
  readonly securityId: number;
  readonly clOrdId: string;
  readonly side: Side;
  readonly ordType: OrdType;
  readonly postOnly: boolean;
  readonly price: Ticks;
  readonly orderQty: Lots;
  readonly quoteOrderQty: Amount;
  readonly cumQty: Lots;
  readonly leavesQty: Lots;
  /** Quote amount of all fills so far: avgPx = cumQuote ÷ cumQty. */
  readonly cumQuote: Amount;
  /** Price and quantity of this fill; 0 on other reports. */
  readonly lastPx: Ticks;
  readonly lastQty: Lots;
  readonly execType: ExecType;
  readonly ordStatus: OrdStatus;
  readonly reason: CloseReason;
  readonly ordRejReason: OrdRejReason | null;
  /** When the order was created, business time, ms. */
  readonly createTime: number;
  /** When this happened, business time, ms. */
  readonly transactTime: number;
}

/** A match between two orders. Fees are in the asset that the side received. */
export interface Trade {
  readonly type: 'trade';
  readonly tradeId: number;
  readonly securityId: number;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly baseAmount: Amount;
  readonly quoteAmount: Amount;
  readonly takerSide: Side;
  readonly makerOrderId: number;
  readonly takerOrderId: number;
  readonly makerUid: number;
  readonly takerUid: number;
  readonly makerFee: Amount;
  readonly takerFee: Amount;
  readonly transactTime: number;
}

/** Money entered (amount > 0) or left (< 0) a customer's balance from outside. */
export interface FundsTransferred {
  readonly type: 'fundsTransferred';
  readonly transferId: number;
  readonly uid: number;
  readonly assetId: number;
  readonly amount: Amount;
  readonly reference: string;
  readonly transactTime: number;
}

/** An instrument was listed or its terms changed. */
export interface InstrumentChanged {
  readonly type: 'instrumentChanged';
  readonly securityId: number;
  readonly transactTime: number;
}

export type CoreEvent = ExecutionReport | Trade | FundsTransferred | InstrumentChanged;
