// One channel that is listened to, over all connections that it takes: it checks that no message is missing, and asks to be
// begun again where one is. Messages are had by `for await` or by a callback.
import { AgioError } from './errors.ts';
import { MessageQueue, ReaderTooSlow } from './message-queue.ts';
import type { DataMessage } from './stream-messages.ts';

/** What is asked for: the channel with what tells it from others of its name. */
export interface Subject {
  readonly channel: DataMessage['channel'];
  readonly symbol?: string;
  readonly depth?: number;
  readonly interval?: string;
}

export const keyOf = ({ channel, symbol, depth, interval }: Subject): string =>
  [channel, symbol, depth, interval].join('/');

/** What a subscription needs of the connection. */
export interface Line {
  /** Begins the subscription anew. */
  begin(subscription: Subscription<DataMessage>): void;
  remove(subscription: Subscription<DataMessage>): void;
}

export interface SubscriptionOptions {
  /** Private channels: what came after this position comes first, instead of a snapshot. */
  readonly resumeFrom?: number;
  /** Of `orders`: cancels all open orders of the account when the connection is gone. */
  readonly cancelOnDisconnect?: boolean;
}

interface Settle {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * `asked`: waits for the connection, or for the server's consent. `begun`: the first message has not come yet. `live`: messages come
 * as things happen. `ended`: for good.
 */
export type Phase = 'asked' | 'begun' | 'live' | 'ended';

export class Subscription<M extends DataMessage> implements AsyncIterable<M> {
  readonly subject: Subject;
  readonly cancelOnDisconnect: boolean;
  /** Fulfilled when the first message or, of a resumed one, the consent has come; rejected where it cannot begin. */
  readonly ready: Promise<void>;
  /** Fulfilled when it was closed; rejected where it cannot go on. */
  readonly done: Promise<void>;
  readonly #line: Line;
  readonly #resumes: boolean;
  readonly #listeners = new Set<(message: M) => void>();
  readonly #phaseListeners = new Set<() => void>();
  /** null where messages are not kept for a loop, which `#unkept` then tells about. */
  #queue: MessageQueue<M> | null;
  #unkept: (() => AgioError) | null = null;
  #iterated = false;
  #phase: Phase = 'asked';
  /** Of the last message: the next has to follow it. */
  #seq: number | null;
  /** Where to take it up: everything until there has been heard. A quiet channel moves on with the heartbeats. */
  #place: number | null;
  #gaps = 0;
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
    // Nobody has to look at all three: these two, and the loop.
    this.ready.catch(() => {});
    this.done.catch(() => {});
  }

  get phase(): Phase {
    return this.#phase;
  }
  /** The position of the last message; as `resumeFrom` of a later subscription it goes on from here. */
  get seq(): number | null {
    return this.#seq;
  }
  /** How often messages were missing, so that it was begun anew. */
  get gaps(): number {
    return this.#gaps;
  }
  get ended(): boolean {
    return this.#phase === 'ended';
  }

  /**
   * What is asked for at the next beginning: `seq`, or later where nothing has happened since. null for a public channel, and
   * before the first message.
   */
  get resumeFrom(): number | null {
    return this.#resumes ? this.#place : null;
  }

  /** Calls `listener` with every message; returns what ends that. Messages from before are not kept for it. */
  on(listener: (message: M) => void): () => void {
    this.#listeners.add(listener);
    if (!this.#iterated && this.#queue !== null) this.#keepNone(readTwice);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Calls `listener` when `phase` has changed; returns what ends that. */
  onPhase(listener: () => void): () => void {
    this.#phaseListeners.add(listener);
    return () => {
      this.#phaseListeners.delete(listener);
    };
  }

  /** All messages since the subscription was made. Leaving the loop closes the subscription. Throws Refused, ReaderTooSlow. */
  [Symbol.asyncIterator](): AsyncIterator<M, void> {
    if (this.#queue === null) throw this.#unkept!();
    if (this.#iterated) throw readTwice();
    this.#iterated = true;
    return this.#queue;
  }

  /** Ends it. */
  close(): void {
    this.end();
  }

  /** Ends it, with an error where it cannot go on. */
  end(error: unknown = null): void {
    if (this.#phase === 'ended') return;
    this.#line.remove(this as unknown as Subscription<DataMessage>);
    this.finish(error);
  }

  // What follows is for the connection.

  /** The server has been asked; what comes before its consent belongs to an earlier beginning. */
  noteAsked(): void {
    if (this.#phase !== 'ended') this.#enter('asked');
  }

  noteBegun(): void {
    if (this.#phase !== 'asked') return;
    if (this.resumeFrom === null) {
      this.#enter('begun');
      return;
    }
    // The first message follows what was asked for.
    this.#seq = this.#place;
    this.#enter('live');
    this.#ready.resolve();
  }

  /** It cannot be taken up where it was left; the next beginning is a snapshot. */
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

  /** For the loop. Where there is none, the subscription goes on without it: it may be there for its `cancelOnDisconnect`. */
  #keep(message: M): void {
    if (this.#queue === null || this.#queue.push(message)) return;
    if (this.#iterated) this.end(new ReaderTooSlow());
    this.#keepNone(() => new ReaderTooSlow());
  }

  #keepNone(why: () => AgioError): void {
    this.#queue = null;
    this.#unkept = why;
  }

  /** A heartbeat of the position `upTo` says that the last message was that of `seq`. */
  compareWith(seq: number, upTo: number): void {
    if (this.#phase !== 'live' || this.#seq === null || this.#place === null) return;
    if (seq > this.#seq) this.beginAgain();
    else this.#place = Math.max(this.#place, upTo);
  }

  /** Something is missing or wrong: asks for the channel from the beginning, or from where it was left. */
  beginAgain(): void {
    if (this.#phase === 'ended') return;
    this.#gaps++;
    this.#line.begin(this as unknown as Subscription<DataMessage>);
  }

  /** No more messages come: it was closed, or cannot go on. */
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
