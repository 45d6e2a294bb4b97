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
  equity: 'Value of the spot balances',
  equityNote: 'At the last price of each UTC day, without money in Earn. Days of deposits jump.',
  equityChart: (days: number, first: string, last: string) =>
    `Value of the spot balances over ${days} days, from ${first} to ${last}`,
  on: (day: string) => `on ${day} UTC`,
  now: 'now',
};

export const portfolioTexts = inLanguage({ en });
