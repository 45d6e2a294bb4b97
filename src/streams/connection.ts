// One socket: who is behind it, what it is subscribed to, and how fast it may send and must read.
import type { ServerWebSocket } from 'bun';
import type { Problem } from '../contract/problem.ts';
import type { Endpoint, RequestId, StreamPath, Subject } from '../contract/stream.ts';
import { errorMessage } from '../contract/stream-messages.ts';
import type { LiveKey, ModuleId } from '../identity/live-key.ts';
import { CLOSING_MS, INBOUND_BURST, INBOUND_PER_SECOND, SLOW_BYTES, SLOW_MS } from './limits.ts';

/** Close codes of RFC 6455 that are used here. */
export const Close = { goingAway: 1001, policy: 1008, tryAgainLater: 1013 } as const;

/** Who has logged in, by a key or by a session. */
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

/** What tells the subscriptions of one connection apart. */
export const keyOf = ({ channel, symbol, depth, interval }: Subject): string =>
  `${channel}/${symbol ?? ''}/${depth ?? ''}/${interval ?? ''}`;

/** What is known of a connection before it opens. */
export interface ConnectionTerms {
  readonly id: number;
  readonly path: StreamPath;
  readonly endpoint: Endpoint;
  /** Of the peer, and as limits count it. */
  readonly address: string;
  readonly limitedAs: string;
  readonly login: Login | null;
}

export class Connection {
  readonly id: number;
  readonly path: StreamPath;
  readonly endpoint: Endpoint;
  readonly address: string;
  readonly limitedAs: string;
  readonly subscriptions = new Map<string, Subscription>();
  readonly openedAt = performance.now();
  login: Login | null;
  /** Whether the account's orders are canceled when this connection is gone. */
  cancelsOnDisconnect = false;
  /** When anything was last heard of the peer, of performance.now(). */
  heardAt = this.openedAt;
  #socket: Socket | null = null;
  #closing = false;
  #allowance = INBOUND_BURST;
  #allowedAt = this.openedAt;
  #slowSince: number | null = null;
  #paused: Subscription[] = [];

  constructor(terms: ConnectionTerms) {
    this.id = terms.id;
    this.path = terms.path;
    this.endpoint = terms.endpoint;
    this.address = terms.address;
    this.limitedAs = terms.limitedAs;
    this.login = terms.login;
  }

  attach(socket: Socket): void {
    this.#socket = socket;
  }

  get open(): boolean {
    return this.#socket !== null && !this.#closing;
  }

  send(text: string): void {
    if (this.open) this.#socket!.send(text);
  }

  refuse(problem: Problem, id: RequestId | undefined): void {
    this.send(errorMessage(problem, id));
  }

  ping(): void {
    if (this.open) this.#socket!.ping();
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
    this.#socket = null;
  }

  endAll(): void {
    for (const subscription of this.subscriptions.values()) subscription.end();
    this.subscriptions.clear();
    this.#paused = [];
  }

  /** Counts what the peer has sent; false when it was too much. */
  hear(): boolean {
    const now = performance.now();
    this.heardAt = now;
    const earned = ((now - this.#allowedAt) * INBOUND_PER_SECOND) / 1000;
    this.#allowance = Math.min(INBOUND_BURST, this.#allowance + earned) - 1;
    this.#allowedAt = now;
    return this.#allowance >= 0;
  }

  /** Bytes that wait for the peer to read. */
  get buffered(): number {
    return this.open ? this.#socket!.getBufferedAmount() : 0;
  }

  /** Pauses what can be caught up with a snapshot; false when the peer has been slow for too long for the rest. */
  keepsUp(now: number): boolean {
    if (this.buffered <= SLOW_BYTES) {
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

  /** Puts off a subscription until the peer has read what waits; false where there is no need. */
  putOff(subscription: Subscription): boolean {
    if (!subscription.conflates || this.buffered <= SLOW_BYTES) return false;
    this.#paused.push(subscription);
    return true;
  }

  get isPaused(): boolean {
    return this.#paused.length > 0;
  }

  /** The peer has read what was waiting. */
  resume(): void {
    for (const subscription of this.#paused.splice(0)) subscription.resume();
  }

  drop(subscription: Subscription): void {
    this.#paused = this.#paused.filter((paused) => paused !== subscription);
  }
}
