// A subscription to one channel, across all connections that it takes. It detects missing messages
// and then subscribes again. Read messages with `for await` or a callback.
import { AgioError } from './errors.ts';
import type { DataMessage } from './generated/types.ts';
import { MessageQueue, ReaderTooSlow } from './message-queue.ts';

/** The channel, and what tells it from others of its name. */
export interface Subject {
  readonly channel: DataMessage['channel'];
  readonly symbol?: string;
  readonly depth?: number;
  readonly interval?: string;
}

export const keyOf = ({ channel, symbol, depth, interval }: Subject): string =>
  [channel, symbol, depth, interval].join('/');

/** The connection, as a subscription uses it. */
export interface Line {
  /** Subscribes again. */
  begin(subscription: StreamSubscription<DataMessage>): void;
  remove(subscription: StreamSubscription<DataMessage>): void;
}

export interface SubscriptionOptions {
  /** Private channels: start after this position instead of with a snapshot. */
  readonly resumeFrom?: number;
  /** `orders` only: cancels all open orders of the account when the connection is lost. */
  readonly cancelOnDisconnect?: boolean;
}

/** Requests, a quarter of a second apart. */
const MAX_WAITS = 40;
const WAITS_PER_NODE = 10;

interface Settle {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * `asked`: waits for the connection or the acknowledgement. `begun`: acknowledged, without a
 * message yet. `live`: messages arrive as they occur. `ended`: closed.
 */
export type Phase = 'asked' | 'begun' | 'live' | 'ended';

export class StreamSubscription<M extends DataMessage> implements AsyncIterable<M> {
  readonly subject: Subject;
  readonly cancelOnDisconnect: boolean;
  /**
   * Resolves with the first message or, when resumed, the acknowledgement; rejects if it is
   * rejected.
   */
  readonly ready: Promise<void>;
  /** Resolves when it is closed; rejects if it cannot continue. */
  readonly done: Promise<void>;
  readonly #line: Line;
  readonly #resumes: boolean;
  readonly #listeners = new Set<(message: M) => void>();
  readonly #phaseListeners = new Set<() => void>();
  /** null if no loop reads messages; `#unkept` then receives them. */
  #queue: MessageQueue<M> | null;
  #unkept: (() => AgioError) | null = null;
  #iterated = false;
  #phase: Phase = 'asked';
  /** The `seq` of the last message; the next one must follow it. */
  #seq: number | null;
  /**
   * The position to resume from: everything up to it was received. Heartbeats advance a quiet
   * channel.
   */
  #place: number | null;
  #gaps = 0;
  /** A server has accepted a subscribe, so its positions are those of the journal. */
  #accepted = false;
  /** How often servers were behind the position since one accepted a subscribe. */
  #waits = 0;
  #ready!: Settle;
  #done!: Settle;

  constructor(subject: Subject, line: Line, resumes: boolean, options: SubscriptionOptions = {}) {
    this.subject = subject;
    this.#line = line;
    this.#resumes = resumes;
    this.#seq = options.resumeFrom ?? null;
    this.#place = this.#seq;
    this.cancelOnDisconnect = options.cancelOnDisconnect ?? false;
    this.#queue = new MessageQueue<M>(() => this.close());
    this.ready = new Promise((resolve, reject) => {
      this.#ready = { resolve, reject };
    });
    this.done = new Promise((resolve, reject) => {
      this.#done = { resolve, reject };
    });
    // Callers need not handle all three: these two, and the loop.
    this.ready.catch(() => {});
    this.done.catch(() => {});
  }

  get phase(): Phase {
    return this.#phase;
  }
  /** The position of the last message; a later subscription continues with it as `resumeFrom`. */
  get seq(): number | null {
    return this.#seq;
  }
  /** How often messages were missing, so that it subscribed again. */
  get gaps(): number {
    return this.#gaps;
  }
  get ended(): boolean {
    return this.#phase === 'ended';
  }

  /**
   * The position for the next subscribe: `seq`, or later if nothing has occurred since. null for a
   * public channel and before the first message.
   */
  get resumeFrom(): number | null {
    return this.#resumes ? this.#place : null;
  }

  /** Calls `listener` with every new message; returns a function that removes it. */
  on(listener: (message: M) => void): () => void {
    this.#listeners.add(listener);
    if (!this.#iterated && this.#queue !== null) this.#keepNone(readTwice);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Calls `listener` when `phase` changes; returns a function that removes it. */
  onPhase(listener: () => void): () => void {
    this.#phaseListeners.add(listener);
    return () => {
      this.#phaseListeners.delete(listener);
    };
  }

  /**
   * All messages since the subscription began. Leaving the loop closes it. Throws Rejection,
   * ReaderTooSlow.
   */
  [Symbol.asyncIterator](): AsyncIterator<M, void> {
    if (this.#queue === null) throw this.#unkept!();
    if (this.#iterated) throw readTwice();
    this.#iterated = true;
    return this.#queue;
  }

  /** Closes the subscription. */
  close(): void {
    this.end();
  }

  /** Closes the subscription, with an error if it cannot continue. */
  end(error: unknown = null): void {
    if (this.#phase === 'ended') return;
    this.#line.remove(this as unknown as StreamSubscription<DataMessage>);
    this.finish(error);
  }

  // The rest is for the connection.

  /** The request was sent; messages before its acknowledgement belong to the previous subscribe. */
  noteAsked(): void {
    if (this.#phase !== 'ended') this.#enter('asked');
  }

  /**
   * The server has not reached the position of the subscription, as a node that follows another
   * one. Returns whether to ask it again or to ask another one; it ends after many
   * requests, because a server that lost its journal never reaches the position.
   */
  noteBehind(): 'again' | 'elsewhere' | 'end' {
    if (!this.#accepted || ++this.#waits > MAX_WAITS) return 'end';
    return this.#waits % WAITS_PER_NODE === 0 ? 'elsewhere' : 'again';
  }

  noteBegun(): void {
    if (this.#phase !== 'asked') return;
    this.#accepted = true;
    this.#waits = 0;
    if (this.resumeFrom === null) {
      this.#enter('begun');
      return;
    }
    // The first message follows the requested position.
    this.#seq = this.#place;
    this.#enter('live');
    this.#ready.resolve();
  }

  /** The server cannot resume here; the next subscribe starts with a snapshot. */
  forgetPlace(): void {
    this.#seq = null;
    this.#place = null;
  }

  receive(message: M): void {
    const { type, seq, prevSeq } = message;
    const awaited = type === 'snapshot' ? this.#phase !== 'asked' : this.#phase === 'live';
    if (!awaited || this.#phase === 'ended') return;
    if (type === 'update' && prevSeq !== this.#seq) {
      this.beginAgain();
      return;
    }
    this.#seq = seq;
    this.#place = seq;
    this.#enter('live');
    this.#ready.resolve();
    this.#keep(message);
    for (const listener of this.#listeners) listener(message);
  }

  /**
   * For the loop. Without one the subscription continues: it may exist for `cancelOnDisconnect`
   * alone.
   */
  #keep(message: M): void {
    if (this.#queue === null || this.#queue.push(message)) return;
    if (this.#iterated) this.end(new ReaderTooSlow());
    this.#keepNone(() => new ReaderTooSlow());
  }

  #keepNone(why: () => AgioError): void {
    this.#queue = null;
    this.#unkept = why;
  }

  /** A heartbeat at `upTo` confirms that the last message was the one of `seq`. */
  compareWith(seq: number, upTo: number): void {
    if (this.#phase !== 'live' || this.#seq === null || this.#place === null) return;
    if (seq > this.#seq) this.beginAgain();
    else this.#place = Math.max(this.#place, upTo);
  }

  /** A message is missing or wrong: subscribes again, from the start or from the last position. */
  beginAgain(): void {
    if (this.#phase === 'ended') return;
    this.#gaps++;
    this.#line.begin(this as unknown as StreamSubscription<DataMessage>);
  }

  /** No more messages follow: it was closed, or cannot continue. */
  finish(error: unknown = null): void {
    if (this.#phase === 'ended') return;
    this.#listeners.clear();
    this.#queue?.end(error);
    this.#ready.reject(error ?? new AgioError('The subscription was closed.'));
    if (error === null) this.#done.resolve();
    else this.#done.reject(error);
    this.#enter('ended');
    this.#phaseListeners.clear();
  }

  #enter(phase: Phase): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    for (const listener of this.#phaseListeners) listener();
  }
}

const readTwice = (): AgioError =>
  new AgioError('A subscription is read in one place: in one loop, or by callbacks.');
