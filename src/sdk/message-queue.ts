// Messages that wait to be read by `for await`. The queue is bounded: a reader that falls too far
// behind would see only the distant past.
import { AgioError } from './errors.ts';

const MAX_WAITING = 10_000;

/** The reader has not read for too long. */
export class ReaderTooSlow extends AgioError {
  override readonly name = 'ReaderTooSlow';

  constructor() {
    super(`More than ${MAX_WAITING} messages were not taken.`);
  }
}

export class MessageQueue<T> implements AsyncIterator<T, void> {
  #waiting: T[] = [];
  /** Readers that wait for a message, in order. */
  #takers: Taker<T>[] = [];
  #ended = false;
  #error: unknown = null;
  readonly #onReturn: () => void;

  /** `onReturn` is called when the loop is left. */
  constructor(onReturn: () => void) {
    this.#onReturn = onReturn;
  }

  /** Returns false if the queue was full; it then discards all waiting messages. */
  push(message: T): boolean {
    if (this.#ended) return true;
    const taker = this.#takers.shift();
    if (taker !== undefined) {
      taker.resolve({ done: false, value: message });
      return true;
    }
    this.#waiting.push(message);
    if (this.#waiting.length <= MAX_WAITING) return true;
    this.#waiting = [];
    return false;
  }

  /** Waiting messages are still delivered; then the loop ends, or throws the error. */
  end(error: unknown = null): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    const takers = this.#takers;
    this.#takers = [];
    for (const { resolve, reject } of takers) this.next().then(resolve, reject);
  }

  next(): Promise<IteratorResult<T, void>> {
    const message = this.#waiting.shift();
    if (message !== undefined) return Promise.resolve({ done: false, value: message });
    if (!this.#ended) {
      return new Promise((resolve, reject) => {
        this.#takers.push({ resolve, reject });
      });
    }
    const error = this.#error;
    this.#error = null;
    if (error !== null) return Promise.reject(error);
    return Promise.resolve({ done: true, value: undefined });
  }

  return(): Promise<IteratorResult<T, void>> {
    this.#waiting = [];
    this.end();
    this.#onReturn();
    return Promise.resolve({ done: true, value: undefined });
  }
}

interface Taker<T> {
  readonly resolve: (result: IteratorResult<T, void>) => void;
  readonly reject: (error: unknown) => void;
}
