// Which events the core emits. Events cost time on the order path, so the leader emits only those
// that a stream has a subscriber for. The follower, which writes the views, emits all. The filter
// never changes a result.

/** How many listen, by id. */
class Counts {
  readonly #counts = new Map<number, number>();

  has(id: number): boolean {
    return this.#counts.size > 0 && this.#counts.has(id);
  }

  add(id: number): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
  }

  remove(id: number): void {
    const left = (this.#counts.get(id) ?? 0) - 1;
    if (left > 0) this.#counts.set(id, left);
    else this.#counts.delete(id);
  }
}

export class Audience {
  readonly #hearsAll: boolean;
  readonly #owners = new Counts();
  readonly #pairs = new Counts();
  #listings = 0;

  private constructor(hearsAll: boolean) {
    this.#hearsAll = hearsAll;
  }

  /** Hears everything: of the follower, and of tests. */
  static all(): Audience {
    return new Audience(true);
  }

  /** Nobody yet. */
  static none(): Audience {
    return new Audience(false);
  }

  /** Whether somebody hears the reports, transfers and earn events of this owner. */
  ofOwner(uid: number): boolean {
    return this.#hearsAll || this.#owners.has(uid);
  }

  /** Whether somebody hears the trades of this instrument. */
  ofPair(securityId: number): boolean {
    return this.#hearsAll || this.#pairs.has(securityId);
  }

  /** Whether somebody hears of instruments that are listed or changed. */
  get ofListings(): boolean {
    return this.#hearsAll || this.#listings > 0;
  }

  /** Each of these is undone by its counterpart, as often as it was called. */
  addOwner(uid: number): void {
    this.#owners.add(uid);
  }
  removeOwner(uid: number): void {
    this.#owners.remove(uid);
  }
  addPair(securityId: number): void {
    this.#pairs.add(securityId);
  }
  removePair(securityId: number): void {
    this.#pairs.remove(securityId);
  }
  addListings(): void {
    this.#listings++;
  }
  removeListings(): void {
    this.#listings = Math.max(0, this.#listings - 1);
  }
}
