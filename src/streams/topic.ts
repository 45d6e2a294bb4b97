// A public channel of one subject: everyone who listens to it hears the same messages, written once. Whoever joins gets a
// snapshot that ends exactly where the next message begins.

import type { Subject } from '../contract/stream.ts';
import { dataMessage, subjectText } from '../contract/stream-messages.ts';
import type { State } from '../core/state.ts';
import type { ViewReader } from '../views/views.ts';
import { Close, type Connection, keyOf, type Subscription } from './connection.ts';
import { MAX_REST_MS } from './limits.ts';

/** What a topic needs of its surroundings. */
export interface TopicHost {
  readonly state: State;
  readonly views: ViewReader;
  /** Business time now, ms. */
  readonly now: number;
  /** Hands a text to all that have joined the topic. */
  publish(topic: string, text: string): void;
  /** Something that needs to be told to an operator has failed. */
  warn(error: unknown): void;
}

export abstract class Topic {
  readonly subject: Subject;
  readonly name: string;
  /** Books: a reader that lags is given a snapshot. */
  readonly conflates: boolean = false;
  protected readonly host: TopicHost;
  readonly #head: string;
  readonly #members = new Set<Connection>();
  /** Who gets a snapshot as soon as there is one. */
  readonly #waiting = new Set<Connection>();
  #lastSeq: number;
  #lastTime: number;
  readonly #openedAt = performance.now();

  constructor(host: TopicHost, subject: Subject) {
    this.host = host;
    this.subject = subject;
    this.name = keyOf(subject);
    this.#head = subjectText(subject);
    this.#lastSeq = host.state.seq;
    this.#lastTime = host.state.time;
  }

  /** Subscriptions to it, also those that pause. */
  users = 0;

  /** How long it is to be kept although nobody listens, so that who asks again and again opens it a few times a second at most. */
  get staysFor(): number {
    return Math.max(0, this.#openedAt + MAX_REST_MS - performance.now());
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Sends what has changed since the last message, if anything, to those who listen. */
  abstract flush(): void;

  /** The members of a snapshot as JSON text that begins with a comma; null where it has to be waited for. */
  protected abstract snapshot(): string | null;

  /** Nobody listens any more. */
  abstract close(): void;

  add(connection: Connection): void {
    this.flush();
    const snapshot = this.snapshot();
    if (snapshot === null) this.wait(connection);
    else this.#admit(connection, snapshot);
  }

  /** Until `admitWaiting`. */
  protected wait(connection: Connection): void {
    this.#waiting.add(connection);
  }

  remove(connection: Connection): void {
    this.#waiting.delete(connection);
    if (this.#members.delete(connection)) connection.leave(this.name);
  }

  /** Gives those who wait the snapshot that is there now. */
  protected admitWaiting(): void {
    if (this.#waiting.size === 0) return;
    const snapshot = this.snapshot();
    if (snapshot === null) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const connection of waiting) this.#admit(connection, snapshot);
  }

  #admit(connection: Connection, members: string): void {
    const frame = {
      type: 'snapshot',
      seq: this.#lastSeq,
      prevSeq: null,
      transactTime: this.#lastTime,
    } as const;
    connection.send(dataMessage(this.#head, frame, members));
    connection.join(this.name);
    this.#members.add(connection);
  }

  /** No snapshot can be made: whoever waits for one is told to try again. */
  protected fail(error: unknown): void {
    this.host.warn(error);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const connection of waiting) {
      connection.close(Close.tryAgainLater, `no snapshot of ${this.subject.channel} just now`);
    }
  }

  /** The state that is told is that of `seq` at `time`, by default the present one. */
  protected update(members: string, seq = this.host.state.seq, time = this.host.state.time): void {
    const frame = { type: 'update', seq, prevSeq: this.#lastSeq, transactTime: time } as const;
    if (this.#members.size > 0) {
      this.host.publish(this.name, dataMessage(this.#head, frame, members));
    }
    this.#lastSeq = seq;
    this.#lastTime = time;
  }
}

/** A connection's place in a topic. */
export class TopicSubscription implements Subscription {
  readonly #topic: Topic;
  readonly #connection: Connection;
  readonly #left: (topic: Topic) => void;

  /** `left` is called when the connection has gone out of the topic for good. */
  constructor(topic: Topic, connection: Connection, left: (topic: Topic) => void) {
    this.#topic = topic;
    this.#connection = connection;
    this.#left = left;
    topic.users++;
    if (!connection.putOff(this)) topic.add(connection);
  }

  get subject(): Subject {
    return this.#topic.subject;
  }
  get seq(): number {
    return this.#topic.lastSeq;
  }
  get conflates(): boolean {
    return this.#topic.conflates;
  }

  end(): void {
    this.#topic.remove(this.#connection);
    this.#topic.users--;
    this.#left(this.#topic);
  }

  pause(): void {
    this.#topic.remove(this.#connection);
  }

  resume(): void {
    this.#topic.add(this.#connection);
  }
}
