// Messages that wait to be sent to one connection: messages too long to be sent immediately, those
// that follow an answer, and everything behind them. The socket gets a message when its turn comes
// and the peer has read the earlier ones, so little is buffered twice.
import type { Payer } from './budget.ts';
import {
  BULK_TEXT,
  CAUGHT_UP_BYTES,
  MAX_BUFFERED_IN_ALL,
  MAX_BUFFERED_OF_PAYER,
  MAX_HELD,
  REFILL_BYTES,
  REFILL_TEXT,
  SLOW_BYTES,
  STALL_MS,
} from './limits.ts';
import type { Turns } from './turns.ts';

/** A message that waits. `of` is its owner; `sent` is called when the socket has it. */
export interface Waiting {
  readonly text: string;
  readonly of: object | null;
  readonly sent: (() => void) | null;
}

interface QueuedMessage extends Waiting {
  /** It follows the answers to all requests up to this number. */
  readonly after: number;
}

/** Cost of all connections together. */
export interface Usage {
  /** Bytes in the sockets that the peers have not read. */
  buffered: number;
  /** Bytes of snapshots since the start. */
  snapshotBytes: number;
  /** Requests that a budget has rejected since the start. */
  rejected: number;
}

/** The end of the connection that bytes leave by. */
export interface Outlet {
  readonly open: boolean;
  /** Bytes that wait for the peer. */
  readonly buffered: number;
  /** True if the system took all of it, so that nothing of it waits. */
  write(text: string): boolean;
}

export class Outbox {
  payer: Payer;
  readonly #outlet: Outlet;
  readonly #turns: Turns;
  readonly #all: Usage;
  #waiting: QueuedMessage[] = [];
  #characters = 0;
  /** The numbers of requests that are not answered yet, in ascending order. */
  readonly #unanswered = new Map<object, number>();
  #lastRequest = 0;
  #scheduled = false;
  /** The part of this connection in the sums. */
  #counted = 0;
  #bufferedBefore = 0;
  #movedAt: number | null = null;

  constructor(outlet: Outlet, payer: Payer, turns: Turns, all: Usage) {
    this.#outlet = outlet;
    this.payer = payer;
    this.#turns = turns;
    this.#all = all;
  }

  /** Characters that wait. */
  get characters(): number {
    return this.#characters;
  }

  /** Sends a short message immediately, unless another one waits. */
  send(text: string, of: object | null = null): void {
    if (this.#isFree(text) && this.#outlet.buffered <= SLOW_BYTES) {
      this.#turns.now(this.payer, () => this.#write(text));
    } else {
      this.#push({ text, of, sent: null });
    }
  }

  /** Sends a message of any length in turn. */
  sendInTurn(waiting: Waiting): void {
    const isFree = this.#isFree(waiting.text) && this.#turns.hasRoom;
    if (isFree && this.#outlet.buffered <= CAUGHT_UP_BYTES) {
      this.#turns.now(this.payer, () => {
        this.#write(waiting.text);
        waiting.sent?.();
      });
    } else {
      this.#push(waiting);
    }
  }

  #isFree(text: string): boolean {
    const isNext = this.#waiting.length === 0 && this.#unanswered.size === 0;
    return isNext && text.length <= BULK_TEXT;
  }

  /** Everything from now on waits for the answer to `request`, up to MAX_HELD characters. */
  hold(request: object): void {
    if (!this.#unanswered.has(request)) this.#unanswered.set(request, ++this.#lastRequest);
  }

  /** Sends the answer to `request` before all that wait, unless the peer does not read. */
  sendFirst(text: string, request: object): void {
    if (this.#counted <= SLOW_BYTES) this.#write(text);
    else this.#push({ text, of: null, sent: null });
    if (this.#unanswered.delete(request)) this.wake();
  }

  /** Sends before all that wait; for messages that must directly follow one that was just sent. */
  sendNow(text: string): void {
    this.#write(text);
  }

  #write(text: string): void {
    if (!this.#outlet.open) return;
    const isSent = this.#outlet.write(text);
    // Asking the socket costs a third of a microsecond.
    if (!isSent || this.#counted > 0) this.count();
  }

  #push(waiting: Waiting): void {
    this.#waiting.push({ ...waiting, after: this.#lastRequest });
    this.#characters += waiting.text.length;
    // Twice as much as comes, so that a burst does not pile up before a peer that reads.
    if (this.#next !== undefined) {
      this.#turns.now(this.payer, () => this.#sendSome(2 * BULK_TEXT, BULK_TEXT));
    }
    this.wake();
  }

  /** Drops the unsent messages of `of`. */
  withdraw(of: object): void {
    if (this.#waiting.length === 0) return;
    this.#waiting = this.#waiting.filter((one) => one.of !== of);
    this.#characters = this.#waiting.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** The message that may be sent now, if any. */
  get #next(): QueuedMessage | undefined {
    const [next] = this.#waiting;
    if (next === undefined || !this.#isReady(next)) return undefined;
    const [unanswered] = this.#unanswered.values();
    const isHeld = unanswered !== undefined && unanswered <= next.after;
    return isHeld && this.#characters <= MAX_HELD ? undefined : next;
  }

  /** Sends what waits, if the peer and the server's memory allow it. */
  wake(): void {
    if (this.#scheduled || this.#next === undefined) return;
    this.#scheduled = true;
    this.#turns.add(this.payer, () => {
      this.#scheduled = false;
      this.#sendSome(REFILL_TEXT);
      this.wake();
    });
  }

  /** Sends up to so many characters, in messages of at most `longest`. */
  #sendSome(characters: number, longest = Number.POSITIVE_INFINITY): void {
    let sent = 0;
    while (sent < characters) {
      const next = this.#next;
      if (next === undefined || next.text.length > longest || !this.#outlet.open) return;
      this.#waiting.shift();
      this.#characters -= next.text.length;
      sent += next.text.length;
      this.#write(next.text);
      next.sent?.();
    }
  }

  /** A long message waits until the peer has read the one before and there is memory for it. */
  #isReady({ text }: Waiting): boolean {
    const { length } = text;
    if (length <= BULK_TEXT) return this.#outlet.buffered <= REFILL_BYTES;
    if (this.#outlet.buffered > CAUGHT_UP_BYTES) return false;
    const own = this.payer.buffered;
    const all = this.#all.buffered;
    const ownFits = own === 0 || own + length <= MAX_BUFFERED_OF_PAYER;
    return ownFits && (all === 0 || all + length <= MAX_BUFFERED_IN_ALL);
  }

  /** Updates the sums; returns the bytes that wait for the peer. */
  count(): number {
    const { buffered } = this.#outlet;
    const more = buffered - this.#counted;
    if (more !== 0) {
      this.#counted = buffered;
      this.payer.buffered += more;
      this.#all.buffered += more;
    }
    return buffered;
  }

  moveTo(payer: Payer): void {
    this.payer.buffered -= this.#counted;
    payer.buffered += this.#counted;
    this.payer = payer;
  }

  /** True if the peer has read nothing for long although bytes wait for it; called regularly. */
  isStalled(now: number): boolean {
    const { buffered } = this.#outlet;
    if (buffered === 0 || buffered < this.#bufferedBefore) this.#movedAt = now;
    this.#bufferedBefore = buffered;
    this.#movedAt ??= now;
    return now - this.#movedAt > STALL_MS;
  }

  /** Drops what was not sent. */
  clear(): void {
    this.#waiting = [];
    this.#characters = 0;
  }

  close(): void {
    this.clear();
    this.payer.buffered -= this.#counted;
    this.#all.buffered -= this.#counted;
    this.#counted = 0;
  }
}
