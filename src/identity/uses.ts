// Uses of keys or sessions since they were last written: id → wall clock, ms. A request notes its
// use here and never waits for the disk; a flush writes it later. A node that does not lead reads
// its own notes, and sends them to the leader.

export type Use = readonly [id: number, time: number];

export class Uses {
  readonly #times = new Map<number, number>();
  /** Noted since the last `take`; null where this node writes them itself. */
  #unsent: Map<number, number> | null = null;

  /** The last use; `stored` is that of the table. */
  latest<T extends number | null>(id: number, stored: T): number | T {
    const noted = this.#times.get(id);
    return noted === undefined ? stored : Math.max(noted, stored ?? noted);
  }

  note(id: number, time: number): void {
    this.#times.set(id, time);
    this.#unsent?.set(id, time);
  }

  /** Adds the notes of another node. */
  merge(uses: readonly Use[]): void {
    for (const [id, time] of uses) {
      if (time > (this.#times.get(id) ?? Number.NEGATIVE_INFINITY)) this.note(id, time);
    }
  }

  /** At most `maximum` uses, for a flush; call `written` for each afterwards. */
  first(maximum: number): Use[] {
    return this.#times.size === 0 ? [] : [...this.#times].slice(0, maximum);
  }

  /** Forgets a use that the table has; a later one stays. */
  written(id: number, time: number): void {
    const noted = this.#times.get(id);
    if (noted !== undefined && noted <= time) this.#times.delete(id);
  }

  delete(id: number): void {
    this.#times.delete(id);
    this.#unsent?.delete(id);
  }

  /** From here on another node writes the uses. It needs all of them, whatever it had before. */
  follow(): void {
    this.#unsent = new Map(this.#times);
  }

  lead(): void {
    this.#unsent = null;
  }

  /** The uses since the last call, for the leader. */
  take(): Use[] {
    const uses = [...(this.#unsent ?? [])];
    this.#unsent?.clear();
    return uses;
  }
}
