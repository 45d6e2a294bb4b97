// The hub: who listens to what. It sees what the engine does, tells the topics and the accounts
// that have listeners, and flushes them after each batch, behind the answers of the calls that the
// batch carried.
import type { Server } from 'bun';
import type { Subject } from '../contract/streams/requests.ts';
import { instrumentOf } from '../contract/streams/requests.ts';
import type { CoreEvent, Trade } from '../core/event.ts';
import type { State } from '../core/state.ts';
import type { Engine, EngineObserver } from '../engine/engine.ts';
import type { SnapshotKey } from '../engine/snapshot-store.ts';
import type { ViewReader } from '../views/views.ts';
import { BookTopic, Level2Topic } from './book-topics.ts';
import { type Connection, keyOf } from './connection.ts';
import { InstrumentTopic } from './instrument-topic.ts';
import { Level3Topic } from './level3-topic.ts';
import { fanOutRest } from './limits.ts';
import { Owner, type OwnerHost, OwnSubscription } from './owner.ts';
import { isOwn } from './owner-feed.ts';
import { CandleTopic, TickerTopic } from './polled-topics.ts';
import { Resumptions } from './resume.ts';
import { type Topic, type TopicHost, TopicSubscription } from './topic.ts';
import { TradeTopic } from './trade-topic.ts';
import { Turns } from './turns.ts';

export interface HubOptions {
  readonly engine: Engine;
  readonly views: ViewReader;
  readonly dataDir: string;
  readonly snapshotKeys: readonly SnapshotKey[];
  /** Something has failed that a client was told of as little as possible. */
  readonly warn: (error: unknown) => void;
}

export class Hub implements EngineObserver, TopicHost, OwnerHost {
  readonly state: State;
  readonly views: ViewReader;
  readonly dataDir: string;
  readonly snapshotKeys: readonly SnapshotKey[];
  readonly resumptions = new Resumptions();
  readonly turns: Turns;
  readonly warn: (error: unknown) => void;
  readonly #engine: Engine;
  readonly #topics = new Map<string, Topic>();
  readonly #books = new Set<BookTopic>();
  /** By securityId. */
  readonly #tradeTopics = new Map<number, Set<TradeTopic | CandleTopic>>();
  readonly #owners = new Map<number, Owner>();
  /** Owners with something to tell. */
  readonly #unflushed = new Set<Owner>();
  /** Topics without subscribers, which stay until they have rested. */
  readonly #kept = new Map<Topic | Owner, ReturnType<typeof setTimeout>>();
  /** Times that a stream was given up because of a fault. */
  failures = 0;
  /** Ends the connections that a failed stream concerns; set by those who have them. */
  closeWhere: (concerned: (connection: Connection) => boolean) => void = () => {};
  #server: Server<Connection> | null = null;
  #flushing = false;
  #bookTimer: ReturnType<typeof setTimeout> | null = null;
  /** No book is sent before this time of performance.now(). */
  #booksRestUntil = 0;

  constructor({ engine, views, dataDir, snapshotKeys, warn }: HubOptions) {
    this.#engine = engine;
    this.state = engine.exchange.state;
    this.views = views;
    this.dataDir = dataDir;
    this.snapshotKeys = snapshotKeys;
    this.warn = warn;
    this.turns = new Turns(warn);
    engine.observe(this);
  }

  /** Before it, nobody can have joined. */
  attach(server: Server<Connection>): void {
    this.#server = server;
  }

  get now(): number {
    return this.#engine.now;
  }

  publish(topic: string, text: string): void {
    this.#server?.publish(topic, text);
  }

  receiveEvents(events: readonly CoreEvent[]): void {
    for (const event of events) {
      if (isOwn(event)) {
        const owner = this.#owners.get(event.uid);
        if (owner === undefined) continue;
        this.#unflushed.add(owner);
        this.#guarded(owner, () => owner.see(event));
      } else if (event.type === 'trade') {
        this.#seeTrade(event);
      } else if (event.type === 'instrumentChanged') {
        for (const topic of this.#topics.values()) {
          if (topic instanceof InstrumentTopic) this.#guarded(topic, () => topic.see(event));
        }
      }
    }
  }

  #seeTrade(trade: Trade): void {
    for (const topic of this.#tradeTopics.get(trade.securityId) ?? []) {
      this.#guarded(topic, () => topic.see(trade));
    }
  }

  /** A fault in one stream ends that stream, and nothing besides. */
  #guarded(one: Topic | Owner, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.failures++;
      this.warn(error);
      this.#drop(one);
    }
  }

  failed(error: unknown): void {
    this.failures++;
    this.warn(error);
    for (const one of [...this.#topics.values(), ...this.#owners.values()]) this.#drop(one);
  }

  /** Forgets a topic or an account, whose listeners have to begin again with a new one. */
  #drop(one: Topic | Owner): void {
    try {
      one.close();
    } catch (error) {
      this.warn(error);
    }
    if (one instanceof Owner) {
      if (this.#owners.get(one.uid) === one) this.#owners.delete(one.uid);
      this.#unflushed.delete(one);
      this.closeWhere(({ endpoint, login }) => endpoint !== 'public' && login?.uid === one.uid);
    } else {
      if (this.#topics.get(one.name) === one) this.#forget(one);
      this.closeWhere(({ subscriptions }) => subscriptions.has(one.name));
    }
  }

  receiveApplied(): void {
    if (this.#flushing || (this.#topics.size === 0 && this.#owners.size === 0)) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      this.flush();
    });
  }

  /** Tells everything that is due. */
  flush(): void {
    for (const owner of this.#unflushed) this.#guarded(owner, () => owner.flush());
    this.#unflushed.clear();
    for (const topic of this.#topics.values()) {
      if (!(topic instanceof BookTopic)) this.#guarded(topic, () => topic.flush());
    }
    this.#flushBooks();
  }

  /**
   * Books that were sent a moment ago wait, the longer the more connections listen; one timer wakes
   * for the first of them.
   */
  #flushBooks(): void {
    if (this.#books.size === 0) return;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    let messages = 0;
    for (const book of this.#books) {
      if (book.dueAt === null) continue;
      const dueAt = Math.max(book.dueAt, this.#booksRestUntil);
      if (dueAt <= now) {
        messages += book.listeners;
        this.#guarded(book, () => book.flush());
      } else if (dueAt < next) {
        next = dueAt;
      }
    }
    if (messages > 0) this.#booksRestUntil = now + fanOutRest(messages);
    if (next === Number.POSITIVE_INFINITY || this.#bookTimer !== null) return;
    this.#bookTimer = setTimeout(
      () => {
        this.#bookTimer = null;
        this.#flushBooks();
      },
      Math.ceil(next - now),
    );
  }

  /**
   * Joins a public channel. Throws Problem unknownSymbol; call `checkSubject` before anything is
   * said.
   */
  listen(connection: Connection, subject: Subject): void {
    const key = keyOf(subject);
    const topic = this.#topics.get(key) ?? this.#open(key, subject);
    const left = (of: Topic) => this.#close(of);
    connection.enter(key, new TopicSubscription(topic, connection, left));
  }

  checkSubject(subject: Subject): void {
    instrumentOf(this.state, subject);
  }

  #open(key: string, subject: Subject): Topic {
    const topic = this.#make(subject);
    this.#topics.set(key, topic);
    if (topic instanceof BookTopic) this.#books.add(topic);
    if (topic instanceof TradeTopic || topic instanceof CandleTopic) {
      const { securityId } = topic;
      const others = this.#tradeTopics.get(securityId) ?? new Set();
      this.#tradeTopics.set(securityId, others.add(topic));
    }
    return topic;
  }

  #make(subject: Subject): Topic {
    const instrument = instrumentOf(this.state, subject);
    switch (subject.channel) {
      case 'ticker':
        return new TickerTopic(this, subject, instrument);
      case 'instruments':
        return new InstrumentTopic(this, subject, instrument);
      case 'orderbook':
        return new Level2Topic(this, subject, instrument!);
      case 'l3orderbook':
        return new Level3Topic(this, subject, instrument!);
      case 'trades':
        return new TradeTopic(this, subject, instrument!);
      case 'candles':
        return new CandleTopic(this, subject, instrument!);
      default:
        throw new TypeError(`${subject.channel} is no public channel`);
    }
  }

  #close(topic: Topic): void {
    if (topic.users > 0 || this.#topics.get(topic.name) !== topic) return;
    if (this.#isKept(topic, () => this.#close(topic))) return;
    topic.close();
    this.#forget(topic);
  }

  #forget(topic: Topic): void {
    this.#topics.delete(topic.name);
    if (topic instanceof BookTopic) this.#books.delete(topic);
    if (topic instanceof TradeTopic || topic instanceof CandleTopic) {
      this.#tradeTopics.get(topic.securityId)?.delete(topic);
    }
  }

  /** A subscription to a channel of an account, which has not begun. */
  listenOwn(connection: Connection, uid: number, subject: Subject): OwnSubscription {
    let owner = this.#owners.get(uid);
    if (owner === undefined) {
      owner = new Owner(uid, this);
      this.#owners.set(uid, owner);
    }
    const left = (of: Owner) => this.#leave(of);
    const subscription = new OwnSubscription(owner, connection, subject, left);
    connection.enter(keyOf(subject), subscription);
    return subscription;
  }

  #leave(owner: Owner): void {
    if (!owner.isEmpty || this.#owners.get(owner.uid) !== owner) return;
    if (this.#isKept(owner, () => this.#leave(owner))) return;
    owner.close();
    this.#owners.delete(owner.uid);
    this.#unflushed.delete(owner);
  }

  /**
   * A topic that worked a moment ago stays for a while, even without subscribers; `again` is then
   * called.
   */
  #isKept(one: Topic | Owner, again: () => void): boolean {
    if (this.#kept.has(one)) return true;
    const { staysFor } = one;
    if (staysFor <= 0) return false;
    const timer = setTimeout(() => {
      this.#kept.delete(one);
      again();
    }, Math.ceil(staysFor));
    this.#kept.set(one, timer);
    return true;
  }

  close(): void {
    for (const timer of this.#kept.values()) clearTimeout(timer);
    if (this.#bookTimer !== null) clearTimeout(this.#bookTimer);
    this.resumptions.close();
    this.turns.close();
  }
}
