// The chart of accounts: what a ledger account is for. Codes are permanent; they are in snapshots and on
// the trial balance.

export const AccountCode = {
  /** The world outside the venue: the counterpart of credits and debits, and so minus all that is held. */
  external: 0,
  /** Fees earned by the venue. */
  feeRevenue: 1,
  /** A customer's money that is free to use. */
  available: 2,
  /** A customer's money that is set aside for open orders. */
  held: 3,
} as const;
export type AccountCode = (typeof AccountCode)[keyof typeof AccountCode];

/** How many codes one owner may have of an asset; ids are packed by it, so it leaves room to grow. */
export const CODES_PER_ASSET = 16;

export const CODE_NAMES: Readonly<Record<AccountCode, string>> = {
  0: 'external',
  1: 'feeRevenue',
  2: 'customerAvailable',
  3: 'customerHeld',
};

/** Accounts that may go below zero: only the world outside, which owes what customers own. */
export const mayBeNegative = (code: AccountCode): boolean => code === AccountCode.external;
