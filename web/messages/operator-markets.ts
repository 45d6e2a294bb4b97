// Texts of the operator console about pairs, assets and fee tiers.
import type { InstrumentStatus, ListedInstrument } from '../../src/sdk/index.ts';
import { counted, type FieldTexts, inLanguage, plural } from './catalog.ts';

/** How many orders rest in a book; null while the number is unknown. */
type Resting = number | null;

const stay = (resting: Resting): string => {
  if (resting === null) return 'Orders in the book stay, with the money held for them.';
  return plural(resting, {
    one: 'The 1 order in the book stays, with the money held for it.',
    other:
      `The ${resting.toLocaleString('en')} orders in the book stay, ` +
      'with the money held for them.',
  });
};

const en = {
  markets: 'Markets',
  allMarkets: 'All markets',
  pairs: 'Pairs',
  assets: 'Assets',
  listPair: 'List a pair',
  listAsset: 'List an asset',
  noPairs: 'No pairs yet',
  noPairsHint: 'List two assets first, then their pair.',
  noAssets: 'No assets yet',
  noAssetsHint: 'An asset is what customers can own here, such as BTC or USDT.',
  noSuchPair: 'This pair does not exist',
  pair: 'Pair',
  asset: 'Asset',
  status: 'Status',
  lastPrice: 'Last price',
  maker: 'Maker',
  taker: 'Taker',
  tick: 'Price increment',
  lot: 'Quantity increment',
  band: 'Band',
  none: 'None',
  decimals: 'Decimals',
  kind: 'Kind',
  fiat: 'National currency',
  crypto: 'Crypto asset',
  number: 'ID',
  immutable: 'Immutable',
  terms: 'Terms',
  usedBy: 'Used by',

  createAsset: 'List asset',
  assetListed: (asset: string) => `Listed ${asset}.`,
  assetFields: {
    asset: ['Name'],
    scale: ['Decimals'],
    fiat: ['National currency'],
  } satisfies FieldTexts,
  createsAsset: (asset: string, scale: number) =>
    `Customers can own ${asset}, with ${counted(scale, 'decimal')}. You can change this until ` +
    'something uses it.',
  noSuchAsset: 'This asset does not exist',
  scaleNote: 'The decimals can change, and the asset can be removed, until something uses it.',
  scaleChanged: (asset: string) => `Changed ${asset}.`,
  removeAsset: 'Remove asset',
  removeAssetTitle: (asset: string) => `Remove ${asset}?`,
  removesAsset: [
    'Customers, pairs and plans can no longer use it.',
    'The server rejects this if a pair, a plan, the fee tiers or money ever used it.',
  ],
  keepAsset: 'Keep it',
  assetRemoved: (asset: string) => `Removed ${asset}.`,

  createsFiat: 'Lists mark it as a national currency.',
  createsCrypto: 'It counts as a crypto asset.',
  createsNothing: 'Nobody owns any yet: credit what customers bring. List a pair to trade it.',

  createPair: 'List pair',
  pairListed: (symbol: string) => `Listed ${symbol}.`,
  bothListed: 'Both assets must be listed.',
  fields: {
    base: ['Base asset', 'Quantities are amounts of it.'],
    quote: ['Quote asset', 'Prices are amounts of it.'],
    baseAssetIncrement: ['Quantity increment'],
    quoteAssetIncrement: ['Price increment'],
    baseAssetMinOrderSize: ['Minimum quantity'],
    quoteAssetMinOrderSize: ['Minimum value'],
    makerFee: ['Maker fee'],
    takerFee: ['Taker fee'],
    priceBand: ['Price band'],
    selfTradePrevention: ['Self-trade prevention'],
    instrumentStatus: ['Status'],
  } satisfies FieldTexts,
  selfTradeUse: (effect: string) => `If an order meets one of the same account: ${effect}`,
  selfTrades: {
    cancelNewest: ['Cancel newest', 'the incoming order is canceled.'],
    cancelOldest: ['Cancel oldest', 'the resting order is canceled.'],
    cancelBoth: ['Cancel both', 'both are canceled.'],
    none: ['None', 'they trade.'],
  } satisfies Record<ListedInstrument['selfTradePrevention'], readonly [string, string]>,

  createsPair: (symbol: string, base: string, quote: string) =>
    `Lists ${symbol}: ${base} trades against ${quote}.`,
  createsGrid: (tick: string, quote: string, lot: string, base: string, step: string) =>
    `Prices are multiples of ${tick} ${quote}, quantities of ${lot} ${base}, so values are ` +
    `multiples of ${step} ${quote}. You cannot change this later.`,
  createsMinimum: (quantity: string, value: string | null) =>
    `An order is for at least ${quantity}${value === null ? '' : ` and worth at least ${value}`}.`,
  createsFees: (maker: string, taker: string, example: string, fee: string) =>
    `Makers pay ${maker}, takers ${taker} of what they receive: ${fee} of ${example} for a taker.`,
  createsBand: (band: string) =>
    `After the first trade, orders trade at most ${band} away from the last price.`,
  createsNoBand: 'There is no price band: mistyped prices are accepted too.',
  createsStatus: (status: string, effect: string) => `It starts as ${status}: ${effect}`,

  termsNote: 'Changes apply immediately to new orders. Resting orders stay.',
  termsChanged: (symbol: string) => `Changed the terms of ${symbol}.`,

  statuses: {
    LIVE: ['Live', 'Accepts orders and cancels.'],
    POST_ONLY: ['Post only', 'Accepts orders that rest, and cancels. Nothing trades on arrival.'],
    CANCEL_ONLY: ['Cancel only', 'Accepts cancels and no orders.'],
    HALTED: ['Halted', 'Accepts no orders. Owners can cancel.'],
  } satisfies Record<InstrumentStatus, readonly [string, string]>,
  current: 'Current',
  statusNow: (symbol: string, status: string) => `${symbol} is now ${status}.`,
  statusActions: {
    LIVE: 'Open for trading',
    POST_ONLY: 'Restrict to post only',
    CANCEL_ONLY: 'Restrict to cancels',
    HALTED: 'Halt trading',
  } satisfies Record<InstrumentStatus, string>,
  statusName: (action: string, symbol: string) => `${action}: ${symbol}`,
  statusQuestion: (action: string, symbol: string) => `${action}: ${symbol}?`,
  statusEffects: (symbol: string, resting: Resting) => ({
    HALTED: [
      `Trading in ${symbol} stops immediately for everyone. The server rejects new orders.`,
      `${stay(resting)} Owners can cancel; so can you.`,
      'You can undo this at any time.',
    ],
    CANCEL_ONLY: [
      `The server rejects new orders in ${symbol} for everyone. Nothing trades.`,
      `${stay(resting)} Owners can cancel.`,
      'You can undo this at any time.',
    ],
    POST_ONLY: [
      `${symbol} accepts only post-only orders: they rest, and nothing trades on arrival.`,
      `${stay(resting)} Owners can cancel.`,
    ],
    LIVE: [
      `${symbol} trades again immediately for everyone.`,
      `${stay(resting)} New orders can trade against resting orders.`,
    ],
  }),

  feeTiers: {
    title: 'Fee tiers',
    none: 'No fee tiers',
    noneHint: 'Every pair has its own fees. Tiers lower them for customers who trade more.',
    edit: 'Edit fee tiers',
    from: '30-day volume',
    maker: 'Maker',
    taker: 'Taker',
    save: 'Set fee tiers',
    saved: 'The fee tiers are set.',
    lead:
      'A customer’s tier follows from the 30 full days (UTC) before today. Leave all rows empty ' +
      'to remove the table.',
    volumeAsset: 'Volumes in',
    volume: (tier: number) => `Tier ${tier}: volume from`,
    makerFee: 'Maker fee',
    takerFee: 'Taker fee',
    noTier: 'No tier',
    value: (asset: string) => `Value of 1 ${asset}`,
    notCounted: 'Not counted',
    removes: 'Removes the table and the volumes: every pair has its own fees again.',
    counts: (asset: string) => `Counts the ${asset} that makers and takers trade, from now on.`,
    countsAs: (asset: string, value: string, volumeAsset: string) =>
      `1 ${asset} counts as ${value} ${volumeAsset}.`,
    applies: (volume: string, maker: string, taker: string) =>
      `From ${volume} on, makers pay ${maker} and takers ${taker}.`,
    ownFirst: 'A user’s own fees precede those of a tier.',
  },
};

export const marketsText = inLanguage({ en });
