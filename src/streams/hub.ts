// The hub owns the open topics and accounts. It passes the engine's events to those that have
// subscribers, and sends their messages after each batch, behind the answers to the batch's calls:
// a bounded number in each turn of the event loop, so that orders never wait for all of them.
import { instrumentOf, type Subject } from '../contract/streams/requests.ts';
import type { CoreEvent } from '../core/event.ts';
import type { State } from '../core/state.ts';
import type { Engine, EngineObserver } from '../engine/engine.ts';
import type { SnapshotKey } from '../engine/snapshot-store.ts';
import type { ViewReader } from '../views/views.ts';
import { BboTopic, BookTopic, Level2Topic } from './book-topics.ts';
import { type Connection, keyOf } from './connection.ts';
import { InstrumentTopic, TradeTopic } from './event-topics.ts';
import { Level3Topic } from './level3-topic.ts';
import { fanOutRest, MAX_WAITING_CHANGES, TURN_ROWS } from './limits.ts';
import { Owner, type OwnerHost, OwnSubscription } from './owner.ts';
import { isOwn } from './owner-feed.ts';
import { CandleTopic, TickerTopic } from './polled-topics.ts';
import { Resumptions } from './resume.ts';
import { type Topic, type TopicHost, TopicSubscription } from './topic.ts';
import { Turns } from './turns.ts';

export interface HubOptions {
  readonly engine: Engine;
  readonly views: ViewReader;
  readonly dataDir: string;
  readonly snapshotKeys: readonly SnapshotKey[];
  /** Reports a fault to the operator. */
  readonly warn: (error: unknown) => void;
}

/** Its messages are made of events. */
type EventStream = Owner | TradeTopic | InstrumentTopic;

/** Sends a text to all members of a topic. */
export interface Publisher {
  publish(topic: string, text: string): void;
}

export class Hub implements EngineObserver, TopicHost, OwnerHost {
  readonly state: State;
  readonly views: ViewReader;
  readonly resumptions: Resumptions;
  readonly turns: Turns;
  readonly warn: (error: unknown) => void;
  readonly #engine: Engine;
  readonly #topics = new Map<string, Topic>();
  readonly #books = new Set<BookTopic>();
  /** By securityId. */
  readonly #tradeTopics = new Map<number, Set<TradeTopic | CandleTopic>>();
  readonly #owners = new Map<number, Owner>();
  /** Topics and accounts with messages to send; they take turns. */
  readonly #unsent = new Set<EventStream>();
  /** Topics and accounts without subscribers, which close later. */
  readonly #lingering = new Map<Topic | Owner, ReturnType<typeof setTimeout>>();
  /** Streams that ended because of a fault. */
  failures = 0;
  /** Closes the connections of a failed stream; set by the owner of the connections. */
  closeWhere: (concerned: (connection: Connection) => boolean) => void = () => {};
  #publisher: Publisher | null = null;
  #isScheduled = false;
  /** The last turn has left messages to the next one. */
  #isBehind = false;
  #bookTimer: ReturnType<typeof setTimeout> | null = null;
  /** No book is sent before this time of performance.now(). */
  #booksRestUntil = 0;

  constructor({ engine, views, dataDir, snapshotKeys, warn }: HubOptions) {
    this.#engine = engine;
    this.state = engine.exchange.state;
    this.views = views;
    this.resumptions = new Resumptions({ dataDir, snapshotKeys });
    this.warn = warn;
    this.turns = new Turns(warn);
    engine.observe(this);
  }

  /** Called before the first connection joins. */
  attach(publisher: Publisher): void {
    this.#publisher = publisher;
  }

  get now(): number {
    return this.#engine.now;
  }

  publish(topic: string, text: string): void {
    this.#publisher?.publish(topic, text);
  }

  receiveEvents(events: readonly CoreEvent[]): void {
    for (const event of events) {
      if (isOwn(event)) {
        const owner = this.#owners.get(event.uid);
        if (owner === undefined) continue;
        this.#unsent.add(owner);
        this.#guarded(owner, () => owner.receive(event));
      } else if (event.type === 'trade') {
        for (const topic of this.#tradeTopics.get(event.securityId) ?? []) {
          if (topic instanceof TradeTopic) this.#unsent.add(topic);
          this.#guarded(topic, () => topic.receive(event));
        }
      } else if (event.type === 'instrumentChanged') {
        for (const topic of this.#topics.values()) {
          if (!(topic instanceof InstrumentTopic)) continue;
          this.#unsent.add(topic);
          this.#guarded(topic, () => topic.receive(event));
        }
      }
    }
  }

  /** A fault in one stream ends that stream only. */
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

  /** Drops a topic or an account; its subscribers connect again and open a new one. */
  #drop(one: Topic | Owner): void {
    try {
      one.close();
    } catch (error) {
      this.warn(error);
    }
    if (one instanceof Owner) {
      if (this.#owners.get(one.uid) === one) this.#owners.delete(one.uid);
      this.#unsent.delete(one);
      this.closeWhere(({ endpoint, login }) => endpoint !== 'public' && login?.uid === one.uid);
    } else {
      if (this.#topics.get(one.name) === one) this.#forget(one);
      this.closeWhere(({ subscriptions }) => subscriptions.has(one.name));
    }
  }

  receiveApplied(): void {
    if (this.#isScheduled || (this.#topics.size === 0 && this.#owners.size === 0)) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send(TURN_ROWS);
    });
  }

  /** Sends what waits, without a turn of its own; a little at most, or what `rows` allows. */
  flush(rows = this.#isBehind ? 0 : TURN_ROWS): void {
    this.#send(rows);
  }

  #send(rows: number): void {
    let waiting = 0;
    for (const one of this.#unsent) waiting += one.waiting;
    let cost = 0;
    for (const one of this.#unsent) {
      if (cost >= rows && waiting <= MAX_WAITING_CHANGES) break;
      this.#unsent.delete(one);
      this.#guarded(one, () => {
        const before = one.waiting;
        cost += one.sendNext();
        waiting -= before - one.waiting;
        // Behind the others, which this loop then comes to first.
        if (one.waiting > 0) this.#unsent.add(one);
      });
    }
    this.#isBehind = this.#unsent.size > 0;
    if (this.#isBehind) this.receiveApplied();
    this.#flushBooks();
  }

  /**
   * A book pauses after each message, longer with more members. One timer wakes for the first book
   * that is due.
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
        messages += book.memberCount;
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

  /** Joins a public channel. Throws Problem unknownSymbol; `requireSubject` checks in advance. */
  subscribe(connection: Connection, subject: Subject): void {
    const key = keyOf(subject);
    const topic = this.#topics.get(key) ?? this.#open(key, subject);
    connection.addSubscription(
      key,
      new TopicSubscription(topic, connection, (of) => this.#close(of)),
    );
  }

  requireSubject(subject: Subject): void {
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
      case 'bbo':
        return new BboTopic(this, subject, instrument!);
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
    if (this.#lingers(topic, () => this.#close(topic))) return;
    topic.close();
    this.#forget(topic);
  }

  #forget(topic: Topic): void {
    this.#topics.delete(topic.name);
    if (topic instanceof BookTopic) this.#books.delete(topic);
    if (topic instanceof TradeTopic || topic instanceof InstrumentTopic) this.#unsent.delete(topic);
    if (topic instanceof TradeTopic || topic instanceof CandleTopic) {
      this.#tradeTopics.get(topic.securityId)?.delete(topic);
    }
  }

  /** A subscription to a channel of an account; the caller begins it. */
  subscribeOwn(connection: Connection, uid: number, subject: Subject): OwnSubscription {
    const owner = this.#owners.getOrInsertComputed(uid, () => new Owner(uid, this));
    const onEnd = (of: Owner) => this.#closeOwner(of);
    const subscription = new OwnSubscription(owner, connection, subject, onEnd);
    connection.addSubscription(keyOf(subject), subscription);
    return subscription;
  }

  #closeOwner(owner: Owner): void {
    if (!owner.isEmpty || this.#owners.get(owner.uid) !== owner) return;
    if (this.#lingers(owner, () => this.#closeOwner(owner))) return;
    owner.close();
    this.#owners.delete(owner.uid);
    this.#unsent.delete(owner);
  }

  /** True if it stays for a while without subscribers; `closeLater` is called after that time. */
  #lingers(one: Topic | Owner, closeLater: () => void): boolean {
    if (this.#lingering.has(one)) return true;
    const { lingerMs } = one;
    if (lingerMs <= 0) return false;
    const timer = setTimeout(() => {
      this.#lingering.delete(one);
      closeLater();
    }, Math.ceil(lingerMs));
    this.#lingering.set(one, timer);
    return true;
  }

  close(): void {
    for (const timer of this.#lingering.values()) clearTimeout(timer);
    if (this.#bookTimer !== null) clearTimeout(this.#bookTimer);
    this.resumptions.close();
    this.turns.close();
  }
}
