// Owns the open channels and user feeds, and feeds them with the core's events and with ticks.
import type { CoreEvent } from '../../core/event.ts';
import type { EngineObserver } from '../../engine/engine.ts';
import { requireChannel } from '../../streams/admission.ts';
import type { Connection, Subscription } from '../../streams/connection.ts';
import { channelOf } from './channel-names.ts';
import { type Channel, type ChannelHost, TICK_MS } from './channels.ts';
import { type Deliver, UserFeed } from './user-data.ts';

/** The channel list of agio's own heartbeats is not for these connections. */
const SUBJECT = { channel: 'trades', symbol: null, depth: null, interval: null } as const;

/** A place in a channel, for the limits of the connection and its payer. */
class Place implements Subscription {
  readonly subject = SUBJECT;
  readonly seq = 0;
  readonly sentSeq = 0;
  readonly conflates = false;
  readonly end: () => void;

  constructor(end: () => void) {
    this.end = end;
  }

  pause(): void {}
  resume(): void {}
}

const keyOf = (name: string): string => `binance/${name}`;
/** The part of a key that is not the name of a market stream. */
const USER = 'user/';

export class StreamHub implements EngineObserver {
  readonly #host: ChannelHost;
  readonly #channels = new Map<string, Channel>();
  readonly #feeds = new Map<number, UserFeed>();
  #timer: ReturnType<typeof setInterval> | null = null;
  #ticks = 0;
  #isScheduled = false;
  /** Called each second while anything is open. */
  onSecond: () => void = () => {};

  constructor(host: ChannelHost) {
    this.#host = host;
    host.services.engine.observe(this);
  }

  get size(): number {
    return this.#channels.size + this.#feeds.size;
  }

  receiveEvents(events: readonly CoreEvent[]): void {
    if (this.size === 0) return;
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
    if (this.#isScheduled || this.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      for (const channel of this.#channels.values()) this.#guarded(channel, () => channel.flush());
      for (const feed of this.#feeds.values()) this.#guarded(feed, () => feed.flush());
    });
  }

  failed(error: unknown): void {
    this.#host.services.log.error({ err: error }, 'a Binance stream failed');
  }

  /** A fault in one stream ends that stream only. */
  #guarded(one: Channel | UserFeed, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.failed(error);
      if (one instanceof UserFeed) this.#feeds.delete(one.uid);
      else this.#channels.delete(one.name);
      one.close();
    }
  }

  /** True if there is such a stream. Throws Problem tooManyChannels. */
  subscribe(connection: Connection, name: string, isCombined: boolean): boolean {
    if (connection.subscriptions.has(keyOf(name))) return true;
    requireChannel(connection);
    const channel = this.#channels.get(name) ?? channelOf(this.#host, name);
    if (channel === null) return false;
    this.#channels.set(name, channel);
    channel.add(connection, isCombined);
    connection.addSubscription(
      keyOf(name),
      new Place(() => {
        channel.remove(connection);
        connection.withdraw(channel);
        if (channel.isEmpty && this.#channels.get(name) === channel) {
          this.#channels.delete(name);
          channel.close();
        }
        this.#rest();
      }),
    );
    this.#start();
    return true;
  }

  unsubscribe(connection: Connection, name: string): void {
    connection.end(keyOf(name));
  }

  /** The names of the market streams of a connection. */
  namesOf({ subscriptions }: Connection): string[] {
    const names = [...subscriptions.keys()].map((key) => key.slice(keyOf('').length));
    return names.filter((name) => !name.startsWith(USER));
  }

  /** Sends an account's messages to a connection. Throws Problem tooManyChannels. */
  subscribeUser(connection: Connection, uid: number, name: string, deliver: Deliver): void {
    const key = keyOf(USER + name);
    if (connection.subscriptions.has(key)) return;
    requireChannel(connection);
    const { engine } = this.#host.services;
    const feed =
      this.#feeds.get(uid) ?? new UserFeed(uid, engine.exchange.state, this.#host.symbols);
    this.#feeds.set(uid, feed);
    feed.add(deliver);
    connection.addSubscription(
      key,
      new Place(() => {
        feed.remove(deliver);
        if (feed.isEmpty && this.#feeds.get(uid) === feed) {
          this.#feeds.delete(uid);
          feed.close();
        }
        this.#rest();
      }),
    );
    this.#start();
  }

  unsubscribeUser(connection: Connection, name: string): void {
    connection.end(keyOf(USER + name));
  }

  #start(): void {
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
  }

  #rest(): void {
    if (this.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #tick(): void {
    this.#ticks++;
    for (const channel of this.#channels.values()) {
      this.#guarded(channel, () => channel.tick(this.#ticks));
    }
    if (this.#ticks % TICKS_PER_SECOND === 0) this.onSecond();
  }
}

const TICKS_PER_SECOND = 10;
