// Texts of the portfolio: profit by asset, and equity over time.
import { inLanguage } from './catalog.ts';

const en = {
  title: 'Profit and equity',
  how:
    'From the fills of the last 90 days, at the weighted average cost with fees. Deposits, ' +
    'withdrawals and Earn are not profit: coins that were not bought in the main pair of their ' +
    'asset are left out.',
  cut: 'This account has more history than the page reads, so the oldest days are missing.',
  none: 'No fills in the last 90 days',
  noneWhy: 'Buy an asset to see its average cost and profit.',
  asset: 'Asset',
  quantity: 'Bought and held',
  average: 'Average cost',
  last: 'Last price',
  unrealized: 'Unrealized',
  realized: 'Realized',
  equity: 'Total value',
  deposited: 'Start and net deposits',
  profit: 'Profit',
  equityNote:
    'At the last price of each UTC day, with money in Earn. Profit is the value less what you ' +
    'had on the first day and deposited since. Before its first trade, an asset counts at its ' +
    'first price.',
  equityChart: (days: number, first: string, last: string) =>
    `Value of the account and its deposits over ${days} days, from ${first} to ${last}`,
  on: (day: string) => `on ${day} UTC`,
  now: 'now',
};

export const portfolioTexts = inLanguage({ en });
