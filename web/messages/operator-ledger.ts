// Texts of the operator console about the ledger: trial balance, transfers, income and reserves.
import { type FieldTexts, inLanguage } from './catalog.ts';

const en = {
  ledger: 'Ledger',
  parts: 'Parts of the ledger',
  trialBalance: 'Trial balance',
  credit: 'Credit',
  debit: 'Debit',
  income: 'Income',

  afterCommand: (seq: string) =>
    `After journal command ${seq}. Every transfer takes from one account what it gives to ` +
    'another, so the accounts of an asset sum to zero:',
  allBalanced: (assets: number) => `all ${assets} assets do.`,
  notBalanced: 'not all assets do. Keep the data directory and verify it.',
  balanced: 'Balanced',
  unbalanced: 'Unbalanced',
  total: 'Total',
  accounts: {
    external: ['External', 'Counterpart of all credits and debits: minus all that is held here.'],
    feeRevenue: ['Fee revenue', 'Trading fees collected.'],
    customerAvailable: ['Customers: available', 'Free to trade, subscribe or withdraw.'],
    customerHeld: ['Customers: in orders', 'Held for open orders.'],
    customerEarn: ['Customers: in Earn', 'Subscribed principal.'],
    customerRedeeming: ['Customers: redeeming', 'Redeemed principal in its lock time.'],
    customerBooster: ['Customers: boosters', 'Coins locked to raise a rate.'],
    interestReserve: ['Interest reserves', 'Money that plans pay interest from.'],
    interestPayable: ['Interest payable', 'Interest that customers earned and were not paid yet.'],
    interestExpense: ['Interest expense', 'Counterpart of interest payable; reserves cover it.'],
    enterpriseMargin: ['Enterprise margins', 'Margins paid to enterprises.'],
  } as Readonly<Record<string, readonly [name: string, meaning: string]>>,

  creditTitle: 'Credit a customer',
  debitTitle: 'Debit a customer',
  creditLead: 'Books money that arrived for a customer from outside this exchange.',
  debitLead: 'Books money that leaves for a customer. Only available money can leave.',
  fields: { uid: ['Customer'], asset: ['Asset'] } satisfies FieldTexts,
  debitButton: 'Debit…',
  debitQuestion: (uid: number) => `Debit user ${uid}?`,
  debitConfirm: 'Debit user',
  credits: (amount: string, email: string, uid: number) =>
    `Adds ${amount} to the available balance of ${email} (user ${uid}).`,
  debits: (amount: string, email: string, uid: number) =>
    `Takes ${amount} from the available balance of ${email} (user ${uid}).`,
  available: (before: string, after: string, asset: string) =>
    `Available now: ${before} ${asset}. Afterwards: ${after} ${asset}.`,
  toUser: (amount: string, uid: number) => `${amount} to user ${uid}`,
  fromUser: (amount: string, uid: number) => `${amount} from user ${uid}`,

  incomeTitle: 'Income and reserves',
  noIncome: 'No fees, margins or reserves yet',
  account: 'Account',
  balance: 'Balance',
  withdrawable: 'Withdrawable',
  withdraw: 'Withdraw…',
  action: 'Action',
  withdrawFrom: (owner: string) => `Withdraw from ${owner}`,
  withdrawName: (owner: string, asset: string) => `Withdraw ${asset} from ${owner}`,
  withdrawQuestion: (amount: string, owner: string) => `Withdraw ${amount} from ${owner}?`,
  withdrawConfirm: 'Withdraw',
  leavesBooks: (amount: string) => `${amount} leaves the ledger.`,
  tradingFees: 'Trading fees',
  reserveOf: (plan: string) => `Reserve of plan ${plan}`,
  marginsOf: (enterprise: string) => `Margins of ${enterprise}`,
  canWithdraw: (amount: string) => `You can withdraw ${amount}.`,
  earnedInterest: (amount: string) =>
    `${amount} is interest that subscribers earned and were not paid yet.`,
  marginClaims: (amount: string) =>
    `${amount} would go back if members redeemed their running terms early.`,
  statement: 'Funded and withdrawn',
  noStatement: 'Nothing funded or withdrawn yet',
  time: 'Time',
  amount: 'Amount',
};

export const ledgerText = inLanguage({ en });
