// The queries that wait for the follower, by the seq that they need and by the time when their
// callers give up: a command costs what it answers, however many others wait.
import { IndexedHeap } from '../core/indexed-heap.ts';

interface WaitingQuery {
  readonly minSeq: number;
  /** The caller has given up by then. */
  readonly expiresAt: number;
  readonly run: () => void;
  readonly reject: (error: Error) => void;
}

export class WaitingQueries {
  /** By number, in order of arrival. */
  readonly #all = new Map<number, WaitingQuery>();
  #next = 0;
  readonly #bySeq = new IndexedHeap();
  readonly #byExpiry = new IndexedHeap();

  get size(): number {
    return this.#all.size;
  }

  add(query: WaitingQuery): void {
    const id = this.#next++;
    this.#all.set(id, query);
    this.#bySeq.add(id, query.minSeq);
    this.#byExpiry.add(id, query.expiresAt);
  }

  /** Removes and returns those that need at most this seq, in order. */
  takeReady(seq: number): WaitingQuery[] {
    return this.#take(this.#bySeq, seq);
  }

  /** Removes and returns those that have expired, in order. */
  takeExpired(now: number): WaitingQuery[] {
    return this.#take(this.#byExpiry, now);
  }

  takeAll(): WaitingQuery[] {
    return this.takeReady(Number.POSITIVE_INFINITY);
  }

  #take(heap: IndexedHeap, upTo: number): WaitingQuery[] {
    const taken: WaitingQuery[] = [];
    while (heap.size > 0 && heap.firstKey <= upTo) {
      const id = heap.first;
      taken.push(this.#all.get(id)!);
      this.#bySeq.remove(id);
      this.#byExpiry.remove(id);
      this.#all.delete(id);
    }
    return taken;
  }
}
