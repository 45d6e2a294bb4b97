// The websockets of the server: admission and login, the clients' requests, keepalive, and when the
// server closes a connection.
import { isObject } from '../contract/fields.ts';
import { invalidField, Problem } from '../contract/problem.ts';
import {
  acknowledgement,
  heartbeatMessage,
  loggedInMessage,
  pongMessage,
  shutdownMessage,
} from '../contract/streams/messages.ts';
import { isOrderOp } from '../contract/streams/orders.ts';
import {
  idOf,
  type LoginMessage,
  parseMessage,
  type RequestId,
  readRequest,
  STREAM_PATHS,
  type StreamPath,
  type StreamRequest,
} from '../contract/streams/requests.ts';
import type { Engine } from '../engine/engine.ts';
import { Module } from '../identity/live-key.ts';
import {
  moduleOf,
  requireChannel,
  requireModule,
  requirePast,
  requirePlace,
  requireUse,
} from './admission.ts';
import { type BudgetTerms, type Payer, Payers } from './budget.ts';
import { cancelAll } from './cancel-on-disconnect.ts';
import {
  Close,
  Connection,
  keyOf,
  type Login,
  type Socket,
  type SocketDialect,
} from './connection.ts';
import type { Hub, Publisher } from './hub.ts';
import {
  BURST_SECONDS,
  CONNECTION_PART,
  HEARTBEAT_SECONDS,
  MAX_CONNECTIONS,
  PAYER_TIME,
  PING_SECONDS,
  SHUTDOWN_NOTICE_MS,
  SLOW_CHECK_MS,
} from './limits.ts';
import { freeMemory } from './memory.ts';
import { hasOrders, type OrderDesk } from './order-desk.ts';
import type { Usage } from './outbox.ts';
import { OwnSubscription } from './owner.ts';

export interface Gatekeeper {
  /** Throws Problem as a signed GET of the path would. `address` is the peer's. */
  loginByKey(path: StreamPath, login: LoginMessage, address: string): Promise<Login>;
  /** Why a login is no longer valid; null while it is. `now` is the wall clock, ms. */
  lapsed(login: Login, now?: number): string | null;
  /** Resolves when a later position may have arrived from the node that leads; null if none may. */
  arrivalOf(seq: number): Promise<unknown> | null;
}

export interface StreamsOptions {
  readonly engine: Engine;
  readonly hub: Hub;
  readonly gatekeeper: Gatekeeper;
  readonly orders: OrderDesk;
  /** The maximum of connections from one address, and of one account. */
  readonly perAddress: number;
  readonly perAccount: number;
  /** Snapshot bytes per second of one address or account. */
  readonly bytesPerSecond: number;
  readonly warn: (error: unknown) => void;
}

type Subscribe = Extract<StreamRequest, { op: 'subscribe' }>;

export class Streams {
  readonly #options: StreamsOptions;
  readonly #connections = new Set<Connection>();
  /** Places that are taken; a connection takes its own before it opens. */
  #taken = 0;
  readonly #payers: Payers;
  readonly usage: Usage = { buffered: 0, snapshotBytes: 0, rejected: 0 };
  #nextId = 1;
  /** When the connections were last checked, of performance.now(). */
  #checkedAt = performance.now();
  #stopping = false;
  readonly #timers: readonly ReturnType<typeof setInterval>[];
  /** The events of websockets. */
  readonly handlers = {
    open: (socket: Socket) => this.#open(socket),
    message: ({ data }: Socket, message: string | Buffer) => this.#receive(data, message),
    ping: ({ data }: Socket) => void this.#countInbound(data),
    pong: ({ data }: Socket) => void this.#countInbound(data),
    /** The client has read some of what waited. */
    drain: ({ data }: Socket) => data.resumeSending(),
    close: ({ data }: Socket) => this.#closed(data),
  };

  constructor(options: StreamsOptions) {
    this.#options = options;
    options.hub.closeWhere = (isAffected) => this.#closeFailed(isAffected);
    this.#payers = new Payers({ bytes: this.#burstOf(1), time: PAYER_TIME });
    this.#timers = [
      setInterval(() => this.#everySecond(), 1000),
      setInterval(() => this.#checkSlow(), SLOW_CHECK_MS),
    ];
  }

  attach(publisher: Publisher): void {
    this.#options.hub.attach(publisher);
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  /**
   * Takes a place for a connection that is about to open; the caller must `release` it if it does
   * not. `limitedAs` is the address as limits count it. Throws Problem tooManyConnections,
   * overloaded, stopping, privilegeMissing.
   */
  admit(
    path: StreamPath,
    address: string,
    limitedAs: string,
    login: Login | null,
    dialect: SocketDialect | null = null,
  ): Connection {
    if (this.#stopping) throw new Problem('stopping');
    const endpoint = STREAM_PATHS[path];
    if (login !== null) requireUse(endpoint, login);
    const place = this.requireRoom(limitedAs);
    const account = login === null ? null : this.#accountOf(login);
    place.connections++;
    if (account !== null) account.connections++;
    this.#taken++;
    return new Connection({
      id: this.#nextId++,
      path,
      endpoint,
      address,
      login,
      place,
      payer: account ?? place,
      bytes: this.#burstOf(CONNECTION_PART),
      turns: this.#options.hub.turns,
      usage: this.usage,
      dialect,
    });
  }

  /**
   * The payer of an address that may open another connection. Throws Problem tooManyConnections,
   * overloaded.
   */
  requireRoom(limitedAs: string): Payer {
    if (this.#taken >= MAX_CONNECTIONS) throw new Problem('overloaded');
    const place = this.#payers.ofAddress(limitedAs);
    requirePlace(place, this.#options.perAddress);
    return place;
  }

  /** Throws Problem tooManyConnections. */
  #accountOf({ uid }: Login): Payer {
    const account = this.#payers.ofAccount(uid);
    requirePlace(account, this.#options.perAccount);
    return account;
  }

  #burstOf(part: number): BudgetTerms {
    const perSecond = this.#options.bytesPerSecond * part;
    return { burst: perSecond * BURST_SECONDS, perSecond };
  }

  release({ place, payer }: Connection): void {
    this.#taken--;
    place.connections--;
    if (payer !== place) payer.connections--;
  }

  /** Closes the connections of these logins. */
  closeLogins(isAffected: (login: Login) => boolean, reason: string): void {
    for (const connection of [...this.#connections]) {
      const { login } = connection;
      if (login !== null && isAffected(login)) connection.close(Close.policy, reason);
    }
  }

  /** Streams that ended because of a fault. */
  get failures(): number {
    return this.#options.hub.failures;
  }

  #closeFailed(isAffected: (connection: Connection) => boolean): void {
    for (const connection of [...this.#connections]) {
      if (isAffected(connection)) {
        connection.close(Close.tryAgainLater, 'this stream failed: connect again');
      }
    }
  }

  /** Announces the stop to all connections, and resolves after the notice period. */
  async announceStop(): Promise<void> {
    this.#stopping = true;
    if (this.#connections.size === 0) return;
    const text = shutdownMessage(SHUTDOWN_NOTICE_MS);
    for (const each of this.#connections) if (each.dialect === null) each.send(text);
    await Bun.sleep(SHUTDOWN_NOTICE_MS);
  }

  /** Closes everything. Safe to call twice. */
  close(): void {
    this.#stopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#options.hub.flush(Number.POSITIVE_INFINITY);
    for (const connection of [...this.#connections]) {
      connection.close(Close.goingAway, 'the server is stopping');
    }
    this.#options.hub.close();
  }

  #open(socket: Socket): void {
    const connection = socket.data;
    connection.attach(socket);
    this.#connections.add(connection);
    if (connection.dialect !== null) connection.dialect.opened(connection);
    else if (connection.login !== null) {
      connection.send(loggedInMessage(connection.login.uid, undefined));
    }
  }

  #closed(connection: Connection): void {
    connection.detach();
    connection.dialect?.closed(connection);
    this.#connections.delete(connection);
    this.release(connection);
    const { login, cancelsOnDisconnect } = connection;
    if (login === null || !cancelsOnDisconnect || this.#stopping) return;
    void cancelAll(this.#options.engine, login.uid).catch(this.#options.warn);
  }

  #countInbound(connection: Connection): boolean {
    if (connection.countInbound()) return true;
    connection.close(Close.policy, 'too many messages');
    return false;
  }

  #receive(connection: Connection, message: string | Buffer): void {
    const { inbox } = connection;
    if (connection.isTooLong(message)) {
      connection.close(Close.tooLong, 'the message is too long');
      return;
    }
    if (connection.mayOrder && (connection.dialect !== null || hasOrders(message))) {
      this.#receiveOrders(connection, message);
      return;
    }
    if (!this.#countInbound(connection) || !connection.open) return;
    const { turns } = this.#options.hub;
    if (inbox.length === 0 && !connection.isWaiting && turns.hasRoom) {
      turns.now(connection.payer, () => void this.#answer(connection, message));
      return;
    }
    if (!connection.postpone(message)) {
      connection.close(Close.policy, 'too many messages');
    } else if (inbox.length === 1 && !connection.isWaiting) {
      this.#answerInTurn(connection);
    }
  }

  /** Orders have limits of their own, and never wait for the bulk work of the streams. */
  #receiveOrders(connection: Connection, message: string | Buffer): void {
    const now = performance.now();
    connection.receivedAt = now;
    if (this.#answer(connection, message)) return;
    connection.payer.rejectedOrders.spend(performance.now() - now);
    this.#countInbound(connection);
  }

  /** Answers what was postponed, one request at a time. */
  #answerInTurn(connection: Connection): void {
    this.#options.hub.turns.add(connection.payer, () => {
      const [message] = connection.inbox;
      if (message === undefined) return;
      this.#answer(connection, message);
      connection.takePostponed();
      if (connection.inbox.length > 0 && !connection.isWaiting) this.#answerInTurn(connection);
    });
  }

  /** True if the message had orders that their limits admitted. */
  #answer(connection: Connection, message: string | Buffer): boolean {
    if (!connection.open) return false;
    const { endpoint, dialect } = connection;
    if (dialect !== null) return dialect.receive(connection, message);
    let id: RequestId | undefined;
    try {
      const parsed = parseMessage(message, endpoint);
      if (endpoint === 'orders' && isObject(parsed) && isOrderOp(parsed.op)) {
        return this.#options.orders.receive(connection, parsed);
      }
      id = idOf(parsed);
      const work = this.#execute(connection, readRequest(endpoint, parsed));
      if (work !== null) void this.#answerAfter(connection, id, work);
    } catch (error) {
      connection.reject(this.#problemOf(error), id);
    }
    return false;
  }

  /** Later requests of the connection keep their order: they wait behind this one. */
  async #answerAfter(
    connection: Connection,
    id: RequestId | undefined,
    work: Promise<void>,
  ): Promise<void> {
    connection.isWaiting = true;
    await work.catch((error) => connection.reject(this.#problemOf(error), id));
    connection.isWaiting = false;
    if (connection.inbox.length > 0) this.#answerInTurn(connection);
  }

  #problemOf(error: unknown): Problem {
    if (error instanceof Problem) return error;
    this.#options.warn(error);
    return new Problem('internal');
  }

  /** Returns the rest of the work where it has to wait; else null. */
  #execute(connection: Connection, request: StreamRequest): Promise<void> | null {
    const { engine, gatekeeper } = this.#options;
    switch (request.op) {
      case 'ping':
        // The messages up to its position come first, as with a heartbeat.
        this.#options.hub.flush();
        connection.send(pongMessage(engine.wall(), connection.sentSeq(engine.seq), request.id));
        return null;
      case 'login':
        return this.#logIn(connection, request.login, request.id);
      case 'unsubscribe': {
        const key = keyOf(request.subject);
        connection.end(key);
        if (request.subject.channel === 'orders') connection.cancelsOnDisconnect = false;
        connection.send(acknowledgement('unsubscribed', request.subject, request.id));
        return null;
      }
      case 'subscribe': {
        const arrival = gatekeeper.arrivalOf(request.resumeFrom ?? 0);
        if (arrival !== null) return arrival.then(() => this.#subscribe(connection, request));
        this.#subscribe(connection, request);
        return null;
      }
    }
  }

  /** Throws Problem for a connection that has logged in already. */
  #logIn(connection: Connection, message: LoginMessage, id: RequestId | undefined): Promise<void> {
    if (connection.login !== null) {
      const must = 'be another one: this connection has logged in already';
      throw invalidField('op', must, { rule: 'once' });
    }
    const { path, address } = connection;
    return this.#options.gatekeeper
      .loginByKey(path, message, address)
      .then((login) => this.#enter(connection, login, id))
      .catch((error) => {
        connection.reject(this.#problemOf(error), id);
        connection.close(Close.policy, 'the login failed');
      });
  }

  #enter(connection: Connection, login: Login, id: RequestId | undefined): void {
    if (!connection.open) return;
    requireUse(connection.endpoint, login);
    this.logIn(connection, login);
    connection.send(loggedInMessage(login.uid, id));
  }

  /** From now on the account pays for the connection. Throws Problem tooManyConnections. */
  logIn(connection: Connection, login: Login): void {
    const account = this.#accountOf(login);
    account.connections++;
    connection.outbox.moveTo(account);
    connection.login = login;
  }

  /** A repeated subscription restarts with a snapshot. */
  #subscribe(connection: Connection, request: Subscribe): void {
    const { subject, id } = request;
    const key = keyOf(subject);
    if (!connection.open) return;
    connection.requireBudget();
    if (!connection.subscriptions.has(key)) requireChannel(connection);
    if (connection.endpoint !== 'public') {
      this.#subscribeOwn(connection, request, key);
      return;
    }
    this.#options.hub.requireSubject(subject);
    connection.end(key);
    connection.send(acknowledgement('subscribed', subject, id));
    this.#options.hub.subscribe(connection, subject);
  }

  #subscribeOwn(connection: Connection, request: Subscribe, key: string): void {
    const { subject, id, resumeFrom, cancelOnDisconnect } = request;
    const { login } = connection;
    if (login === null) throw new Problem('streamLoginNeeded');
    requireModule(login, moduleOf(subject.channel));
    if (cancelOnDisconnect) requireModule(login, Module.tradingWrite);
    requirePast(resumeFrom, this.#options.engine.seq);
    connection.end(key);
    if (subject.channel === 'orders') connection.cancelsOnDisconnect = cancelOnDisconnect;
    connection.send(acknowledgement('subscribed', subject, id));
    const subscription = this.#options.hub.subscribeOwn(connection, login.uid, subject);
    subscription.begin({
      resumeFrom,
      onFailure: (problem) => {
        connection.end(key);
        connection.reject(problem, id);
      },
    });
  }

  #everySecond(): void {
    this.#payers.sweep();
    const now = performance.now();
    const checkedAt = this.#checkedAt;
    this.#checkedAt = now;
    // Each connection has its own second, so that thousands are not due together.
    const isDue = ({ id }: Connection, period: number): boolean => {
      const periodsAt = (time: number) => Math.floor((time / 1000 + id) / period);
      return periodsAt(now) > periodsAt(checkedAt);
    };
    const due = [...this.#connections].filter((one) => isDue(one, HEARTBEAT_SECONDS));
    if (due.length > 0) this.#options.hub.flush();
    for (const connection of due) {
      if (connection.dialect === null) this.#heartbeat(connection);
      this.#checkLogin(connection);
    }
    for (const connection of this.#connections) {
      if (isDue(connection, PING_SECONDS)) connection.ping();
      const silence = connection.silenceAt(now);
      if (silence !== null) connection.close(Close.policy, silence);
    }
  }

  /** Skips a connection with a loading subscription: the seq would claim that all was sent. */
  #heartbeat(connection: Connection): void {
    const subscriptions = connection.activeSubscriptions;
    if (subscriptions.some((one) => one instanceof OwnSubscription && one.isLoading)) return;
    const { state } = this.#options.engine.exchange;
    const seq = connection.sentSeq(state.seq);
    connection.send(heartbeatMessage(seq, state.time, subscriptions));
  }

  /** A revocation ends connections immediately; this finds the ones that expire. */
  #checkLogin(connection: Connection): void {
    if (connection.login === null) return;
    const lapsed = this.#options.gatekeeper.lapsed(connection.login);
    if (lapsed !== null) connection.close(Close.policy, lapsed);
  }

  #checkSlow(): void {
    const now = performance.now();
    for (const connection of this.#connections) {
      if (!connection.keepsUp(now)) {
        connection.close(Close.tryAgainLater, 'too slow: read faster, or subscribe to less');
      } else {
        connection.resumeSending();
      }
    }
    freeMemory(this.#connections, this.usage);
  }
}
