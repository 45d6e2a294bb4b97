// One websocket: its login, its subscriptions, and how fast it may send and must read.
import type { ServerWebSocket } from 'bun';
import type { Problem } from '../contract/problem.ts';
import { errorMessage } from '../contract/streams/messages.ts';
import {
  type Endpoint,
  MAX_STREAM_MESSAGE,
  type RequestId,
  type StreamPath,
  type Subject,
} from '../contract/streams/requests.ts';
import type { LiveKey, ModuleId } from '../identity/live-key.ts';
import { Budget, type BudgetTerms, type Payer, requireCredit } from './budget.ts';
import {
  CAUGHT_UP_BYTES,
  CLOSING_MS,
  INBOUND_BURST,
  INBOUND_PER_SECOND,
  LOGIN_DEADLINE_MS,
  MAX_BUFFERED_BYTES,
  MAX_INBOX,
  SILENCE_MS,
  SLOW_BYTES,
  SLOW_MS,
} from './limits.ts';
import { Outbox, type Outlet, type Usage } from './outbox.ts';
import type { Turns } from './turns.ts';

/** Close codes of RFC 6455. */
export const Close = {
  goingAway: 1001,
  policy: 1008,
  tooLong: 1009,
  tryAgainLater: 1013,
} as const;

/** The caller who logged in, with a key or a session. */
export interface Login {
  readonly uid: number;
  readonly key: LiveKey | null;
  readonly sessionId: number | null;
  allows(module: ModuleId): boolean;
}

/** One channel of one connection. */
export interface Subscription {
  readonly subject: Subject;
  /** The seq of the last message that was sent. */
  readonly seq: number;
  /** The journal's position up to which its changes were sent. */
  readonly sentSeq: number;
  /** True if a slow reader gets the newest state instead of every change. */
  readonly conflates: boolean;
  end(): void;
  /** Stops sending until `resume`, which begins with a snapshot. */
  pause(): void;
  resume(): void;
}

/** A wire form other than agio's own, which gets the messages of its connections. */
export interface SocketDialect {
  /** The longest message, in bytes. */
  readonly maxMessage: number;
  opened(connection: Connection): void;
  /**
   * Answers a message; whether it had requests that their own limits admitted. Throws nothing.
   */
  receive(connection: Connection, message: string | Buffer): boolean;
  /** True for a message that must not wait for the bulk work of the streams, as orders. */
  isUrgent(connection: Connection): boolean;
  closed(connection: Connection): void;
}

/** The part of a websocket that a connection needs. */
export type Socket = Pick<
  ServerWebSocket<Connection>,
  | 'data'
  | 'send'
  | 'ping'
  | 'close'
  | 'terminate'
  | 'subscribe'
  | 'unsubscribe'
  | 'getBufferedAmount'
>;

/** Distinguishes the subscriptions of one connection. */
export const keyOf = ({ channel, symbol, depth, interval }: Subject): string =>
  `${channel}/${symbol ?? ''}/${depth ?? ''}/${interval ?? ''}`;

/** Facts about a connection before it opens. */
export interface ConnectionTerms {
  readonly id: number;
  readonly path: StreamPath;
  readonly endpoint: Endpoint;
  /** The peer's address. */
  readonly address: string;
  readonly login: Login | null;
  /** The address as limits count it, and the payer: the account, or that address. */
  readonly place: Payer;
  readonly payer: Payer;
  /** Snapshots for this connection alone. */
  readonly bytes: BudgetTerms;
  readonly turns: Turns;
  readonly usage: Usage;
  /** null: agio's own wire form. */
  readonly dialect: SocketDialect | null;
}

export class Connection implements Outlet {
  readonly id: number;
  readonly path: StreamPath;
  readonly endpoint: Endpoint;
  readonly address: string;
  readonly place: Payer;
  readonly dialect: SocketDialect | null;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly openedAt = performance.now();
  login: Login | null;
  cancelsOnDisconnect = false;
  /** When the peer last sent anything, of performance.now(). */
  receivedAt = this.openedAt;
  #socket: Socket | null = null;
  #closing = false;
  #allowance = INBOUND_BURST;
  #allowedAt = this.openedAt;
  #slowSince: number | null = null;
  #paused: Subscription[] = [];
  readonly outbox: Outbox;
  readonly #bytes: Budget;
  readonly #usage: Usage;
  /** A request waits for what another node sends, and all later ones with it. */
  isWaiting = false;
  /** Requests that wait for their turn. */
  readonly inbox: (string | Buffer)[] = [];
  #inboxSize = 0;

  constructor(terms: ConnectionTerms) {
    this.id = terms.id;
    this.path = terms.path;
    this.endpoint = terms.endpoint;
    this.address = terms.address;
    this.place = terms.place;
    this.dialect = terms.dialect;
    this.login = terms.login;
    this.#bytes = new Budget(terms.bytes);
    this.#usage = terms.usage;
    this.outbox = new Outbox(this, terms.payer, terms.turns, terms.usage);
  }

  attach(socket: Socket): void {
    this.#socket = socket;
  }

  get open(): boolean {
    return this.#socket !== null && !this.#closing;
  }

  get payer(): Payer {
    return this.outbox.payer;
  }

  write(text: string): boolean {
    return this.#socket !== null && this.#socket.send(text) > 0;
  }

  /** `of` is the owner of the message, which can withdraw it. */
  send(text: string, of: object | null = null): void {
    if (this.open) this.outbox.send(text, of);
  }

  /** Sends the answer to a message with orders before everything that waits for its turn. */
  answer(text: string, request: object): void {
    if (this.open) this.outbox.sendFirst(text, request);
  }

  /** True if an order is executed as it comes: nothing waits, and few were rejected lately. */
  get mayOrder(): boolean {
    const isForOrders =
      this.dialect === null
        ? this.endpoint === 'orders' && this.login !== null
        : this.dialect.isUrgent(this);
    return isForOrders && this.inbox.length === 0 && !this.payer.rejectedOrders.inDebt;
  }

  /** True if a message has more bytes than it may send. */
  isTooLong(message: string | Buffer): boolean {
    const own = MAX_STREAM_MESSAGE[this.login === null ? 'public' : this.endpoint];
    const bytes = this.dialect?.maxMessage ?? own;
    return (
      message.length > bytes || (message.length * 3 > bytes && Buffer.byteLength(message) > bytes)
    );
  }

  /** True if its budgets allow another snapshot. */
  get affords(): boolean {
    return !this.#bytes.inDebt && !this.payer.bytes.inDebt;
  }

  /** True if the peer has read nearly everything, and nothing waits to be sent. */
  get isCaughtUp(): boolean {
    return this.outbox.characters === 0 && this.buffered <= CAUGHT_UP_BYTES;
  }

  /** Counts a snapshot that the socket has; one that was withdrawn before is not sent. */
  countSnapshot(bytes: number): void {
    this.#usage.snapshotBytes += bytes;
  }

  /** Charges the bytes of a snapshot. */
  spend(bytes: number): void {
    this.#bytes.spend(bytes);
    this.payer.bytes.spend(bytes);
  }

  /** Throws Problem rateLimited while a budget is used up. */
  requireBudget(): void {
    const { kind, bytes, time } = this.payer;
    try {
      requireCredit('bytes of the connection', this.#bytes);
      requireCredit(`bytes of the ${kind}`, bytes);
      requireCredit(`time of the ${kind}`, time);
    } catch (error) {
      this.#usage.rejected++;
      throw error;
    }
  }

  /** Keeps a request until its turn; false when too much waits. */
  postpone(message: string | Buffer): boolean {
    this.#inboxSize += message.length;
    this.inbox.push(message);
    return this.#inboxSize <= MAX_INBOX;
  }

  takePostponed(): string | Buffer | undefined {
    const message = this.inbox.shift();
    this.#inboxSize -= message?.length ?? 0;
    return message;
  }

  reject(problem: Problem, id: RequestId | undefined): void {
    this.send(errorMessage(problem, id));
  }

  ping(): void {
    if (this.open) this.#socket!.ping();
  }

  /** Drops the unsent messages of `of`. */
  withdraw(of: object): void {
    this.outbox.withdraw(of);
  }

  join(topic: string): void {
    if (this.open) this.#socket!.subscribe(topic);
  }

  leave(topic: string): void {
    if (this.open) this.#socket!.unsubscribe(topic);
  }

  /** Closes with a reason, and cuts off a peer that does not answer. */
  close(code: number, reason: string): void {
    const socket = this.#socket;
    if (socket === null || this.#closing) return;
    this.endAll();
    this.outbox.clear();
    this.#closing = true;
    socket.close(code, reason);
    const timer = setTimeout(() => {
      if (this.#socket !== null) socket.terminate();
    }, CLOSING_MS);
    timer.unref();
  }

  /** The socket is gone. */
  detach(): void {
    this.endAll();
    this.outbox.close();
    this.inbox.length = 0;
    this.#socket = null;
  }

  /** Ends the connection without a close frame, which a peer that does not read would not get. */
  cut(): void {
    this.#socket?.terminate();
  }

  get subscriptions(): ReadonlyMap<string, Subscription> {
    return this.#subscriptions;
  }

  addSubscription(key: string, subscription: Subscription): void {
    this.#subscriptions.set(key, subscription);
    this.payer.channels++;
  }

  /** Ends the subscription with this key, if there is one. */
  end(key: string): void {
    const subscription = this.#subscriptions.get(key);
    if (subscription === undefined) return;
    this.#subscriptions.delete(key);
    this.payer.channels--;
    this.#paused = this.#paused.filter((paused) => paused !== subscription);
    subscription.end();
  }

  endAll(): void {
    for (const subscription of this.#subscriptions.values()) subscription.end();
    this.payer.channels -= this.#subscriptions.size;
    this.#subscriptions.clear();
    this.#paused = [];
  }

  /** Counts a message of the peer; false when there were too many. */
  countInbound(): boolean {
    const now = performance.now();
    this.receivedAt = now;
    const earned = ((now - this.#allowedAt) * INBOUND_PER_SECOND) / 1000;
    this.#allowance = Math.min(INBOUND_BURST, this.#allowance + earned) - 1;
    this.#allowedAt = now;
    return this.#allowance >= 0;
  }

  /** Why the server waits no longer for the peer to send something; null while it does. */
  silenceAt(now: number): string | null {
    if (now - this.receivedAt > SILENCE_MS) return 'nothing was heard for a minute';
    const needsLogin = this.login === null && this.endpoint !== 'public';
    return needsLogin && now - this.openedAt > LOGIN_DEADLINE_MS ? 'no login in time' : null;
  }

  /** Bytes that wait for the peer to read. */
  get buffered(): number {
    return this.#socket === null ? 0 : this.#socket.getBufferedAmount();
  }

  /**
   * Pauses the subscriptions that a snapshot can bring up to date. False when the peer has been
   * slow for too long with others.
   */
  keepsUp(now: number): boolean {
    const tooMuch = this.outbox.characters > MAX_BUFFERED_BYTES;
    if (this.outbox.isStalled(now) || tooMuch) return false;
    if (this.outbox.count() <= SLOW_BYTES) {
      this.#slowSince = null;
      return true;
    }
    this.#slowSince ??= now;
    for (const subscription of this.subscriptions.values()) {
      if (!subscription.conflates || this.#paused.includes(subscription)) continue;
      subscription.pause();
      this.#paused.push(subscription);
    }
    const onlyBooks = this.#paused.length === this.subscriptions.size;
    return onlyBooks || now - this.#slowSince < SLOW_MS;
  }

  /** Pauses a new subscription until the peer can read and pay; false where it already can. */
  pauseNew(subscription: Subscription): boolean {
    if (!subscription.conflates) return false;
    if (this.buffered <= SLOW_BYTES && this.affords) return false;
    this.#paused.push(subscription);
    return true;
  }

  /** Pauses a subscription that waits for a snapshot it cannot pay. */
  pauseUntilAffordable(key: string): void {
    const subscription = this.subscriptions.get(key);
    if (subscription === undefined || this.#paused.includes(subscription)) return;
    subscription.pause();
    this.#paused.push(subscription);
  }

  /** Sends what waits, and resumes one paused subscription if the peer can read and pay. */
  resumeSending(): void {
    this.outbox.count();
    this.outbox.wake();
    if (this.#paused.length === 0 || this.buffered > CAUGHT_UP_BYTES || !this.affords) return;
    this.#paused.shift()!.resume();
  }

  /** The position up to which all was sent, where the journal stands at `seq`. */
  sentSeq(seq: number): number {
    return this.activeSubscriptions.reduce((least, one) => Math.min(least, one.sentSeq), seq);
  }

  /** The subscriptions that are not paused. */
  get activeSubscriptions(): Subscription[] {
    const all = [...this.subscriptions.values()];
    return this.#paused.length === 0 ? all : all.filter((one) => !this.#paused.includes(one));
  }
}
