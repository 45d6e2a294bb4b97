// The streams of a small venue without a network: a test plays the sockets and answers for the
// views.
import { Side } from '../../src/core/fix.ts';
import { lots, ticks } from '../../src/core/units.ts';
import { Engine } from '../../src/engine/engine.ts';
import { decodeBatch } from '../../src/journal/codec.ts';
import type { Connection, Login, Socket } from '../../src/streams/connection.ts';
import { Hub } from '../../src/streams/hub.ts';
import { Streams, type StreamsOptions } from '../../src/streams/streams.ts';
import type { ViewReader } from '../../src/views/views.ts';
import { MemoryJournal } from './memory-journal.ts';
import { type OrderTerms, placeOrder, Venue } from './venue.ts';
import { appendLog } from './view-files.ts';

export const MINE: Login = {
  uid: 1,
  key: null,
  sessionId: null,
  allows: () => true,
};

/** The server's end of a websocket, as far as the streams use it. */
export class Peer {
  readonly heard: Record<string, unknown>[] = [];
  readonly closed: string[] = [];
  pings = 0;
  /** While it is false, what is sent piles up in `unread`. */
  reads = true;
  unread = 0;
  readonly #topics = new Set<string>();
  readonly #streams: Streams;
  readonly #socket: Socket;

  constructor(streams: Streams, connection: Connection) {
    this.#streams = streams;
    const close = (_code: number, reason: string): void => {
      this.closed.push(reason);
      this.leave();
    };
    this.#socket = {
      data: connection,
      send: (text: string) => this.#hear(text),
      ping: () => this.pings++,
      close,
      terminate: () => close(1006, 'cut off'),
      subscribe: (topic: string) => this.#topics.add(topic),
      unsubscribe: (topic: string) => this.#topics.delete(topic),
      getBufferedAmount: () => this.unread,
    } as unknown as Socket;
    streams.handlers.open(this.#socket);
  }

  #hear(text: string): void {
    this.heard.push(JSON.parse(text));
    if (!this.reads) this.unread += text.length;
  }

  hearPublished(topic: string, text: string): void {
    if (this.#topics.has(topic)) this.#hear(text);
  }

  say(message: object): void {
    this.#streams.handlers.message(this.#socket, JSON.stringify(message));
  }
  answerPing(): void {
    this.#streams.handlers.pong(this.#socket);
  }
  leave(): void {
    this.#streams.handlers.close(this.#socket);
  }

  of(channel: string): Record<string, unknown>[] {
    return this.heard.filter((message) => message.channel === channel && message.op === undefined);
  }
}

export class Server {
  readonly venue = new Venue();
  readonly #journal = new MemoryJournal();
  readonly #asked: ((rows: unknown[]) => void)[] = [];
  readonly #engine = new Engine({
    exchange: this.venue.exchange,
    wall: () => Date.now(),
    queueLimit: 10,
    onApplied: () => undefined,
    onFailure: () => undefined,
  });
  readonly #views = {
    query: () => new Promise((resolve) => this.#asked.push(resolve)),
  } as unknown as ViewReader;
  readonly #warn = (error: unknown): void => {
    throw error;
  };
  readonly hub = new Hub({
    engine: this.#engine,
    views: this.#views,
    dataDir: '',
    snapshotKeys: [],
    warn: this.#warn,
  });
  readonly streams: Streams;
  readonly #peers: Peer[] = [];
  readonly #settle: () => Promise<void>;

  /** `settle` runs everything that needs no time. */
  constructor(settle: () => Promise<void>, bounds: Partial<StreamsOptions> = {}) {
    this.#engine.lead({ journal: this.#journal, epoch: 1 });
    this.#settle = settle;
    this.streams = new Streams({
      engine: this.#engine,
      hub: this.hub,
      gatekeeper: {
        loginByKey: () => Promise.resolve(MINE),
        lapsed: () => null,
        arrivalOf: () => null,
      },
      orders: { receive: () => false },
      perAddress: Number.POSITIVE_INFINITY,
      perAccount: Number.POSITIVE_INFINITY,
      bytesPerSecond: 1 << 23,
      warn: this.#warn,
      ...bounds,
    });
    const publish = (topic: string, text: string): void => {
      for (const peer of this.#peers) peer.hearPublished(topic, text);
    };
    this.streams.attach({ publish });
  }

  /** A connection without a login is public. */
  join(login: Login | null = null, address = '::1'): Peer {
    const path = login === null ? '/ws/v1/public' : '/ws/v1/private/orders';
    const peer = new Peer(this.streams, this.streams.admit(path, address, address, login));
    this.#peers.push(peer);
    return peer;
  }

  /** Applies an order of user 1; `hub.flush` sends its messages. */
  apply(order: Partial<OrderTerms> = {}): void {
    this.venue.send(
      placeOrder({ uid: 1, side: Side.buy, price: ticks(1), orderQty: lots(1), ...order }),
    );
    this.hub.receiveEvents(this.venue.events);
  }

  /** Like `apply`, for an order that is canceled if it still rests. */
  cancel(orderId: number): void {
    const names = { orderId, origClOrdId: '', clOrdId: '' };
    const command = { type: 'cancelOrder', uid: 1, signature: null, idempotency: null } as const;
    this.venue.send({ ...command, ...names });
    this.hub.receiveEvents(this.venue.events);
  }

  /** The views answer all queries with these rows. */
  async answer(rows: unknown[] = []): Promise<void> {
    while (this.#asked.length > 0) {
      this.#asked.shift()!(rows);
      await this.#settle();
    }
  }

  /** The types of the submitted commands that are in the journal. */
  async submitted(): Promise<string[]> {
    await this.#settle();
    const types: string[] = [];
    for await (const records of this.#journal.read(this.venue.log.length + 1)) {
      for (const { payload } of records) {
        types.push(...decodeBatch(payload).commands.map(({ type }) => type));
      }
    }
    return types;
  }

  async write(): Promise<this> {
    await appendLog(this.#journal, this.venue.log);
    return this;
  }
}
