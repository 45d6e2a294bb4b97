// The bounds of the streams: what one connection may do and hold, and how often it hears.
// docs/websocket.md tells all of them.

/** Channels of one connection, and of one address or account over all its connections. */
export const MAX_CHANNELS = 200;
export const MAX_CHANNELS_OF_PAYER = 4000;
/** Connections of the whole server; the limit for each address is a setting. */
export const MAX_CONNECTIONS = 20_000;

/** Messages (also pings and pongs) that a client may send in a burst, and per second after it. */
export const INBOUND_BURST = 250;
export const INBOUND_PER_SECOND = 20;

/** On the private endpoints, from the opening to the login. */
export const LOGIN_DEADLINE_MS = 10_000;
export const HEARTBEAT_SECONDS = 15;
export const PING_SECONDS = 20;
/** Without a pong, or anything else, for so long the peer is gone. */
export const SILENCE_MS = 60_000;
/** From the notice of a stop to the closing, where anybody is connected. */
export const SHUTDOWN_NOTICE_MS = 1000;
/** A peer that does not answer a closing for so long is cut off. */
export const CLOSING_MS = 5000;

/** From one message of a book to the next; a change after a pause is sent immediately. */
export const BOOK_INTERVAL_MS = 10;
/**
 * A message that takes long to make is followed by a pause so many times that long, up to the
 * bound: a level-3 book, and the snapshots of an account. Requests meanwhile wait and share the
 * next one.
 */
export const REST = 20;
export const MAX_REST_MS = 250;
export const TICKER_INTERVAL_MS = 1000;
export const CANDLES_INTERVAL_MS = 500;

/**
 * Bulk work of the streams on the order thread: so many milliseconds in a row, and over time this
 * many in each second. The rest is for orders. Work stops in debt and goes on at the level of
 * `TURN_RESUME_MS`.
 */
export const TURN_TERMS = { burst: 1, perSecond: 250 } as const;
export const TURN_RESUME_MS = 0.5;
/** Live messages are never put off; they hold up bulk work by at most this debt. */
export const MAX_TIME_DEBT_MS = 4;
/** Time on the order thread of one address or account, ms. */
export const PAYER_TIME = { burst: 250, perSecond: 50 } as const;
/**
 * A payer may have so many seconds of its snapshot bytes immediately; one connection has this part
 * of them.
 */
export const BURST_SECONDS = 8;
export const CONNECTION_PART = 1 / 4;

/** A message that is longer, in characters, is sent when it is its turn. */
export const BULK_TEXT = 1 << 14;
/** A message of more bytes over all its readers goes to each when it is their turn. */
export const SPREAD_BYTES = 1 << 20;
/** Orders and rows that are written in one piece of work. */
export const PIECE_ORDERS = 400;
export const PIECE_ROWS = 100;

/** Trades and candles in a snapshot. */
export const SNAPSHOT_TRADES = 100;
export const SNAPSHOT_CANDLES = 100;

/**
 * Bytes that wait for a reader: above it books pause, and everything else has this long to get
 * below it again.
 */
export const SLOW_BYTES = 1 << 20;
export const SLOW_MS = 2000;
/** Below it a paused book goes on, with a snapshot. */
export const CAUGHT_UP_BYTES = 1 << 16;
/**
 * Never more than this waits for one connection, for one address or account, and for all together.
 */
export const MAX_BUFFERED_BYTES = 16 << 20;
export const MAX_BUFFERED_OF_PAYER = 32 << 20;
export const MAX_BUFFERED_IN_ALL = 256 << 20;
/** Requests of one connection that wait for their turn, characters. */
export const MAX_INBOX = 1 << 16;
/** A reader that has taken nothing of what waits for so long is gone. */
export const STALL_MS = 15_000;
/** How often it is looked who is slow. */
export const SLOW_CHECK_MS = 50;

/**
 * Characters of live messages that are held back for a subscription while its past is being read.
 */
export const MAX_HELD = 4 << 20;
/** Commands that are gone through for one resumption, and what may come of it. */
export const MAX_REPLAYED_COMMANDS = 2_000_000;
export const MAX_REPLAYED_TEXT = 8 << 20;
/** Resumptions that wait for their turn: of everybody, and of one account. */
export const MAX_REPLAYS_WAITING = 512;
export const MAX_REPLAYS_OF_ONE = 32;
/**
 * The weight of a millisecond of the replay thread in the time budget: it shares the cores with the
 * order thread.
 */
export const REPLAY_COST = 1 / 4;
/** The thread that replays is kept for so long after its last job. */
export const REPLAY_IDLE_MS = 30_000;

/** How long something rests that took so long to make. */
export const restOf = (took: number): number => Math.min(REST * took, MAX_REST_MS);

/**
 * After so many messages of books to connections, books rest: sending takes them a fifth of the
 * order thread, until the bound.
 */
export const FAN_OUT_REST_MS = 0.04;
export const fanOutRest = (messages: number): number =>
  Math.min(messages * FAN_OUT_REST_MS, MAX_REST_MS);
