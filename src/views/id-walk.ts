// Walks rows by id. Ids of orders, trades and statement entries grow with time. A time window is
// therefore an id window, found by bisection, and a page is a walk of ids from one end. If no
// single index serves a page, it is merged from several index ranges. It never reads rows that it
// does not return.
import { assert } from '../core/assert.ts';

/** The largest page of any view. */
export const MAX_PAGE_SIZE = 1000;

export function assertPageSize(size: number): void {
  assert(size >= 1 && size <= MAX_PAGE_SIZE, 'a page has 1 to 1000 rows');
}

/** Above every id. */
export const NO_BOUND = Number.MAX_SAFE_INTEGER;

export interface IdTime {
  readonly id: number;
  /** Business time, ms. */
  readonly time: number;
}

/**
 * The id that splits rows in time: rows with this id or a greater one have `time` or later, rows
 * with a smaller id are earlier. `atOrAfter(id)` looks up the first row whose id is at least `id`;
 * `end` is above every id.
 */
export function idAtTime(
  time: number,
  end: number,
  atOrAfter: (id: number) => IdTime | null,
): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    const row = atOrAfter(middle);
    if (row === null || row.time >= time) high = middle;
    else low = row.id + 1;
  }
  return low;
}

/** Business time, ms: from `start` on, before `end`. */
export interface TimeWindow {
  readonly start?: number;
  readonly end?: number;
}

/** Ids: from `from` on, below `end`. */
export interface IdWindow {
  readonly from: number;
  readonly end: number;
}

export const idWindow = ({ start, end }: TimeWindow, idAt: (time: number) => number): IdWindow => ({
  from: start === undefined ? 0 : idAt(start),
  end: end === undefined ? NO_BOUND : idAt(end),
});

/**
 * One index range, walked in steps: at most `limit` items beyond `bound`, which are those with a
 * smaller id when the walk is newest first and those with a greater id otherwise, nearest first.
 * More of them only where the last ones have the same id.
 */
export type Range<T> = (bound: number, limit: number) => T[];

export interface MergeOptions<T> {
  readonly ranges: readonly Range<T>[];
  readonly idOf: (item: T) => number;
  readonly newestFirst: boolean;
  /** Where the walk starts: beyond this id. */
  readonly bound: number;
  readonly size: number;
}

/**
 * The first `size` items of all ranges together, in order of id. Items with the same id stay
 * together, so that a page that continues beyond the last id misses none; only they can make a page
 * longer than `size`.
 */
export function mergeRanges<T>(options: MergeOptions<T>): T[] {
  const { ranges, idOf, newestFirst, bound, size } = options;
  // Twice the fair share, so that one refill is the exception.
  const step = Math.min(size + 1, 8 + Math.ceil((2 * size) / Math.max(ranges.length, 1)));
  const cursors = ranges.map((range) => new Cursor(range, idOf, bound, step));
  const page: T[] = [];
  let last = Number.NaN;
  for (;;) {
    let next: Cursor<T> | undefined;
    for (const cursor of cursors) {
      if (cursor.done) continue;
      if (next === undefined || (newestFirst ? cursor.id > next.id : cursor.id < next.id)) {
        next = cursor;
      }
    }
    if (next === undefined || (page.length >= size && next.id !== last)) return page;
    last = next.id;
    page.push(next.take());
  }
}

/** A place in a range. */
class Cursor<T> {
  /** The id at the cursor, unless `done`. */
  id = Number.NaN;
  done = false;
  readonly #range: Range<T>;
  readonly #idOf: (item: T) => number;
  readonly #step: number;
  #items: T[];
  #at = 0;

  constructor(range: Range<T>, idOf: (item: T) => number, bound: number, step: number) {
    this.#range = range;
    this.#idOf = idOf;
    this.#step = step;
    this.#items = range(bound, step);
    this.#look();
  }

  take(): T {
    const item = this.#items[this.#at++];
    if (this.#at === this.#items.length && this.#items.length >= this.#step) {
      this.#items = this.#range(this.id, this.#step);
      this.#at = 0;
    }
    this.#look();
    return item;
  }

  #look(): void {
    if (this.#at < this.#items.length) this.id = this.#idOf(this.#items[this.#at]);
    else this.done = true;
  }
}
