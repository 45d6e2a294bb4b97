// How often each of some ids is counted.
export class Counts {
  readonly #counts = new Map<number, number>();

  has(id: number): boolean {
    return this.#counts.size > 0 && this.#counts.has(id);
  }

  of(id: number): number {
    return this.#counts.size === 0 ? 0 : (this.#counts.get(id) ?? 0);
  }

  add(id: number, change = 1): void {
    const count = this.of(id) + change;
    if (count > 0) this.#counts.set(id, count);
    else this.#counts.delete(id);
  }

  /** Undoes one add. */
  remove(id: number): void {
    this.add(id, -1);
  }
}
