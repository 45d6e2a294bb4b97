// The messages that the websockets send. Names and types are those of the REST answers; every data
// message has its position in the journal.
import type { Instrument } from '../../core/instrument.ts';
import type { Ticks } from '../../core/units.ts';
import * as answer from '../answer.ts';
import { currentSubscription, interestEntry } from '../earn/answers.ts';
import { boolean, integer, oneOf, optional, text } from '../fields.ts';
import {
  bbo,
  candle,
  instrument,
  level,
  level3Level,
  publicTrade,
  ticker,
} from '../market-data/answers.ts';
import { balance } from '../trading/answers.ts';
import { order } from '../trading/order-report.ts';

/** The position of a message. */
const frame = {
  type: oneOf(['snapshot', 'update']),
  seq: integer('The journal position of the state that the message shows.'),
  prevSeq: answer.nullable(
    integer(),
    '`seq` of the previous message of the subscription; null in a snapshot.',
  ),
  transactTime: answer.time('Business time of that state, epoch ms.'),
} as const;

export const orderbookMessage = answer.object('OrderbookMessage', 'The best levels of a book.', {
  ...frame,
  channel: oneOf(['orderbook']),
  symbol: text(),
  depth: integer(),
  lastUpdateId: integer(),
  bids: answer.list(level, 'In an update, the changed levels; quantity 0 removes a level.'),
  asks: answer.list(level),
  checksum: integer('CRC-32 of the ten best levels of each side.'),
});

export const level3OrderbookMessage = answer.object(
  'Level3OrderbookMessage',
  'A book, order by order.',
  {
    ...frame,
    channel: oneOf(['l3orderbook']),
    symbol: text(),
    lastUpdateId: integer(),
    bids: answer.list(
      level3Level,
      'In an update, the changed levels with all their orders; quantity 0 removes a level.',
    ),
    asks: answer.list(level3Level),
    checksum: integer(),
    complete: optional(boolean('In a snapshot: whether it has every order of the book.')),
  },
);

const { bestBid, bestBidQuantity, bestAsk, bestAskQuantity } = bbo.shape.fields;

export const bboMessage = answer.object(
  'BboMessage',
  'The best bid and the best ask after a change of either; null: none.',
  {
    ...frame,
    channel: oneOf(['bbo']),
    symbol: text(),
    lastUpdateId: integer(),
    bestBid,
    bestBidQuantity,
    bestAsk,
    bestAskQuantity,
  },
);

export const tradesMessage = answer.object(
  'TradesMessage',
  'The trades since the previous message, oldest first; in a snapshot, the newest ones.',
  {
    ...frame,
    channel: oneOf(['trades']),
    symbol: text(),
    data: answer.list(publicTrade),
  },
);

export const tickerMessage = answer.object('TickerMessage', 'Tickers that have changed.', {
  ...frame,
  channel: oneOf(['ticker']),
  symbol: optional(text()),
  data: answer.list(ticker),
});

export const candlesMessage = answer.object(
  'CandlesMessage',
  'Candles that are new or have changed, oldest first.',
  {
    ...frame,
    channel: oneOf(['candles']),
    symbol: text(),
    interval: text(),
    data: answer.list(candle),
  },
);

export const instrumentsMessage = answer.object(
  'InstrumentsMessage',
  'Instruments that have changed.',
  {
    ...frame,
    channel: oneOf(['instruments']),
    symbol: optional(text()),
    data: answer.list(instrument),
  },
);

export const ordersMessage = answer.object(
  'OrdersMessage',
  'Execution reports in the order of their events; in a snapshot, the open orders.',
  { ...frame, channel: oneOf(['orders']), data: answer.list(order) },
);

export interface TrailingTrigger {
  readonly orderId: number;
  readonly triggerPx: Ticks;
}

export const trailingTrigger = answer.object('TrailingTrigger', 'A stop that trails.', {
  orderId: integer(),
  symbol: answer.madeOf<TrailingTrigger, Instrument>()(text(), (_, { symbol }) => symbol),
  triggerPx: answer.price('Its present trigger.'),
});

export const triggersMessage = answer.object(
  'TriggersMessage',
  'The trailing stops whose trigger moved; in a snapshot, all of them.',
  { ...frame, channel: oneOf(['triggers']), data: answer.list(trailingTrigger) },
);

export const balancesMessage = answer.object(
  'BalancesMessage',
  'The assets whose balance changed; in a snapshot, all assets.',
  { ...frame, channel: oneOf(['balances']), data: answer.list(balance) },
);

export const subscriptionsMessage = answer.object(
  'SubscriptionsMessage',
  'The subscriptions that changed; in a snapshot, all that are not redeemed.',
  { ...frame, channel: oneOf(['subscriptions']), data: answer.list(currentSubscription) },
);

export const streamedInterest = answer.object(
  'StreamedInterest',
  'The interest of one subscription for one day.',
  { applyId: answer.idText(), ...interestEntry.shape.fields },
);

export const interestMessage = answer.object('InterestMessage', 'Interest that was credited.', {
  ...frame,
  channel: oneOf(['interest']),
  data: answer.list(streamedInterest),
});

/** The message of each channel. */
export const DATA_MESSAGES = {
  orderbook: orderbookMessage,
  l3orderbook: level3OrderbookMessage,
  bbo: bboMessage,
  trades: tradesMessage,
  ticker: tickerMessage,
  candles: candlesMessage,
  instruments: instrumentsMessage,
  orders: ordersMessage,
  triggers: triggersMessage,
  balances: balancesMessage,
  subscriptions: subscriptionsMessage,
  interest: interestMessage,
} as const;

export const channelName = answer.words(
  'ChannelName',
  'The name of a channel.',
  Object.keys(DATA_MESSAGES) as (keyof typeof DATA_MESSAGES)[],
);

export const position = answer.object('Position', 'The position of a channel.', {
  channel: channelName,
  symbol: optional(text()),
  depth: optional(integer()),
  interval: optional(text()),
  seq: integer('The `seq` of its last message.'),
});

export const heartbeat = answer.object('Heartbeat', 'Sent every 15 seconds.', {
  channel: oneOf(['heartbeat']),
  seq: integer(),
  transactTime: answer.time(),
  channels: answer.list(position),
});
