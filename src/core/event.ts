// Events: past facts that views and streams are made of. Events carry the state after the fact, in
// core units, so that a reader never needs the core to understand them.
import type { PlanType } from './earn/plan.ts';
import type { SubscriptionStatus } from './earn/subscription.ts';
import type {
  CloseReason,
  ExecType,
  OrdRejReason,
  OrdStatus,
  OrdType,
  Side,
  TimeInForce,
  TriggerPriceDirection,
} from './fix.ts';
import type { IncomeAccount } from './ledger/account-code.ts';
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
  readonly timeInForce: TimeInForce;
  /** ms; 0 unless goodTillDate. */
  readonly expireTime: number;
  /** 0: the whole order is shown. */
  readonly displayQty: Lots;
  /** 0: the order is no stop. */
  readonly stopPx: Ticks;
  readonly triggerPriceDirection: TriggerPriceDirection;
  /** false: a stop that waits for its trigger. */
  readonly workingIndicator: boolean;
  /** The other order of the OCO pair, or 0. */
  readonly ocoOrderId: number;
  /** The order whose bracket placed this one, or 0. */
  readonly parentOrderId: number;
  readonly createTime: number;
  /** When this happened, business time, ms. */
  readonly transactTime: number;
}

/** A match between two orders. Fees are in the asset that the side received. */
export interface Trade {
  readonly type: 'trade';
  readonly tradeId: number;
  /** The first trade of the taker's match at this price. */
  readonly aggTradeId: number;
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

/** Money came into (amount > 0) or left (< 0) an account of the venue, a plan or an enterprise. */
export interface VenueTransferred {
  readonly type: 'venueTransferred';
  readonly transferId: number;
  /** A plan or an enterprise (earn/plan.ts); 0: the venue. */
  readonly owner: number;
  readonly account: IncomeAccount;
  readonly assetId: number;
  readonly amount: Amount;
  readonly reference: string;
  readonly transactTime: number;
}

export interface InstrumentChanged {
  readonly type: 'instrumentChanged';
  readonly securityId: number;
  readonly transactTime: number;
}

/** A subscription after any change but a day's interest. */
export interface SubscriptionChanged {
  readonly type: 'subscriptionChanged';
  readonly applyId: number;
  readonly uid: number;
  readonly planId: number;
  readonly planType: PlanType;
  readonly assetId: number;
  readonly enterpriseId: number;
  readonly status: SubscriptionStatus;
  readonly principal: Amount;
  readonly redeeming: Amount;
  /** Annual rates in 10^-8 of the owner (today's for a flexible one), enterprise and booster. */
  readonly rate: number;
  readonly margin: number;
  readonly boosterRate: number;
  readonly boosterAmount: Amount;
  /** Days; 0 for flexible. */
  readonly lockDay: number;
  readonly startDay: number;
  readonly autoRenew: boolean;
  /** All interest so far without the forfeited, and all margin of this enterprise. */
  readonly earned: Amount;
  readonly marginEarned: Amount;
  readonly createTime: number;
  readonly transactTime: number;
}

/** The interest of one subscription for one day; the pair is the entry's key. */
export interface InterestAccrued {
  readonly type: 'interestAccrued';
  readonly applyId: number;
  readonly uid: number;
  readonly assetId: number;
  /** The UTC day that was earned, counted from 1970-01-01. */
  readonly day: number;
  /** The principal that earned, and its annual rate in 10^-8. */
  readonly basis: Amount;
  readonly rate: number;
  /** The fraction carried in, as a numerator over DAY_DENOMINATOR. */
  readonly carry: number;
  readonly interest: Amount;
  /** The same for the booster; zeros without one. */
  readonly boosterRate: number;
  readonly boosterCarry: number;
  readonly boosterInterest: Amount;
  readonly transactTime: number;
}

/** Principal on its way to its owner: asked for (1), or credited (2). */
export interface RedemptionChanged {
  readonly type: 'redemptionChanged';
  readonly redemptionId: number;
  readonly applyId: number;
  readonly uid: number;
  readonly assetId: number;
  readonly amount: Amount;
  readonly forfeited: Amount;
  readonly redeemLockHours: number;
  readonly status: 1 | 2;
  readonly createTime: number;
  readonly transactTime: number;
}

/** Why earn moved money into (amount > 0) or out of (< 0) a customer's spot balance. */
export type EarnMovementKind =
  | 'subscription'
  | 'redemption'
  | 'interest'
  | 'forfeit'
  | 'boosterLock'
  | 'boosterReturn';

export interface EarnMoved {
  readonly type: 'earnMoved';
  readonly kind: EarnMovementKind;
  readonly applyId: number;
  readonly uid: number;
  readonly assetId: number;
  readonly amount: Amount;
  readonly transactTime: number;
}

export type CoreEvent =
  | ExecutionReport
  | Trade
  | FundsTransferred
  | VenueTransferred
  | InstrumentChanged
  | SubscriptionChanged
  | InterestAccrued
  | RedemptionChanged
  | EarnMoved;
