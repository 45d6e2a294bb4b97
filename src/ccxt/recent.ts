// The newest rows of a channel, and how many of them are news to whoever asks: what ccxt calls an ArrayCache and does not
// export.

/** Whose news: those of a symbol, or all. */
type Scope = string | undefined;

export interface RecentOptions<T> {
  /** Rows that are kept; the oldest go first. */
  readonly limit: number;
  /** Two rows with the same identity are one, of which the later counts. */
  readonly identity: (row: T) => unknown;
  readonly symbolOf: (row: T) => Scope;
  /** Whether a row that has changed goes to the end, as orders do, or stays where it is, as candles do. */
  readonly moves: boolean;
}

export class Recent<T> extends Array<T> {
  /** Parts of it are plain lists. */
  static override get [Symbol.species]() {
    return Array;
  }

  readonly #options: RecentOptions<T>;
  /** No more for each than there are rows: nobody may ever ask for the news of a symbol. */
  readonly #news = new Map<Scope, Set<unknown>>();
  /** Scopes whose news have been taken: the next row begins to count anew. */
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

  /** How many rows at the end to show: those that are new since the last time, and no more than `limit`. */
  getLimit(symbol: Scope, limit: number | undefined): number {
    this.#taken.add(symbol);
    const count = this.#news.get(symbol)?.size ?? 0;
    return Math.min(count, limit ?? count);
  }
}
