// Events: past facts that views and streams are made of. Events carry the state after the fact, in
// core units, so that a reader never needs the core to understand them.
import {
  boolean,
  code,
  integer,
  money,
  nullable,
  price,
  quantity,
  record,
  signed,
  text,
  type ValueOf,
} from './codec.ts';
import type { PlanType } from './earn/plan.ts';
import {
  REPORTED_REDEMPTION,
  REPORTED_SUBSCRIPTION,
  type SubscriptionStatus,
} from './earn/subscription.ts';
import type { CloseReason, ExecType, OrdRejReason, OrdStatus, Side } from './fix.ts';
import type { IncomeAccount } from './ledger/account-code.ts';
import { ORDER_EXTRAS } from './order-extras.ts';
import { ORDER_TERMS } from './order-terms.ts';
import type { Amount } from './units.ts';

/** FIX execution report: one for each change of an order. */
export const EXECUTION_REPORT = record({
  orderId: integer,
  uid: integer,
  execId: integer,
  ...ORDER_TERMS,
  extras: ORDER_EXTRAS,
  cumQty: quantity,
  leavesQty: quantity,
  /** Quote amount of all fills so far: avgPx = cumQuote ÷ cumQty. */
  cumQuote: money,
  /** Price and quantity of this fill; 0 on other reports. */
  lastPx: price,
  lastQty: quantity,
  execType: code<ExecType>(),
  ordStatus: code<OrdStatus>(),
  reason: code<CloseReason>(),
  ordRejReason: nullable(code<OrdRejReason>()),
  /** false: a stop that waits for its trigger. */
  workingIndicator: boolean,
  /** When a trailing stop began to trail, and its trigger at that report; 0: not yet. */
  trailingTime: integer,
  triggerPx: price,
  /** The other order of the OCO pair, or 0. */
  ocoOrderId: integer,
  /** The order whose bracket placed this one, or 0. */
  parentOrderId: integer,
  createTime: integer,
  /** When this happened, business time, ms. */
  transactTime: integer,
});

export interface ExecutionReport extends ValueOf<typeof EXECUTION_REPORT> {
  readonly type: 'executionReport';
}

/** A match between two orders. Fees are in the asset that the side received. */
export const TRADE = record({
  tradeId: integer,
  /** The first trade of the taker's match at this price; a further one after MAX_AGGREGATE ids. */
  aggTradeId: integer,
  securityId: integer,
  price,
  quantity,
  baseAmount: money,
  quoteAmount: money,
  takerSide: code<Side>(),
  makerOrderId: integer,
  takerOrderId: integer,
  makerUid: integer,
  takerUid: integer,
  makerFee: money,
  takerFee: money,
  transactTime: integer,
});

export interface Trade extends ValueOf<typeof TRADE> {
  readonly type: 'trade';
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
export const VENUE_TRANSFERRED = record({
  transferId: integer,
  transactTime: integer,
  /** A plan or an enterprise (earn/plan.ts); 0: the venue. */
  owner: signed,
  account: code<IncomeAccount>(),
  assetId: integer,
  amount: money,
  reference: text,
});

export interface VenueTransferred extends ValueOf<typeof VENUE_TRANSFERRED> {
  readonly type: 'venueTransferred';
}

export interface InstrumentChanged {
  readonly type: 'instrumentChanged';
  readonly securityId: number;
  readonly transactTime: number;
}

/** A subscription after any change but a day's interest. */
export const SUBSCRIPTION_CHANGED = record({
  ...REPORTED_SUBSCRIPTION.fields,
  planId: integer,
  planType: code<PlanType>(),
  assetId: integer,
  status: code<SubscriptionStatus>(),
  /** The owner's annual rate in 10^-8, of a flexible one today's. */
  rate: integer,
  transactTime: integer,
});

export interface SubscriptionChanged extends ValueOf<typeof SUBSCRIPTION_CHANGED> {
  readonly type: 'subscriptionChanged';
}

/** The interest of one subscription for one day; the pair is the entry's key. */
export const INTEREST_ENTRY = record({
  /** The UTC day that was earned, counted from 1970-01-01. */
  day: integer,
  applyId: integer,
  /** The principal that earned, and its annual rate in 10^-8. */
  basis: money,
  rate: integer,
  /** The fraction carried in, as a numerator over DAY_DENOMINATOR. */
  carry: integer,
  interest: money,
  /** The same for the booster; zeros without one. */
  boosterRate: integer,
  boosterCarry: integer,
  boosterInterest: money,
});

export interface InterestAccrued extends ValueOf<typeof INTEREST_ENTRY> {
  readonly type: 'interestAccrued';
  readonly uid: number;
  readonly assetId: number;
  readonly transactTime: number;
}

/** Principal on its way to its owner: asked for (1), or credited (2). */
export const REDEMPTION_CHANGED = record({
  ...REPORTED_REDEMPTION.fields,
  uid: integer,
  assetId: integer,
  status: code<1 | 2>(),
});

export interface RedemptionChanged extends ValueOf<typeof REDEMPTION_CHANGED> {
  readonly type: 'redemptionChanged';
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
