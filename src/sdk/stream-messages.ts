// What the websockets send. Names and types are those of the REST answers; every data message has its place in the journal.
import type {
  Balance,
  Candle,
  Instrument,
  Level,
  Level3Level,
  Order,
  PublicTrade,
  Ticker,
} from './answers.ts';
import type { CurrentSubscription, InterestEntry } from './answers-earn.ts';

/** The place of a message. */
interface Frame {
  readonly type: 'snapshot' | 'update';
  /** The journal position of the state that it tells. */
  readonly seq: number;
  /** `seq` of the message before on the same subscription; null in a snapshot. */
  readonly prevSeq: number | null;
  /** Business time of that state, epoch ms. */
  readonly transactTime: number;
}

export interface OrderbookMessage extends Frame {
  readonly channel: 'orderbook';
  readonly symbol: string;
  readonly depth: number;
  readonly lastUpdateId: number;
  /** In an update, what has changed; quantity 0 takes a level away. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** CRC-32 of the ten best levels of each side. */
  readonly checksum: number;
}

export interface Level3OrderbookMessage extends Frame {
  readonly channel: 'l3orderbook';
  readonly symbol: string;
  readonly lastUpdateId: number;
  /** In an update, the levels that have changed, whole; quantity 0 takes one away. */
  readonly bids: readonly Level3Level[];
  readonly asks: readonly Level3Level[];
  readonly checksum: number;
  /** In a snapshot: whether it has every order of the book. */
  readonly complete?: boolean;
}

/** The trades since the message before, oldest first; of a snapshot, the newest ones. */
export interface TradesMessage extends Frame {
  readonly channel: 'trades';
  readonly symbol: string;
  readonly data: readonly PublicTrade[];
}

export interface TickerMessage extends Frame {
  readonly channel: 'ticker';
  readonly symbol?: string;
  readonly data: readonly Ticker[];
}

/** Candles that are new or have grown, oldest first. */
export interface CandlesMessage extends Frame {
  readonly channel: 'candles';
  readonly symbol: string;
  readonly interval: string;
  readonly data: readonly Candle[];
}

export interface InstrumentsMessage extends Frame {
  readonly channel: 'instruments';
  readonly symbol?: string;
  readonly data: readonly Instrument[];
}

/** Execution reports in the order of events; of a snapshot, the open orders. */
export interface OrdersMessage extends Frame {
  readonly channel: 'orders';
  readonly data: readonly Order[];
}

/** The assets that changed, with all their parts; of a snapshot, all. */
export interface BalancesMessage extends Frame {
  readonly channel: 'balances';
  readonly data: readonly Balance[];
}

export interface SubscriptionsMessage extends Frame {
  readonly channel: 'subscriptions';
  readonly data: readonly CurrentSubscription[];
}

/** One day's interest of one subscription. */
export interface StreamedInterest extends InterestEntry {
  readonly applyId: string;
}

export interface InterestMessage extends Frame {
  readonly channel: 'interest';
  readonly data: readonly StreamedInterest[];
}

/** By channel, what it sends. */
export interface StreamMessages {
  readonly orderbook: OrderbookMessage;
  readonly l3orderbook: Level3OrderbookMessage;
  readonly trades: TradesMessage;
  readonly ticker: TickerMessage;
  readonly candles: CandlesMessage;
  readonly instruments: InstrumentsMessage;
  readonly orders: OrdersMessage;
  readonly balances: BalancesMessage;
  readonly subscriptions: SubscriptionsMessage;
  readonly interest: InterestMessage;
}

export type ChannelName = keyof StreamMessages;
export type DataMessage = StreamMessages[ChannelName];

/** Where a channel of the connection stands. */
export interface Position {
  readonly channel: ChannelName;
  readonly symbol?: string;
  readonly depth?: number;
  readonly interval?: string;
  /** Of its last message. */
  readonly seq: number;
}

/** Sent every 15 seconds. */
export interface Heartbeat {
  readonly channel: 'heartbeat';
  readonly seq: number;
  readonly transactTime: number;
  readonly channels: readonly Position[];
}
