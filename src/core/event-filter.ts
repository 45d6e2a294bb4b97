// Which events the core emits. Events cost time on the order path, so the leader emits only those
// that a stream has a subscriber for. The follower, which writes the views, emits all. The filter
// never changes a result.

/** How many subscribers there are, by id. */
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

export class EventFilter {
  readonly #includesAll: boolean;
  readonly #owners = new Counts();
  readonly #pairs = new Counts();
  #listings = 0;

  private constructor(includesAll: boolean) {
    this.#includesAll = includesAll;
  }

  static all(): EventFilter {
    return new EventFilter(true);
  }

  static none(): EventFilter {
    return new EventFilter(false);
  }

  /** True if reports, transfers, trades and earn events of this owner are emitted. */
  includesOwner(uid: number): boolean {
    return this.#includesAll || this.#owners.has(uid);
  }

  /** True if a trade of this instrument between these users is emitted. */
  includesTrade(securityId: number, makerUid: number, takerUid: number): boolean {
    return (
      this.includesPair(securityId) || this.#owners.has(makerUid) || this.#owners.has(takerUid)
    );
  }

  /** True if all trades of this instrument are emitted. */
  includesPair(securityId: number): boolean {
    return this.#includesAll || this.#pairs.has(securityId);
  }

  /** True if listings and changes of instruments are emitted. */
  get includesListings(): boolean {
    return this.#includesAll || this.#listings > 0;
  }

  /** A remove undoes one add. */
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
