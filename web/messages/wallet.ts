// Texts of the wallet: balances and their value, test money, and the statement.
import { inLanguage } from './catalog.ts';

const en = {
  title: 'Wallet',

  value: {
    title: 'Estimated value, with money in Earn',
    help:
      'Uses the last price of each pair, through as few pairs as possible, rounded down. A sale ' +
      'depends on the book and on fees.',
    showIn: 'Show in',
    others: 'Others',
    withoutPrice: (assets: string, target: string) =>
      `Not included: ${assets}. No market gives a price in ${target}.`,
    belowTenth: '< 0.1%',
  },

  feeTier: {
    rates: (maker: string, taker: string) => `maker ${maker}, taker ${taker}`,
    current: (rates: string) => `Your fees: ${rates}.`,
    ofPairs: 'Each pair has its own fees.',
    own: 'Your account has its own fees.',
    volume: (volume: string) => `30-day volume: ${volume}.`,
    next: (missing: string, rates: string) => `Trade ${missing} more for ${rates}.`,
    highest: 'This is the highest tier.',
  },

  balances: {
    title: 'Balances',
    hideZero: 'Hide zero balances',
    none: 'No balances yet',
    noneWhy: 'Assets that you buy, receive or earn appear here.',
    asset: 'Asset',
    total: 'Total',
    valueIn: (asset: string) => `≈ ${asset}`,
    actions: 'Actions',
    trade: 'Trade',
    tradeAsset: (asset: string) => `Trade ${asset}`,
    earn: 'Earn',
    earnWith: (asset: string) => `Earn with ${asset}`,
  },

  funding: {
    title: 'Deposits and withdrawals',
    how: 'Arrange deposits and withdrawals with the operator of this exchange.',
    testMoney: 'Test money',
    testMoneyHow: 'This is a sandbox: you can get an amount of each asset once a day (UTC).',
    get: 'Get test money',
    getAsset: (asset: string) => `Get test money: ${asset}`,
    received: (amounts: string) => `Received: ${amounts}`,
    noneLeft: 'You already got today’s test money. You can get more tomorrow.',
  },

  statement: {
    title: 'Statement',
    asset: 'Asset',
    all: 'All',
    allAssets: 'All assets',
    period: 'Period',
    periods: { day: '24 h', week: '7 days', month: '30 days', all: 'All', custom: 'Days' },
    firstDay: 'First day',
    lastDay: 'Last day',
    wrongOrder: 'Choose a last day after the first.',
    download: 'Download CSV',
    balancesLabel: 'Balances before and after',
    opening: 'Opening balance',
    change: 'Change',
    closing: 'Closing balance',
    balancesNote: 'Spot balances: available and in orders, without money in Earn.',
    none: 'No entries yet',
    noneWhy: 'Every change of a balance appears here.',
    noneInPeriod: 'No entries in this period',
    entries: 'Entries of the statement',
    list: 'statement',
    time: 'Time',
    action: 'Action',
    amount: 'Amount',
    balanceThen: 'then ',
    balanceAfter: 'Balance after',
    reference: 'Reference',
    kinds: {
      credit: 'Deposit',
      debit: 'Withdrawal',
      trade: 'Trade',
      fee: 'Trading fee',
      subscription: 'Earn subscription',
      redemption: 'Earn redemption',
      interest: 'Interest',
      forfeit: 'Interest taken back',
      boosterLock: 'Booster locked',
      boosterReturn: 'Booster returned',
    } as Readonly<Record<string, string>>,
    compounded: 'Interest compounded',
    testMoney: 'Test money',
    order: (orderId: number, tradeId: number | null) =>
      tradeId === null ? `Order ${orderId}` : `Order ${orderId}, trade ${tradeId}`,
    subscription: (applyId: string) => `Subscription ${applyId}`,
    referenceOf: (reference: string) => `Reference ${reference}`,
    transfer: (transferId: number) => `Transfer ${transferId}`,
  },
};

export const walletText = inLanguage({ en });
