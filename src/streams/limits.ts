// The bounds of the streams: what one connection may do and hold, and how often it gets messages.
// docs/websocket.md lists them.
import { MAX_STREAM_MESSAGE } from '../contract/streams/requests.ts';

/** Channels of one connection, and of one address or account over all its connections. */
export const MAX_CHANNELS = 200;
export const MAX_CHANNELS_OF_PAYER = 4000;
/** Connections of the whole server; the limit for each address is a setting. */
export const MAX_CONNECTIONS = 20_000;

/** Messages (also pings and pongs) that a client may send in a burst, and per second after it. */
export const INBOUND_BURST = 250;
export const INBOUND_PER_SECOND = 20;

/** On the private endpoints, from the open to the login. */
export const LOGIN_DEADLINE_MS = 10_000;
export const HEARTBEAT_SECONDS = 15;
export const PING_SECONDS = 20;
/** After this time without a pong or anything else, the server closes the connection. */
export const SILENCE_MS = 60_000;
/** From the notice of a stop to the close, with any connection open. */
export const SHUTDOWN_NOTICE_MS = 1000;
/** A peer that does not answer a close frame within this time is cut off. */
export const CLOSING_MS = 5000;

/** Between two messages of a book; a change after a longer pause is sent immediately. */
export const BOOK_INTERVAL_MS = 10;
/**
 * A level-3 book or a snapshot of an account is followed by a pause of this many times the time
 * that it took, up to the bound. Requests meanwhile share the next one.
 */
const REST = 20;
export const MAX_REST_MS = 250;
export const TICKER_INTERVAL_MS = 1000;
export const CANDLES_INTERVAL_MS = 500;
export const TRIGGERS_INTERVAL_MS = 250;

/**
 * Bulk work of the streams on the order thread: milliseconds in a row, and over time in each
 * second. The rest is for orders. Work stops in debt and resumes at the level of `TURN_RESUME_MS`.
 */
export const TURN_TERMS = { burst: 1, perSecond: 250 } as const;
export const TURN_RESUME_MS = 0.5;
/** Live messages never wait; they delay bulk work by at most this debt. */
export const MAX_TIME_DEBT_MS = 4;
/** Time on the order thread of one address or account, ms. */
export const PAYER_TIME = { burst: 250, perSecond: 50 } as const;
/** A payer may use this many seconds of its snapshot bytes in a burst, a connection this part. */
export const BURST_SECONDS = 8;
export const CONNECTION_PART = 1 / 4;

/** A longer message, in characters, waits for its turn. */
export const BULK_TEXT = 1 << 14;
/** A message of more bytes over all its readers goes to each in turn. */
export const SPREAD_BYTES = 1 << 20;
/** Orders and rows in one piece of work. */
export const PIECE_ORDERS = 400;
export const PIECE_ROWS = 100;
/** Rows of an update: with the usual ones it is short enough to be sent immediately. */
export const MESSAGE_ROWS = 24;
/**
 * Rows and messages that one turn of the event loop sends, some 5 ms of work. The rest follows in
 * the next turns, so that orders run in between.
 */
export const TURN_ROWS = 1000;
/** Changes that wait for a turn, about 10 MB. A turn sends as much as is above. */
export const MAX_WAITING_CHANGES = 20_000;

/** Trades and candles in a snapshot. */
export const SNAPSHOT_TRADES = 100;
export const SNAPSHOT_CANDLES = 100;

/** Above this many unread bytes books pause; everything else has SLOW_MS to get below it. */
export const SLOW_BYTES = 1 << 20;
export const SLOW_MS = 2000;
/**
 * Below this many unread bytes, short messages that wait go on, in pieces of this length. Both stay
 * below SLOW_BYTES together, so a peer that reads steadily is not slow.
 */
export const REFILL_BYTES = 1 << 19;
export const REFILL_TEXT = 1 << 18;
/** Below this many unread bytes a paused book resumes, with a snapshot. */
export const CAUGHT_UP_BYTES = 1 << 16;
/** The maximum of unread bytes of one connection, of one address or account, and of all. */
export const MAX_BUFFERED_BYTES = 16 << 20;
export const MAX_BUFFERED_OF_PAYER = 32 << 20;
export const MAX_BUFFERED_IN_ALL = 256 << 20;
/** Waiting requests of one connection, in characters. */
export const MAX_INBOX = 1 << 16;
/** The server closes a connection whose peer reads nothing for this long. */
export const STALL_MS = 15_000;
/** Between two checks for slow readers. */
export const SLOW_CHECK_MS = 50;

/** Characters of live messages that wait for a snapshot, or for the answer to an order. */
export const MAX_HELD = 4 << 20;
/** Commands that one resumption replays, and characters that it may yield. */
export const MAX_REPLAYED_COMMANDS = 2_000_000;
export const MAX_REPLAYED_TEXT = 8 << 20;
/** Waiting resumptions, of all accounts and of one. */
export const MAX_REPLAYS_WAITING = 512;
export const MAX_REPLAYS_OF_ONE = 32;
/** The cost of a millisecond of the replay thread, which shares the cores with the order thread. */
export const REPLAY_COST = 1 / 4;
/** The replay thread ends this long after its last job. */
export const REPLAY_IDLE_MS = 30_000;

/** The pause after work that took `took` milliseconds. */
export const restOf = (took: number): number => Math.min(REST * took, MAX_REST_MS);

/** The pause of all books for each message to a connection: sending takes a fifth of the thread. */
export const FAN_OUT_REST_MS = 0.04;
export const fanOutRest = (messages: number): number =>
  Math.min(messages * FAN_OUT_REST_MS, MAX_REST_MS);

/** The terms of the HTTP server for websockets. */
export const SOCKET_TERMS = {
  maxPayloadLength: Object.values(MAX_STREAM_MESSAGE).reduce((most, size) => Math.max(most, size)),
  perMessageDeflate: false,
  // Streams judges silence, by pongs.
  idleTimeout: 0,
  sendPings: false,
  backpressureLimit: MAX_BUFFERED_BYTES,
  closeOnBackpressureLimit: true,
} as const;
