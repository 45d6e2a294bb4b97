// A public channel of one subject: all its members get the same messages, written once. A
// connection that joins gets a snapshot that ends exactly where the next message begins.

import { dataMessage, subjectText } from '../contract/streams/messages.ts';
import type { Subject } from '../contract/streams/requests.ts';
import type { State } from '../core/state.ts';
import type { ViewReader } from '../views/views.ts';
import type { Payer } from './budget.ts';
import { Close, type Connection, keyOf, type Subscription } from './connection.ts';
import { BULK_TEXT, MAX_REST_MS, SPREAD_BYTES } from './limits.ts';
import type { Turns } from './turns.ts';

export interface StreamHost {
  readonly state: State;
  readonly views: ViewReader;
  readonly turns: Turns;
  /** Reports a fault to the operator. */
  warn(error: unknown): void;
}

export interface TopicHost extends StreamHost {
  /** Business time now, ms. */
  readonly now: number;
  /** Sends a text to all members of the topic. */
  publish(topic: string, text: string): void;
}

/** A message on its way to connections that are no members yet, and the updates that follow it. */
interface Round {
  readonly text: string;
  readonly connections: Set<Connection>;
  readonly updates: string[];
  size: number;
  /** Another snapshot follows instead of updates. */
  isOutdated: boolean;
}

/** The position of a snapshot. */
export interface Mark {
  readonly seq: number;
  readonly time: number;
}

export abstract class Topic {
  readonly subject: Subject;
  readonly name: string;
  /** Books: a slow reader gets a new snapshot instead of every change. */
  readonly conflates: boolean = false;
  protected readonly host: TopicHost;
  readonly #head: string;
  readonly #members = new Set<Connection>();
  /** These connections get a snapshot as soon as there is one. */
  readonly #waiting = new Set<Connection>();
  /** These connections are being sent one. */
  readonly #joining = new Map<Connection, Round>();
  readonly #rounds = new Set<Round>();
  /** The last snapshot, until the next update. */
  #latest: { readonly members: string; readonly round: Round } | null = null;
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

  get memberCount(): number {
    return this.#members.size;
  }

  /** How long it stays without users, so that a client opens it a few times a second at most. */
  get lingerMs(): number {
    return Math.max(0, this.#openedAt + MAX_REST_MS - performance.now());
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** See Subscription.sentSeq: all changes were sent, except those of a book in progress. */
  get sentSeq(): number {
    return this.host.state.seq;
  }

  /** Sends the changes since the last message, if any, to the members. */
  abstract flush(): void;

  /** The members of a snapshot as JSON text that begins with a comma; null until there is one. */
  protected abstract snapshot(): string | null;

  abstract close(): void;

  add(connection: Connection): void {
    this.flush();
    const snapshot = this.snapshot();
    if (snapshot === null) this.wait(connection);
    else this.#admit(connection, snapshot);
  }

  /** Keeps the connection waiting until `admitWaiting`. */
  protected wait(connection: Connection): void {
    this.#waiting.add(connection);
  }

  remove(connection: Connection): void {
    this.#waiting.delete(connection);
    this.#leaveRound(connection);
    if (this.#members.delete(connection)) connection.leave(this.name);
  }

  #leaveRound(connection: Connection): void {
    const round = this.#joining.get(connection);
    if (round === undefined) return;
    connection.withdraw(this);
    this.#endRound(connection, round);
  }

  #endRound(connection: Connection, round: Round): void {
    this.#joining.delete(connection);
    round.connections.delete(connection);
    if (round.connections.size === 0) this.#rounds.delete(round);
  }

  /** Sends the waiting connections the snapshot, if there is one. */
  protected admitWaiting(): void {
    if (this.#waiting.size === 0) return;
    const snapshot = this.snapshot();
    if (snapshot === null) return;
    for (const connection of this.takeWaiting()) this.#admit(connection, snapshot);
  }

  protected takeWaiting(): Set<Connection> {
    const waiting = new Set(this.#waiting);
    this.#waiting.clear();
    return waiting;
  }

  /** The payer of a waiting connection; null where none waits. */
  protected get firstPayer(): Payer | null {
    const [first] = this.#waiting;
    return first?.payer ?? null;
  }

  /** The position of a snapshot that is made now. */
  protected get mark(): Mark {
    return { seq: this.#lastSeq, time: this.#lastTime };
  }

  #admit(connection: Connection, members: string): void {
    if (this.#latest === null || this.#latest.members !== members) {
      this.#latest = { members, round: newRound(this.snapshotText(members, this.mark)) };
    }
    const { round } = this.#latest;
    this.#send(connection, round);
  }

  protected snapshotText(members: string, { seq, time }: Mark): string {
    const frame = { type: 'snapshot', seq, prevSeq: null, transactTime: time } as const;
    return dataMessage(this.#head, frame, members);
  }

  /** Sends a snapshot of an earlier position, and the updates since. */
  protected admitAll(connections: Iterable<Connection>, text: string, updates: string[]): void {
    const round = newRound(text, updates);
    for (const connection of connections) {
      if (connection.affords) this.#send(connection, round);
      else connection.pauseUntilAffordable(this.name);
    }
  }

  #send(connection: Connection, round: Round): void {
    const { length } = round.text;
    connection.spend(length);
    this.#enqueue(connection, round, () => connection.countSnapshot(length));
  }

  #enqueue(connection: Connection, round: Round, whenSent?: () => void): void {
    round.connections.add(connection);
    this.#rounds.add(round);
    this.#joining.set(connection, round);
    const sent = () => {
      whenSent?.();
      this.#endRound(connection, round);
      if (round.isOutdated) {
        this.wait(connection);
        setImmediate(() => this.serveWaiting());
        return;
      }
      for (const text of round.updates) connection.outbox.sendNow(text);
      this.#members.add(connection);
      connection.join(this.name);
    };
    connection.outbox.sendInTurn({ text: round.text, of: this, sent });
  }

  /** Closes the connections that wait for a snapshot; the client tries again. */
  protected fail(error: unknown): void {
    this.host.warn(error);
    for (const connection of this.takeWaiting()) {
      connection.close(Close.tryAgainLater, `no snapshot of ${this.subject.channel} just now`);
    }
  }

  /** Sends an update to the state at `seq` and `time`, the current one by default. */
  protected update(members: string, seq = this.host.state.seq, time = this.host.state.time): void {
    const frame = { type: 'update', seq, prevSeq: this.#lastSeq, transactTime: time } as const;
    this.#lastSeq = seq;
    this.#lastTime = time;
    this.#latest = null;
    if (this.#members.size === 0 && this.#rounds.size === 0 && !this.keepsUpdates) return;
    const text = dataMessage(this.#head, frame, members);
    this.keep(text);
    for (const round of [...this.#rounds]) this.#follow(round, text);
    if (text.length > BULK_TEXT && text.length * this.#members.size > SPREAD_BYTES) {
      this.#spread(text);
    } else if (this.#members.size > 0) {
      this.host.publish(this.name, text);
    }
  }

  /** Sends a new snapshot to all connections, in place of an update that would be too long. */
  protected restart(): void {
    this.#lastSeq = this.host.state.seq;
    this.#lastTime = this.host.state.time;
    this.#latest = null;
    for (const round of this.#rounds) round.isOutdated = true;
    for (const connection of [...this.#members]) {
      this.remove(connection);
      this.wait(connection);
    }
    setImmediate(() => this.serveWaiting());
  }

  /** True if a subclass writes a snapshot that the updates must follow. */
  protected get keepsUpdates(): boolean {
    return false;
  }
  protected keep(_text: string): void {}

  /**
   * Keeps an update for the connections of a round. Where the updates become too long, the
   * connections get a new snapshot instead.
   */
  #follow(round: Round, text: string): void {
    if (round.isOutdated) return;
    round.updates.push(text);
    round.size += text.length;
    if (round.size <= Math.max(round.text.length, SPREAD_BYTES)) return;
    for (const connection of [...round.connections]) {
      this.#leaveRound(connection);
      this.wait(connection);
    }
    setImmediate(() => this.serveWaiting());
  }

  protected serveWaiting(): void {
    this.flush();
    this.admitWaiting();
  }

  /** Sends a long message to each of many members in turn. */
  #spread(text: string): void {
    const round = newRound(text);
    for (const connection of [...this.#members]) {
      this.#members.delete(connection);
      connection.leave(this.name);
      this.#enqueue(connection, round);
    }
  }
}

function newRound(text: string, updates: string[] = []): Round {
  const size = updates.reduce((sum, update) => sum + update.length, 0);
  return { text, connections: new Set(), updates, size, isOutdated: false };
}

/** A connection's place in a topic. */
export class TopicSubscription implements Subscription {
  readonly #topic: Topic;
  readonly #connection: Connection;
  readonly #onEnd: (topic: Topic) => void;

  constructor(topic: Topic, connection: Connection, onEnd: (topic: Topic) => void) {
    this.#topic = topic;
    this.#connection = connection;
    this.#onEnd = onEnd;
    topic.users++;
    if (!connection.pauseNew(this)) topic.add(connection);
  }

  get subject(): Subject {
    return this.#topic.subject;
  }
  get seq(): number {
    return this.#topic.lastSeq;
  }
  get sentSeq(): number {
    return this.#topic.sentSeq;
  }
  get conflates(): boolean {
    return this.#topic.conflates;
  }

  end(): void {
    this.#topic.remove(this.#connection);
    this.#topic.users--;
    this.#onEnd(this.#topic);
  }

  pause(): void {
    this.#topic.remove(this.#connection);
  }

  resume(): void {
    this.#topic.add(this.#connection);
  }
}
