// The FIX 4.2 codes that travel on the wire and in the core alike: one number, one meaning.

export const Side = { buy: 1, sell: 2 } as const;
export type Side = (typeof Side)[keyof typeof Side];

export const opposite = (side: Side): Side => (side === Side.buy ? Side.sell : Side.buy);

/** A stop becomes a market order when it is triggered, a stop limit a limit order. */
export const OrdType = { market: 1, limit: 2, stop: 3, stopLimit: 4 } as const;
export type OrdType = (typeof OrdType)[keyof typeof OrdType];

/** True if orders of this type have a price of their own. */
export const isLimit = (ordType: OrdType): boolean => (ordType & 1) === 0;

/** True if orders of this type wait for a trigger. */
export const isStop = (ordType: OrdType): boolean => ordType >= OrdType.stop;

export const TimeInForce = {
  goodTillCancel: 1,
  immediateOrCancel: 3,
  fillOrKill: 4,
  goodTillDate: 6,
} as const;
export type TimeInForce = (typeof TimeInForce)[keyof typeof TimeInForce];

/** The direction in which the last price reaches a stopPx: FIX 1109, U or D on the wire. */
export const TriggerPriceDirection = {
  /** The order is no stop. */
  none: 0,
  up: 1,
  down: 2,
} as const;
export type TriggerPriceDirection =
  (typeof TriggerPriceDirection)[keyof typeof TriggerPriceDirection];

export const OrdStatus = {
  new: 0,
  partiallyFilled: 1,
  filled: 2,
  canceled: 4,
  pendingCancel: 6,
  rejected: 8,
} as const;
export type OrdStatus = (typeof OrdStatus)[keyof typeof OrdStatus];

export const ExecType = {
  new: 0,
  partialFill: 1,
  fill: 2,
  canceled: 4,
  replaced: 5,
  pendingCancel: 6,
  rejected: 8,
  /** FIX L as a base-36 digit. */
  triggered: 21,
} as const;
export type ExecType = (typeof ExecType)[keyof typeof ExecType];

/** OrdRejReason (103) as far as agio uses it. */
export const OrdRejReason = {
  brokerOption: 0,
  unknownSymbol: 1,
  exchangeClosed: 2,
  exceedsLimit: 3,
  duplicateOrder: 6,
  unsupported: 11,
  incorrectQuantity: 13,
  priceBand: 16,
  priceIncrement: 18,
  insufficientBalance: 25,
  other: 99,
} as const;
export type OrdRejReason = (typeof OrdRejReason)[keyof typeof OrdRejReason];

/** The commands that an instrument accepts, from all to none. */
export const InstrumentStatus = {
  /** Orders, cancels and matching. */
  LIVE: 0,
  /** Post-only orders and cancels: a book is built and nothing trades. */
  POST_ONLY: 1,
  /** Cancels only. */
  CANCEL_ONLY: 2,
  /** Like CANCEL_ONLY; says that the operator has stopped the market. */
  HALTED: 3,
} as const;
export type InstrumentStatus = (typeof InstrumentStatus)[keyof typeof InstrumentStatus];

/** Which order is canceled when two of one account, or of one enterprise, would trade. */
export const SelfTradePrevention = {
  none: 0,
  cancelNewest: 1,
  cancelOldest: 2,
  cancelBoth: 3,
} as const;
export type SelfTradePrevention = (typeof SelfTradePrevention)[keyof typeof SelfTradePrevention];

/** From the laxest to cancelNewest: the stricter a rule, the more it spares the resting order. */
const STRICTNESS: Readonly<Record<SelfTradePrevention, number>> = { 0: 0, 2: 1, 3: 2, 1: 3 };

export const stricterOf = (a: SelfTradePrevention, b: SelfTradePrevention): SelfTradePrevention =>
  STRICTNESS[a] >= STRICTNESS[b] ? a : b;

/** Why an order left the book before it was filled; the text is what the owner reads. */
export const CloseReason = {
  none: 0,
  requested: 1,
  massCancel: 2,
  cancelAllAfter: 3,
  noLiquidity: 4,
  selfTrade: 5,
  priceBand: 6,
  insufficientBalance: 7,
  postOnlyWouldMatch: 8,
  operator: 9,
  suspension: 10,
  immediateOrCancel: 11,
  fillOrKill: 12,
  expired: 13,
  oco: 14,
  exitsBelowMinimum: 15,
  exitsTooManyOrders: 16,
  exitsOutsideBand: 17,
  exitsUnfunded: 18,
  exitsSuspended: 19,
} as const;
export type CloseReason = (typeof CloseReason)[keyof typeof CloseReason];

export const CLOSE_TEXT: Readonly<Record<CloseReason, string>> = {
  0: '',
  1: 'Canceled by the account holder',
  2: 'Canceled by mass cancel',
  3: 'Canceled by cancel-all-after, which was not renewed in time',
  4: 'Remainder canceled: no more liquidity',
  5: 'Canceled by self-trade prevention',
  6: 'Remainder canceled: the next price is outside the price band',
  7: 'Remainder canceled: the money left buys nothing at the next price',
  8: 'Post-only order would have matched immediately',
  9: 'Canceled by the operator',
  10: 'Canceled by the operator: the account was suspended',
  11: 'Remainder canceled: the order was immediate-or-cancel',
  12: 'Canceled: fill-or-kill, and the book could not fill the whole quantity',
  13: 'Canceled: the order expired',
  14: 'Canceled by the other order of its OCO pair',
  15: 'Exits not placed: the quantity is below the minimum order size',
  16: 'Exits not placed: the account has too many open orders',
  17: 'Exits not placed: the target is outside the price band',
  18: 'Exits not placed: the available balance covers less than the minimum order size',
  19: 'Exits not placed: the account is suspended',
};
