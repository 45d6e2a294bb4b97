// One socket: who is behind it, what it is subscribed to, and how fast it may send and must read.
import type { ServerWebSocket } from 'bun';
import type { Problem } from '../contract/problem.ts';
import { errorMessage } from '../contract/streams/messages.ts';
import type { Endpoint, RequestId, StreamPath, Subject } from '../contract/streams/requests.ts';
import type { LiveKey, ModuleId } from '../identity/live-key.ts';
import { Budget, type BudgetTerms, type Payer, requireCredit } from './budget.ts';
import {
  CAUGHT_UP_BYTES,
  CLOSING_MS,
  INBOUND_BURST,
  INBOUND_PER_SECOND,
  MAX_BUFFERED_BYTES,
  MAX_INBOX,
  SLOW_BYTES,
  SLOW_MS,
} from './limits.ts';
import { Outbox, type Outlet, type Usage } from './outbox.ts';
import type { Turns } from './turns.ts';

/** Close codes of RFC 6455 that are used here. */
export const Close = { goingAway: 1001, policy: 1008, tryAgainLater: 1013 } as const;

/** The caller who logged in, with a key or a session. */
export interface Login {
  readonly uid: number;
  readonly key: LiveKey | null;
  readonly sessionId: number | null;
  /** False where the same signature has opened another connection before. */
  readonly mayChange: boolean;
  allows(module: ModuleId): boolean;
}

/** One channel of one connection. */
export interface Subscription {
  readonly subject: Subject;
  /** The seq of the last message that was sent. */
  readonly seq: number;
  /** Whether a reader that lags is given the newest state instead of every change. */
  readonly conflates: boolean;
  /** Stops sending; nothing of it is left behind. */
  end(): void;
  /** Stops sending until `resume`, which goes on with a snapshot. */
  pause(): void;
  resume(): void;
}

export type Socket = ServerWebSocket<Connection>;

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
  /** The address as limits count it, and what pays: the account, or that. */
  readonly place: Payer;
  readonly payer: Payer;
  /** Snapshots for this connection alone. */
  readonly bytes: BudgetTerms;
  readonly turns: Turns;
  readonly usage: Usage;
}

export class Connection implements Outlet {
  readonly id: number;
  readonly path: StreamPath;
  readonly endpoint: Endpoint;
  readonly address: string;
  readonly place: Payer;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly openedAt = performance.now();
  login: Login | null;
  /** Whether the account's orders are canceled when this connection is gone. */
  cancelsOnDisconnect = false;
  /** When anything was last heard of the peer, of performance.now(). */
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
  /** Requests that wait for their turn. */
  readonly inbox: (string | Buffer)[] = [];
  #inboxSize = 0;

  constructor(terms: ConnectionTerms) {
    this.id = terms.id;
    this.path = terms.path;
    this.endpoint = terms.endpoint;
    this.address = terms.address;
    this.place = terms.place;
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

  /** The address or the account that pays for it. */
  get payer(): Payer {
    return this.outbox.payer;
  }

  /** For the outbox. */
  write(text: string): void {
    this.#socket?.send(text);
  }

  /** `of` is what the message belongs to, so that it can be withdrawn. */
  send(text: string, of: object | null = null): void {
    if (this.open) this.outbox.send(text, of);
  }

  /** Whether another snapshot may be made for it. */
  get affords(): boolean {
    return !this.#bytes.inDebt && !this.payer.bytes.inDebt;
  }

  /** Whether the peer has read nearly everything that was sent, and nothing waits to be. */
  get isCaughtUp(): boolean {
    return this.outbox.characters === 0 && this.buffered <= CAUGHT_UP_BYTES;
  }

  /** Pays for a snapshot of so many characters. */
  spend(bytes: number): void {
    this.#usage.snapshotBytes += bytes;
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
      this.#usage.refused++;
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

  refuse(problem: Problem, id: RequestId | undefined): void {
    this.send(errorMessage(problem, id));
  }

  ping(): void {
    if (this.open) this.#socket!.ping();
  }

  /** Ends what waits to be sent for `of`. */
  withdraw(of: object): void {
    this.outbox.withdraw(of);
  }

  join(topic: string): void {
    if (this.open) this.#socket!.subscribe(topic);
  }

  leave(topic: string): void {
    if (this.open) this.#socket!.unsubscribe(topic);
  }

  /** Says why and closes; a peer that does not answer is cut off a little later. */
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

  /** Ends it without a farewell, which a peer that does not read would not get. */
  cut(): void {
    this.#socket?.terminate();
  }

  get subscriptions(): ReadonlyMap<string, Subscription> {
    return this.#subscriptions;
  }

  /** Takes in a subscription to a channel that it does not have. */
  enter(key: string, subscription: Subscription): void {
    this.#subscriptions.set(key, subscription);
    this.payer.channels++;
  }

  /** Ends the subscription of this name, where there is one. */
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

  /** Counts what the peer has sent; false when it was too much. */
  hear(): boolean {
    const now = performance.now();
    this.receivedAt = now;
    const earned = ((now - this.#allowedAt) * INBOUND_PER_SECOND) / 1000;
    this.#allowance = Math.min(INBOUND_BURST, this.#allowance + earned) - 1;
    this.#allowedAt = now;
    return this.#allowance >= 0;
  }

  /** Bytes that wait for the peer to read. */
  get buffered(): number {
    return this.#socket === null ? 0 : this.#socket.getBufferedAmount();
  }

  /**
   * Pauses what can be caught up with a snapshot; false when the peer has been slow for too long
   * for the rest.
   */
  keepsUp(now: number): boolean {
    const tooMuch = this.outbox.characters > MAX_BUFFERED_BYTES;
    if (this.outbox.isStalled(now) || tooMuch) return false;
    if (this.outbox.count() <= SLOW_BYTES) {
      this.#slowSince = null;
      return true;
    }
    this.#slowSince ??= now;
    for (const [, subscription] of this.subscriptions) {
      if (!subscription.conflates || this.#paused.includes(subscription)) continue;
      subscription.pause();
      this.#paused.push(subscription);
    }
    const onlyBooks = this.#paused.length === this.subscriptions.size;
    return onlyBooks || now - this.#slowSince < SLOW_MS;
  }

  /**
   * Puts off a subscription until the peer has read what waits and can pay; false where there is no
   * need.
   */
  putOff(subscription: Subscription): boolean {
    if (!subscription.conflates) return false;
    if (this.buffered <= SLOW_BYTES && this.affords) return false;
    this.#paused.push(subscription);
    return true;
  }

  /** As `putOff`, of a subscription that waits for a snapshot already. */
  pauseUntilAffordable(key: string): void {
    const subscription = this.subscriptions.get(key);
    if (subscription === undefined || this.#paused.includes(subscription)) return;
    subscription.pause();
    this.#paused.push(subscription);
  }

  /**
   * Goes on with what was put off and can go on now, one subscription at a time: each may cost what
   * is left.
   */
  resumeSome(): void {
    if (this.#paused.length === 0 || this.buffered > CAUGHT_UP_BYTES || !this.affords) return;
    this.#paused.shift()!.resume();
  }

  /** The subscriptions whose messages come. */
  get listening(): Subscription[] {
    const all = [...this.subscriptions.values()];
    return this.#paused.length === 0 ? all : all.filter((one) => !this.#paused.includes(one));
  }
}
