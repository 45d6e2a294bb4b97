// A public channel of one subject: everyone who listens to it hears the same messages, written
// once. A connection that joins gets a snapshot that ends exactly where the next message begins.

import { dataMessage, subjectText } from '../contract/streams/messages.ts';
import type { Subject } from '../contract/streams/requests.ts';
import type { State } from '../core/state.ts';
import type { ViewReader } from '../views/views.ts';
import type { Payer } from './budget.ts';
import { Close, type Connection, keyOf, type Subscription } from './connection.ts';
import { BULK_TEXT, MAX_REST_MS, SPREAD_BYTES } from './limits.ts';
import type { Turns } from './turns.ts';

/** The dependencies of a topic. */
export interface TopicHost {
  readonly state: State;
  readonly views: ViewReader;
  readonly turns: Turns;
  /** Business time now, ms. */
  readonly now: number;
  /** Hands a text to all that have joined the topic. */
  publish(topic: string, text: string): void;
  /** Something that needs to be told to an operator has failed. */
  warn(error: unknown): void;
}

/** A message on its way to connections that have not joined, and the updates that came after it. */
interface Round {
  readonly text: string;
  readonly connections: Set<Connection>;
  readonly updates: string[];
  size: number;
}

/** Where a snapshot stands. */
export interface Mark {
  readonly seq: number;
  readonly time: number;
}

export abstract class Topic {
  readonly subject: Subject;
  readonly name: string;
  /** Books: a reader that lags is given a snapshot. */
  readonly conflates: boolean = false;
  protected readonly host: TopicHost;
  readonly #head: string;
  readonly #members = new Set<Connection>();
  /** These connections get a snapshot as soon as there is one. */
  readonly #waiting = new Set<Connection>();
  /** These connections are being sent one. */
  readonly #joining = new Map<Connection, Round>();
  readonly #rounds = new Set<Round>();
  /** The snapshot that was sent last, as long as nothing has happened since. */
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

  /** Connections that a message goes to. */
  get listeners(): number {
    return this.#members.size;
  }

  /**
   * How long it is to be kept although nobody listens, so that who asks again and again opens it a
   * few times a second at most.
   */
  get staysFor(): number {
    return Math.max(0, this.#openedAt + MAX_REST_MS - performance.now());
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Sends what has changed since the last message, if anything, to those who listen. */
  abstract flush(): void;

  /**
   * The members of a snapshot as JSON text that begins with a comma; null where it has to be waited
   * for.
   */
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

  /** Gives those who wait the snapshot that is there now. */
  protected admitWaiting(): void {
    if (this.#waiting.size === 0) return;
    const snapshot = this.snapshot();
    if (snapshot === null) return;
    for (const connection of this.takeWaiting()) this.#admit(connection, snapshot);
  }

  /** Takes out the waiting subscribers. */
  protected takeWaiting(): Set<Connection> {
    const waiting = new Set(this.#waiting);
    this.#waiting.clear();
    return waiting;
  }

  /** One of the waiting subscribers, who pays; null where nobody waits. */
  protected get firstPayer(): Payer | null {
    const [first] = this.#waiting;
    return first?.payer ?? null;
  }

  /** Where a snapshot that is made now will stand. */
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

  /** Sends a snapshot that was begun at an earlier mark, and what has happened since. */
  protected admitAll(connections: Iterable<Connection>, text: string, updates: string[]): void {
    const round = newRound(text, updates);
    for (const connection of connections) {
      if (connection.affords) this.#send(connection, round);
      else connection.pauseUntilAffordable(this.name);
    }
  }

  #send(connection: Connection, round: Round): void {
    connection.spend(round.text.length);
    this.#hand(connection, round);
  }

  #hand(connection: Connection, round: Round): void {
    round.connections.add(connection);
    this.#rounds.add(round);
    this.#joining.set(connection, round);
    const sent = () => {
      this.#endRound(connection, round);
      for (const text of round.updates) connection.outbox.sendNow(text);
      this.#members.add(connection);
      connection.join(this.name);
    };
    connection.outbox.sendInTurn({ text: round.text, of: this, sent });
  }

  /** No snapshot can be made: connections that wait for one are closed, to try again. */
  protected fail(error: unknown): void {
    this.host.warn(error);
    for (const connection of this.takeWaiting()) {
      connection.close(Close.tryAgainLater, `no snapshot of ${this.subject.channel} just now`);
    }
  }

  /** The state that is told is that of `seq` at `time`, by default the present one. */
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

  /** A snapshot is being written elsewhere, behind which the updates are to follow. */
  protected get keepsUpdates(): boolean {
    return false;
  }
  protected keep(_text: string): void {}

  /**
   * Keeps an update for those who are sent what comes before it. Where that becomes too much, they
   * are sent the newest state.
   */
  #follow(round: Round, text: string): void {
    round.updates.push(text);
    round.size += text.length;
    if (round.size <= Math.max(round.text.length, SPREAD_BYTES)) return;
    for (const connection of [...round.connections]) {
      this.#leaveRound(connection);
      this.wait(connection);
    }
    setImmediate(() => this.serveWaiting());
  }

  /** Sees to it that those who wait get a snapshot. */
  protected serveWaiting(): void {
    this.flush();
    this.admitWaiting();
  }

  /** A long message to many goes to each in turn. */
  #spread(text: string): void {
    const round = newRound(text);
    for (const connection of [...this.#members]) {
      this.#members.delete(connection);
      connection.leave(this.name);
      this.#hand(connection, round);
    }
  }
}

function newRound(text: string, updates: string[] = []): Round {
  const size = updates.reduce((sum, update) => sum + update.length, 0);
  return { text, connections: new Set(), updates, size };
}

/** A connection's place in a topic. */
export class TopicSubscription implements Subscription {
  readonly #topic: Topic;
  readonly #connection: Connection;
  readonly #left: (topic: Topic) => void;

  /** `left` is called when the connection has left the topic finally. */
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
