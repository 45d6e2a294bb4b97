// Texts of the home page, of the list of markets and of the footer.
import { counted, inLanguage } from './catalog.ts';

const en = {
  title: 'Markets',
  lead: (pairs: number) => `${counted(pairs, 'pair')}, with the last 24 hours of each.`,
  search: 'Search markets',
  all: 'All',
  favorites: 'Favorites',
  which: 'Which markets',
  noFavorites: 'No favorites yet',
  noFavoritesWhy: 'Press the star of a market to find it here.',
  noMatch: (search: string) => `No market matches “${search}”`,
  addFavorite: (symbol: string) => `Add ${symbol} to your favorites`,
  removeFavorite: (symbol: string) => `Remove ${symbol} from your favorites`,
  columns: {
    pair: 'Market',
    price: 'Price',
    change: '24 h change',
    high: '24 h high',
    low: '24 h low',
    volume: '24 h volume',
    day: 'Last 24 h',
  },
  sortBy: (column: string) => `Sort by ${column}`,

  home: {
    title: 'Trade and earn in one place',
    lead:
      'A spot exchange with a full order book, and Earn plans with daily interest. ' +
      'Every payout is verifiable, and every feature has an open API.',
    sandbox: 'This is a sandbox: you get test money, and nothing here has a value.',
    create: 'Create an account',
    trade: 'Go to trading',
    explore: 'Explore markets',
    gainers: 'Top gainers',
    losers: 'Top losers',
    active: 'Most active',
    allMarkets: 'All markets',
    earn: 'Earn on idle balances',
    earnLead: 'Interest accrues every day. Flexible plans let you redeem at any time.',
    allPlans: 'All Earn plans',
    upTo: (rate: string) => `up to ${rate} APR`,
    rate: (rate: string) => `${rate} APR`,
    earnUpTo: (rate: string) => `Earn up to ${rate} APR on idle balances.`,
    fees: 'Fees',
    feesLead: 'You pay a fee only when an order trades. There is no fee to place or cancel one.',
    maker: 'Maker',
    taker: 'Taker',
    makerHint: 'Your order waited in the book',
    takerHint: 'Your order traded immediately',
    range: (lowest: string, highest: string) => `${lowest} to ${highest}`,
    reasons: [
      ['Know before you send', 'The form shows the exact cost, the fee and what happens next.'],
      ['Proof of interest', 'Each payout shows the balance, the rate and the day behind it.'],
      ['Built for programs', 'REST, websockets, FIX codes, SDKs, and a sandbox to try them in.'],
    ],
  },

  own: {
    title: 'Your account',
    allOrders: 'All orders',
    filled: (percent: number) => `${percent}% filled`,
    inEarn: 'In Earn',
    noneInEarn: 'Nothing in Earn',
    earned: 'earned',
  },

  footer: {
    label: 'About this exchange',
    terms: 'Terms',
    privacy: 'Privacy',
    status: 'Status',
    support: 'Support',
    api: 'API',
    operatedWith: 'Runs on agio',
  },
};

export const markets = inLanguage({ en });
