// The chart of accounts: what a ledger account is for. Codes are permanent; they are in snapshots
// and on the trial balance.

export const AccountCode = {
  /** The world outside: the counterpart of credits and debits. */
  external: 0,
  /** Fees earned by the venue. */
  feeRevenue: 1,
  /** A customer's money that is free to use. */
  available: 2,
  /** A customer's money that is set aside for open orders. */
  held: 3,
  /** A customer's principal in earn plans. */
  earn: 4,
  /** A customer's principal on its way back from a plan. */
  redeeming: 5,
  /** A customer's coins that are locked to boost a rate. */
  booster: 6,
  /** A plan's reserve, which pays its interest; funded by the operator. */
  interestReserve: 7,
  /** Interest that a plan's subscribers and their enterprises have earned and were not paid yet. */
  interestPayable: 8,
  /** The other side of interestPayable: interest that the reserve has still to bear. */
  interestExpense: 9,
  /** Margins that enterprises were paid and the operator has not passed on. */
  enterpriseMargin: 10,
} as const;
export type AccountCode = (typeof AccountCode)[keyof typeof AccountCode];

/** The accounts that the operator may withdraw from. */
export type IncomeAccount =
  | typeof AccountCode.feeRevenue
  | typeof AccountCode.enterpriseMargin
  | typeof AccountCode.interestReserve;

/** The number of account ids of an asset; more than there are codes, so that codes can be added. */
export const CODES_PER_ASSET = 16;

export const CODE_NAMES: Readonly<Record<AccountCode, string>> = {
  0: 'external',
  1: 'feeRevenue',
  2: 'customerAvailable',
  3: 'customerHeld',
  4: 'customerEarn',
  5: 'customerRedeeming',
  6: 'customerBooster',
  7: 'interestReserve',
  8: 'interestPayable',
  9: 'interestExpense',
  10: 'enterpriseMargin',
};

export const mayBeNegative = (code: AccountCode): boolean =>
  code === AccountCode.external || code === AccountCode.interestExpense;
