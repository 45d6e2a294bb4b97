// The numeric codes of the wire, by name. The wire carries the numbers.

export const Side = { buy: 1, sell: 2 } as const;
export type Side = (typeof Side)[keyof typeof Side];

export const OrdType = { market: 1, limit: 2 } as const;
export type OrdType = (typeof OrdType)[keyof typeof OrdType];

export const OrdStatus = {
  new: 0,
  partiallyFilled: 1,
  filled: 2,
  canceled: 4,
  pendingCancel: 6,
  rejected: 8,
} as const;
export type OrdStatus = (typeof OrdStatus)[keyof typeof OrdStatus];

/** What the last report of an order was about. */
export const ExecType = {
  new: 0,
  partialFill: 1,
  fill: 2,
  canceled: 4,
  pendingCancel: 6,
  rejected: 8,
} as const;
export type ExecType = (typeof ExecType)[keyof typeof ExecType];

export const PlanType = { flexible: 1, fixed: 2, customized: 3 } as const;
export type PlanType = (typeof PlanType)[keyof typeof PlanType];

export const SubscriptionStatus = {
  processing: 0,
  redeeming: 1,
  partiallyRedeeming: 2,
  redeemed: 3,
} as const;
export type SubscriptionStatus = (typeof SubscriptionStatus)[keyof typeof SubscriptionStatus];

export const RedemptionStatus = { onItsWay: 1, credited: 2 } as const;
export type RedemptionStatus = (typeof RedemptionStatus)[keyof typeof RedemptionStatus];

/** The privileges of an API key, as in `moduleIds`. */
export const Module = {
  earnRead: 1,
  earnWrite: 2,
  earlyRedemption: 3,
  enterpriseAdmin: 4,
  tradingRead: 5,
  tradingWrite: 6,
} as const;
export type Module = (typeof Module)[keyof typeof Module];
