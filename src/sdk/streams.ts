// The streams of a client: one method per channel, and at most one connection per endpoint. The
// first subscription opens the connection, the last one closes it.

import { type Credentials, requireCredentials } from './credentials.ts';
import { InvalidArgument } from './errors.ts';
import { calls } from './generated/calls.ts';
import type {
  CandlesRequest,
  ChannelName,
  DataMessage,
  Level3OrderbookMessage,
  OrderbookMessage,
  StreamMessages,
} from './generated/types.ts';
import { LocalBook } from './local-book.ts';
import { originOf } from './nodes.ts';
import { OrderEntry } from './order-entry.ts';
import { StreamConnection, type StreamState, type WebSocketLike } from './stream-connection.ts';
import { StreamSubscription, type Subject, type SubscriptionOptions } from './subscription.ts';
import type { Transport } from './transport.ts';

export type Endpoint = 'public' | 'orders' | 'account';

export interface StreamOptions {
  /**
   * Replaces `new WebSocket(url)`, where there is none (Node 20), or to send headers, which a
   * session token needs outside browsers. With the package `ws`: `(url, headers) => new
   * WebSocket(url, { headers })`.
   */
  readonly connect?: (url: string, headers: Readonly<Record<string, string>>) => WebSocketLike;
  /** Receives every change of a connection, for logs and displays. */
  readonly onState?: (endpoint: Endpoint, state: StreamState) => void;
  /**
   * A connection that is silent for so long is replaced, ms; 25,000 unless given. The server sends
   * a heartbeat every 15,000 ms.
   */
  readonly silenceMs?: number;
}

const PATHS: Readonly<Record<Endpoint, string>> = {
  public: '/ws/v1/public',
  orders: '/ws/v1/private/orders',
  account: '/ws/v1/private/account',
};
const SILENCE_MS = 25_000;
const DEFAULT_DEPTH = 20;

type OfPair = { readonly symbol: string };

/**
 * Subscriptions throw Rejection (InvalidRequest, Forbidden, Unauthorized) and ReaderTooSlow, in
 * their loop and by `ready` and `done`.
 */
export class Streams {
  readonly #transport: Transport;
  readonly #credentials: Credentials | null;
  readonly #options: StreamOptions;
  readonly #connections = new Map<Endpoint, StreamConnection>();
  #entry: OrderEntry | null = null;

  constructor(transport: Transport, credentials: Credentials | null, options: StreamOptions = {}) {
    this.#transport = transport;
    this.#credentials = credentials;
    this.#options = options;
  }

  /** The best levels of a book, updated and verified; `depth` is 1, 5, 20 (default) or 100. */
  orderbook(request: OfPair & { readonly depth?: 1 | 5 | 20 | 100 }): LocalBook<OrderbookMessage> {
    const { symbol, depth = DEFAULT_DEPTH } = request;
    return new LocalBook(this.#subscribe('public', { channel: 'orderbook', symbol, depth }));
  }

  /** A book order by order, kept up to date and checked. */
  level3Orderbook({ symbol }: OfPair): LocalBook<Level3OrderbookMessage> {
    return new LocalBook(this.#subscribe('public', { channel: 'l3orderbook', symbol }));
  }

  /** The best bid and the best ask of a pair, and each again when one of them has changed. */
  bbo({ symbol }: OfPair): StreamSubscription<StreamMessages['bbo']> {
    return this.#subscribe('public', { channel: 'bbo', symbol });
  }

  /** The trades of a pair: first the newest hundred, then each as it happens. */
  trades({ symbol }: OfPair): StreamSubscription<StreamMessages['trades']> {
    return this.#subscribe('public', { channel: 'trades', symbol });
  }

  /** The last 24 hours of a pair, or of all, at most once a second. */
  ticker(request: Partial<OfPair> = {}): StreamSubscription<StreamMessages['ticker']> {
    return this.#subscribe('public', { channel: 'ticker', ...request });
  }

  /** The candles of a pair as they grow. */
  candles(
    request: OfPair & Pick<CandlesRequest, 'interval'>,
  ): StreamSubscription<StreamMessages['candles']> {
    return this.#subscribe('public', { channel: 'candles', ...request });
  }

  /** The instruments, and each again when its status or terms change. */
  instruments(request: Partial<OfPair> = {}): StreamSubscription<StreamMessages['instruments']> {
    return this.#subscribe('public', { channel: 'instruments', ...request });
  }

  /**
   * The account's execution reports: first the open orders, or everything after `resumeFrom`; then
   * each new one. A lost connection neither loses nor repeats any. Needs module 5.
   */
  orders(options?: SubscriptionOptions): StreamSubscription<StreamMessages['orders']> {
    return this.#subscribe('orders', { channel: 'orders' }, options);
  }

  /**
   * The present triggers of the account's trailing stops: first all, then those that move, at most
   * four times a second. After a lost connection it begins again with all. Needs module 5.
   */
  triggers(): StreamSubscription<StreamMessages['triggers']> {
    return this.#subscribe('orders', { channel: 'triggers' });
  }

  /**
   * Orders over the websocket: less work for each than over HTTP, and batches. It shares the
   * connection of `orders`. Needs module 6.
   */
  orderEntry(): OrderEntry {
    if (this.#entry !== null && !this.#entry.closed) return this.#entry;
    const connection = this.#connection('orders');
    const { clock } = this.#transport;
    const entry = new OrderEntry(clock, (seq) => this.#transport.noteSeq(seq));
    this.#entry = entry;
    // The timestamps of messages are of the server's clock.
    void this.#transport.followServer().then(() => {
      if (!entry.closed) connection.attach(entry);
    });
    return entry;
  }

  /** The account's balances: first all, then those that change. Needs module 5. */
  balances(
    options?: Pick<SubscriptionOptions, 'resumeFrom'>,
  ): StreamSubscription<StreamMessages['balances']> {
    return this.#subscribe('account', { channel: 'balances' }, options);
  }

  /**
   * The account's earn subscriptions: first all that are held, then each change. Needs module 1.
   */
  subscriptions(
    options?: Pick<SubscriptionOptions, 'resumeFrom'>,
  ): StreamSubscription<StreamMessages['subscriptions']> {
    return this.#subscribe('account', { channel: 'subscriptions' }, options);
  }

  /** The account's interest as it accrues; the first message is empty. Needs module 1. */
  interest(
    options?: Pick<SubscriptionOptions, 'resumeFrom'>,
  ): StreamSubscription<StreamMessages['interest']> {
    return this.#subscribe('account', { channel: 'interest' }, options);
  }

  /** Ends every subscription and connection, so that nothing keeps the process alive. */
  close(): void {
    this.#entry?.close();
    for (const connection of this.#connections.values()) connection.close();
    this.#connections.clear();
  }

  /** Throws InvalidArgument for a channel that already has a subscription: share that one. */
  #subscribe<C extends ChannelName>(
    endpoint: Endpoint,
    subject: Subject & { readonly channel: C },
    options?: SubscriptionOptions,
  ): StreamSubscription<StreamMessages[C]> {
    const connection = this.#connection(endpoint);
    if (connection.has({ subject })) {
      throw new InvalidArgument(`This client is subscribed to ${JSON.stringify(subject)} already.`);
    }
    const resumes = endpoint !== 'public' && subject.channel !== 'triggers';
    const made = new StreamSubscription<StreamMessages[C]>(subject, connection, resumes, options);
    connection.add(made as unknown as StreamSubscription<DataMessage>);
    return made;
  }

  #connection(endpoint: Endpoint): StreamConnection {
    const known = this.#connections.get(endpoint);
    if (known !== undefined && !known.closed) return known;
    const connection = this.#open(endpoint);
    this.#connections.set(endpoint, connection);
    return connection;
  }

  #open(endpoint: Endpoint): StreamConnection {
    const path = PATHS[endpoint];
    const access = endpoint === 'public' ? 'public' : 'private';
    const credentials = requireCredentials(access, this.#credentials);
    const { connect = openWebSocket, onState, silenceMs = SILENCE_MS } = this.#options;
    const transport = this.#transport;
    const { clock } = transport;
    const { login } = credentials;
    const request = { method: 'GET', path, query: '', body: null } as const;
    let { url } = transport;
    return new StreamConnection({
      connect: () => {
        url = transport.url;
        const target = originOf(url).replace(/^http/, 'ws') + path;
        return connect(target, login === null ? credentials.headers(request, clock) : {});
      },
      leave: () => transport.leave(url),
      noteSeq: access === 'public' ? () => {} : (seq) => transport.noteStreamSeq(seq),
      login:
        login === null
          ? null
          : async () => {
              await transport.followServer();
              return login(path, clock);
            },
      probe:
        access === 'public' || login !== null
          ? null
          : () => transport.call(calls.balances, credentials),
      correctClock: (serverTime) => clock.correct(serverTime),
      onState: (state) => onState?.(endpoint, state),
      silenceMs,
    });
  }
}

function openWebSocket(url: string): WebSocketLike {
  if (typeof globalThis.WebSocket === 'undefined') {
    throw new InvalidArgument(
      'This runtime has no WebSocket: give the client streams: { connect }, for example with ws.',
    );
  }
  return new WebSocket(url) as unknown as WebSocketLike;
}
