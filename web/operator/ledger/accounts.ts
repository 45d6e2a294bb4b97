// The chart of accounts in words.

interface Account {
  readonly name: string;
  readonly what: string;
}

const ACCOUNTS: Readonly<Record<string, Account>> = {
  external: {
    name: 'Outside world',
    what: 'The counterpart of all credits and debits: minus everything that is held here.',
  },
  feeRevenue: { name: 'Fees earned', what: 'What trading fees have come to.' },
  customerAvailable: { name: 'Customers: available', what: 'Free to trade, subscribe, pay out.' },
  customerHeld: { name: 'Customers: in orders', what: 'Set aside for open orders.' },
  customerEarn: { name: 'Customers: in plans', what: 'Principal that is subscribed.' },
  customerRedeeming: {
    name: 'Customers: redeeming',
    what: 'Principal on its way back, in its lock time.',
  },
  customerBooster: { name: 'Customers: boosters', what: 'Coins locked to raise a rate.' },
  interestReserve: { name: 'Interest reserves', what: 'What plans may pay interest from.' },
  interestPayable: { name: 'Interest payable', what: 'Earned by customers, not paid yet.' },
  interestExpense: {
    name: 'Interest expense',
    what: 'The other side of interest payable: to be borne by the reserves.',
  },
  enterpriseMargin: { name: 'Enterprise margins', what: 'What enterprises were paid.' },
};

/** A code that this page does not know is shown as it is. */
export const accountOf = (code: string): Account => ACCOUNTS[code] ?? { name: code, what: '' };
