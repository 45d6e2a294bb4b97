// The answers of the public calls: instruments, books, trades, tickers, candles, and the state of
// the process.
import { InstrumentStatus, SelfTradePrevention, Side } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import * as answer from '../answer.ts';
import { boolean, decimal, integer, oneOf, optional, text } from '../fields.ts';
import { jsonSteps } from '../json.ts';

export const side = answer.codes('Side', '1 buy, 2 sell.', Side, { lenient: true });

export const instrumentStatus = {
  ...answer.wordsOf(InstrumentStatus),
  name: 'InstrumentStatus',
  about: 'The requests that an instrument accepts, from all to none.',
};

const NOT_READY = ['storageFull', 'noLeader'] as const;

export const notReady = oneOf(NOT_READY, 'Why the server accepts no writes; absent while it does.');

export const health = answer.object('Health', 'The process is alive.', {
  status: oneOf(['ok', 'starting']),
  seq: optional(integer('Absent while the server starts.')),
  ready: boolean('True while the server accepts writes.'),
  reason: optional(
    oneOf(
      [...NOT_READY, 'starting', 'waitingForDatabase'],
      'Why the server accepts no writes; absent while it does.',
    ),
  ),
});

export const historyStatus = answer.object('HistoryStatus', 'The state of the history.', {
  status: text('`ready`, `opening`, or the reason why it cannot be read, such as `diskFull`.'),
  lag: integer('Commands that the history does not have yet.'),
  lagSeconds: integer('How long the oldest of them has waited.'),
});

export const clusterState = answer.object(
  'ClusterState',
  'The part of this node in its cluster; absent on a single machine.',
  {
    role: oneOf(
      ['leader', 'follower', 'none'],
      '`none`: it is not connected to a leader, so it accepts no writes.',
    ),
    epoch: integer('The term of the leader.'),
  },
);

export const ready = answer.object('Ready', 'The server accepts requests.', {
  status: text(
    '`ready`, or `readOnly` while the disk has no room for writes or no node of the cluster leads.',
  ),
  seq: integer(),
  reason: optional(notReady),
  followerSeq: integer(),
  history: historyStatus,
  cluster: optional(clusterState),
});

/** The terms that customers and the operator see. */
export const instrumentFields = {
  baseAssetIncrement: answer.made(decimal('Step of quantities.'), ({ lot }: Instrument) =>
    jsonSteps(1, lot),
  ),
  quoteAssetIncrement: answer.made(decimal('Step of prices.'), ({ tick }: Instrument) =>
    jsonSteps(1, tick),
  ),
  baseAssetMinOrderSize: answer.from('minQuantity', answer.quantity()),
  quoteAssetMinOrderSize: answer.from('minNotional', answer.inQuote()),
} as const;

const { LIVE, POST_ONLY } = InstrumentStatus;
export const openFlag = answer.made(
  boolean('Whether the instrument accepts orders: LIVE or POST_ONLY.'),
  ({ status }: Instrument) => status === LIVE || status === POST_ONLY,
);

export const instrument = answer.object('Instrument', 'A tradable pair.', {
  symbol: text(),
  securityId: integer(),
  securityType: answer.constant('SPOT_PAIR'),
  instrumentStatus: answer.from('status', instrumentStatus),
  ...instrumentFields,
  selfTradePrevention: answer.wordsOf(SelfTradePrevention, 'Of an order that names none.'),
  open: openFlag,
  fiat: answer.made(boolean(), ({ base, quote }: Instrument) => base.fiat || quote.fiat),
  apiTradeSupported: optional(boolean('Absent in version 1.')),
});

export const asset = answer.object('Asset', 'An asset.', {
  asset: answer.from('name', text()),
  scale: integer('Decimals of its amounts.'),
  fiat: boolean(),
});

export const time = answer.object('Time', 'The two clocks of the server.', {
  serverTime: answer.time('Wall clock; the server checks signatures against it.'),
  businessTime: answer.time('The time that orders carry and windows count in.'),
});

export const level = answer.tuple('Level', 'A price level of a book.', {
  price: decimal(),
  quantity: decimal(),
});

export const orderbook = answer.object('Orderbook', 'The best price levels of a pair.', {
  symbol: text(),
  depth: integer(),
  transactTime: answer.time(),
  lastUpdateId: integer('Grows with every change of the book.'),
  bids: answer.list(level, 'Best first.'),
  asks: answer.list(level),
});

export const level3Order = answer.tuple('Level3Order', 'An order of a book. All four are texts.', {
  orderId: text('Each part of an iceberg has an id of its own.'),
  sequence: text(),
  time: text('When the order, or the part of an iceberg, came.'),
  quantity: answer.decimalText('What it shows.'),
});

export const level3Level = answer.tuple('Level3Level', 'A price level with its orders.', {
  price: answer.decimalText(),
  quantity: answer.decimalText(),
  orders: answer.list(level3Order),
});

export const level3Orderbook = answer.object('Level3Orderbook', 'A book, order by order.', {
  version: integer(),
  transactTime: answer.time(),
  symbol: text(),
  bids: answer.list(level3Level, 'Best level first, orders by priority.'),
  asks: answer.list(level3Level),
});

const tradeFields = {
  quoteAmount: answer.inQuote(),
  takerSide: answer.noted(side, 'The side of the incoming order.'),
  transactTime: answer.time(),
} as const;

export const publicTrade = answer.object('PublicTrade', 'A trade of a pair.', {
  tradeId: integer(),
  aggTradeId: integer(
    'The first trade of the same incoming order at this price; it may be this one.',
  ),
  price: answer.price(),
  quantity: answer.quantity(),
  ...tradeFields,
});

export const aggTrade = answer.object(
  'AggTrade',
  'All trades of one incoming order at one price, as one.',
  {
    aggTradeId: integer('The `aggTradeId` of its trades.'),
    firstTradeId: answer.from('aggTradeId', integer()),
    lastTradeId: integer(),
    price: answer.price(),
    quantity: answer.quantity(),
    ...tradeFields,
  },
);

/** The traded amounts of a time. */
const volumes = {
  baseVolume: answer.inBase(),
  quoteVolume: answer.inQuote(),
  tradeCount: integer(),
} as const;

export const averagePrice = answer.object(
  'AveragePrice',
  'The volume-weighted price of the last minutes of a pair.',
  {
    symbol: text(),
    openTime: answer.time('The window: trades from here on. It opens with a minute.'),
    closeTime: answer.time(),
    price: answer.nullable(
      decimal(),
      '`quoteVolume` ÷ `baseVolume`, rounded to 8 decimals, or to those of the price step ' +
        'where it has more, and to at least ten significant digits; half is rounded up. Without ' +
        'a trade in the window it is the last price; null before the first trade.',
    ),
    ...volumes,
  },
);

/** The best price of each side with its quantity. */
const best = {
  bestBid: answer.nullable(decimal()),
  bestBidQuantity: answer.nullable(decimal()),
  bestAsk: answer.nullable(decimal()),
  bestAskQuantity: answer.nullable(decimal()),
} as const;

export const bbo = answer.object('Bbo', 'The best bid and the best ask of a pair; null: none.', {
  symbol: text(),
  transactTime: answer.time(),
  lastUpdateId: integer('Grows with every change of the book.'),
  ...best,
});

const nullablePrice = answer.nullable(answer.price());

export const ticker = answer.object('Ticker', 'The last 24 hours; missing values are null.', {
  symbol: text(),
  securityId: integer(),
  openTime: answer.time(),
  closeTime: answer.time(),
  openPrice: answer.from('open', nullablePrice),
  highPrice: answer.from('high', nullablePrice),
  lowPrice: answer.from('low', nullablePrice),
  lastPrice: answer.from('last', nullablePrice),
  priceChange: answer.from('change', nullablePrice),
  ...volumes,
  lastTradeTime: answer.nullable(answer.time()),
  ...best,
});

export const candle = answer.object('Candle', 'One interval of a pair.', {
  openTime: answer.time(),
  open: answer.price(),
  high: answer.price(),
  low: answer.price(),
  close: answer.price(),
  ...volumes,
});
