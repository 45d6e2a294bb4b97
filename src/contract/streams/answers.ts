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
import type { Fields } from '../wire.ts';

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

const message = <const C extends string, F extends Fields>(
  name: string,
  about: string,
  channel: C,
  fields: F,
) => answer.object(name, about, { ...frame, channel: oneOf([channel]), ...fields });

const { bestBid, bestBidQuantity, bestAsk, bestAskQuantity } = bbo.shape.fields;

export interface TrailingTrigger {
  readonly orderId: number;
  readonly triggerPx: Ticks;
}

export const trailingTrigger = answer.object('TrailingTrigger', 'A stop that trails.', {
  orderId: integer(),
  symbol: answer.madeOf<TrailingTrigger, Instrument>()(text(), (_, { symbol }) => symbol),
  triggerPx: answer.price('Its present trigger.'),
});

export const streamedInterest = answer.object(
  'StreamedInterest',
  'The interest of one subscription for one day.',
  { applyId: answer.idText(), ...interestEntry.shape.fields },
);

/** The message of each channel. */
export const DATA_MESSAGES = {
  orderbook: message('OrderbookMessage', 'The best levels of a book.', 'orderbook', {
    symbol: text(),
    depth: integer(),
    lastUpdateId: integer(),
    bids: answer.list(level, 'In an update, the changed levels; quantity 0 removes a level.'),
    asks: answer.list(level),
    checksum: integer('CRC-32 of the ten best levels of each side.'),
  }),
  l3orderbook: message('Level3OrderbookMessage', 'A book, order by order.', 'l3orderbook', {
    symbol: text(),
    lastUpdateId: integer(),
    bids: answer.list(
      level3Level,
      'In an update, the changed levels with all their orders; quantity 0 removes a level.',
    ),
    asks: answer.list(level3Level),
    checksum: integer(),
    complete: optional(boolean('In a snapshot: whether it has every order of the book.')),
  }),
  bbo: message(
    'BboMessage',
    'The best bid and the best ask after a change of either; null: none.',
    'bbo',
    {
      symbol: text(),
      lastUpdateId: integer(),
      bestBid,
      bestBidQuantity,
      bestAsk,
      bestAskQuantity,
    },
  ),
  trades: message(
    'TradesMessage',
    'The trades since the previous message, oldest first; in a snapshot, the newest ones.',
    'trades',
    { symbol: text(), data: answer.list(publicTrade) },
  ),
  ticker: message('TickerMessage', 'Tickers that have changed.', 'ticker', {
    symbol: optional(text()),
    data: answer.list(ticker),
  }),
  candles: message(
    'CandlesMessage',
    'Candles that are new or have changed, oldest first.',
    'candles',
    { symbol: text(), interval: text(), data: answer.list(candle) },
  ),
  instruments: message('InstrumentsMessage', 'Instruments that have changed.', 'instruments', {
    symbol: optional(text()),
    data: answer.list(instrument),
  }),
  orders: message(
    'OrdersMessage',
    'Execution reports in the order of their events; in a snapshot, the open orders.',
    'orders',
    { data: answer.list(order) },
  ),
  triggers: message(
    'TriggersMessage',
    'The trailing stops whose trigger moved; in a snapshot, all of them.',
    'triggers',
    { data: answer.list(trailingTrigger) },
  ),
  balances: message(
    'BalancesMessage',
    'The assets whose balance changed; in a snapshot, all assets.',
    'balances',
    { data: answer.list(balance) },
  ),
  subscriptions: message(
    'SubscriptionsMessage',
    'The subscriptions that changed; in a snapshot, all that are not redeemed.',
    'subscriptions',
    { data: answer.list(currentSubscription) },
  ),
  interest: message('InterestMessage', 'Interest that was credited.', 'interest', {
    data: answer.list(streamedInterest),
  }),
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
