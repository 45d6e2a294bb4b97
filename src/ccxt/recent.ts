// The newest rows of a channel, with a count of new ones for each reader: ccxt's ArrayCache, which
// it does not export.

/** A symbol, or undefined for all. */
type Scope = string | undefined;

export interface RecentOptions<T> {
  /** Maximum of rows; the oldest are dropped first. */
  readonly limit: number;
  /** A row replaces an earlier one with the same identity. */
  readonly identity: (row: T) => unknown;
  readonly symbolOf: (row: T) => Scope;
  /** True if a changed row moves to the end (orders) or stays in place (candles). */
  readonly moves: boolean;
}

export class Recent<T> extends Array<T> {
  /** Slices are plain arrays. */
  static override get [Symbol.species]() {
    return Array;
  }

  readonly #options: RecentOptions<T>;
  /** At most `limit` ids per scope, since a scope may have no reader. */
  readonly #news = new Map<Scope, Set<unknown>>();
  /** Scopes whose new rows were read: the next row restarts their count. */
  readonly #taken = new Set<Scope>();

  constructor(options: RecentOptions<T>) {
    super();
    this.#options = options;
  }

  append(row: T): void {
    const { identity, limit, moves, symbolOf } = this.#options;
    const id = identity(row);
    const known = this.findLastIndex((other) => identity(other) === id);
    if (known >= 0 && !moves) this[known] = row;
    else {
      if (known >= 0) this.splice(known, 1);
      if (this.length >= limit) this.shift();
      this.push(row);
    }
    for (const scope of [undefined, symbolOf(row)]) {
      if (this.#taken.delete(scope)) this.#news.delete(scope);
      const ids = this.#news.get(scope) ?? new Set();
      this.#news.set(scope, ids.add(id));
      if (ids.size > limit) ids.delete(ids.values().next().value);
    }
  }

  /** The number of rows since the last read, at most `limit`. */
  getLimit(symbol: Scope, limit: number | undefined): number {
    this.#taken.add(symbol);
    const count = this.#news.get(symbol)?.size ?? 0;
    return Math.min(count, limit ?? count);
  }
}
