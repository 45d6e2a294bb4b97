// Owns the open channels and user feeds, and feeds them with the core's events and with ticks.
import type { JsonOut } from '../../contract/json.ts';
import type { CoreEvent } from '../../core/event.ts';
import type { EngineObserver } from '../../engine/engine.ts';
import { requireChannel } from '../../streams/admission.ts';
import type { Connection, Subscription } from '../../streams/connection.ts';
import { Channel, streamOf, TICK_MS } from './channels.ts';
import type { Venue } from './endpoint.ts';
import { UserFeed } from './user-data.ts';

/** A place in a channel, for the limits of the connection and its payer. */
const placeOf = (end: () => void): Subscription => ({
  // The channel list of agio's own heartbeats is not for these connections.
  subject: { channel: 'trades', symbol: null, depth: null, interval: null },
  seq: 0,
  sentSeq: 0,
  conflates: false,
  end,
  pause() {},
  resume() {},
});

const keyOf = (name: string): string => `binance/${name}`;
/** The part of a key that is not the name of a market stream. */
const USER = 'user/';
const TICKS_PER_SECOND = 10;

export class StreamHub implements EngineObserver {
  readonly #venue: Venue;
  readonly #channels = new Map<string, Channel>();
  readonly #feeds = new Map<number, UserFeed>();
  #timer: ReturnType<typeof setInterval> | null = null;
  #ticks = 0;
  #isScheduled = false;
  /** Called each second while anything is open. */
  onSecond: () => void = () => {};

  constructor(venue: Venue) {
    this.#venue = venue;
    venue.services.engine.observe(this);
  }

  get #isIdle(): boolean {
    return this.#channels.size === 0 && this.#feeds.size === 0;
  }

  receiveEvents(events: readonly CoreEvent[]): void {
    if (this.#isIdle) return;
    for (const event of events) {
      if (event.type === 'trade') this.#receiveTrade(event);
      else if ('uid' in event) this.#feeds.get(event.uid)?.receive(event);
    }
  }

  #receiveTrade(trade: Extract<CoreEvent, { type: 'trade' }>): void {
    for (const channel of this.#channels.values()) {
      if (channel.securityId === trade.securityId) channel.receive(trade);
    }
    this.#feeds.get(trade.makerUid)?.receive(trade);
    if (trade.takerUid !== trade.makerUid) this.#feeds.get(trade.takerUid)?.receive(trade);
  }

  /** The messages follow the answers to the batch's calls. */
  receiveApplied(): void {
    if (this.#isScheduled || this.#isIdle) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#runAll(this.#channels, (channel) => channel.flush());
      this.#runAll(this.#feeds, (feed) => feed.flush());
      // A mass cancel has thousands of reports: others are served between two turns.
      if (this.#feeds.values().some(({ waiting }) => waiting > 0)) this.receiveApplied();
    });
  }

  failed(error: unknown): void {
    this.#venue.services.log.error({ err: error }, 'a Binance stream failed');
  }

  /** A fault in one stream ends that stream only. */
  #runAll<K, S extends { close(): void }>(streams: Map<K, S>, work: (stream: S) => void): void {
    for (const [key, stream] of streams) {
      try {
        work(stream);
      } catch (error) {
        this.failed(error);
        streams.delete(key);
        stream.close();
      }
    }
  }

  /** True if there is such a stream. Throws Problem tooManyChannels. */
  subscribe(connection: Connection, sent: string, isCombined: boolean): boolean {
    const stream = streamOf(this.#venue, sent);
    if (stream === null) return false;
    const { name } = stream;
    if (connection.subscriptions.has(keyOf(name))) return true;
    requireChannel(connection);
    const channel = this.#channels.get(name) ?? new Channel(this.#venue, stream);
    channel.add(connection, isCombined);
    this.#join(connection, keyOf(name), this.#channels, name, channel, () => {
      channel.remove(connection);
      connection.withdraw(channel);
    });
    return true;
  }

  /** Sends an account's messages to a connection. Throws Problem tooManyChannels. */
  subscribeUser(
    connection: Connection,
    uid: number,
    name: string,
    deliver: (message: JsonOut) => void,
  ): void {
    const key = keyOf(USER + name);
    if (connection.subscriptions.has(key)) return;
    requireChannel(connection);
    const feed = this.#feeds.get(uid) ?? new UserFeed(this.#venue, uid);
    feed.add(deliver);
    this.#join(connection, key, this.#feeds, uid, feed, () => feed.remove(deliver));
  }

  /** Keeps a stream open until its last member has left. */
  #join<K, S extends { readonly isEmpty: boolean; close(): void }>(
    connection: Connection,
    key: string,
    streams: Map<K, S>,
    name: K,
    stream: S,
    leave: () => void,
  ): void {
    streams.set(name, stream);
    const end = () => {
      leave();
      if (stream.isEmpty && streams.get(name) === stream) {
        streams.delete(name);
        stream.close();
      }
      if (!this.#isIdle || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
    connection.addSubscription(key, placeOf(end));
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
  }

  unsubscribe(connection: Connection, sent: string): void {
    connection.end(keyOf(streamOf(this.#venue, sent)?.name ?? sent));
  }

  unsubscribeUser(connection: Connection, name: string): void {
    connection.end(keyOf(USER + name));
  }

  hasUser({ subscriptions }: Connection, name: string): boolean {
    return subscriptions.has(keyOf(USER + name));
  }

  /** The names of the market streams of a connection. */
  namesOf({ subscriptions }: Connection): string[] {
    const names = [...subscriptions.keys()].map((key) => key.slice(keyOf('').length));
    return names.filter((name) => !name.startsWith(USER));
  }

  #tick(): void {
    this.#ticks++;
    this.#runAll(this.#channels, (channel) => channel.tick(this.#ticks));
    if (this.#ticks % TICKS_PER_SECOND === 0) this.onSecond();
  }
}
