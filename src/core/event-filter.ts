// Which events the core emits. Events cost time on the order path, so the leader emits only those
// that a stream has a subscriber for. The follower, which writes the views, emits all. The filter
// never changes a result.
import { Counts } from './counts.ts';

export class EventFilter {
  readonly #includesAll: boolean;
  /** Subscribers: to an owner, by uid; to a pair, by securityId; to all listings, under 0. */
  readonly owners = new Counts();
  readonly pairs = new Counts();
  readonly listings = new Counts();

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
    return this.#includesAll || this.owners.has(uid);
  }

  /** True if a trade of this instrument between these users is emitted. */
  includesTrade(securityId: number, makerUid: number, takerUid: number): boolean {
    return this.includesPair(securityId) || this.owners.has(makerUid) || this.owners.has(takerUid);
  }

  /** True if all trades of this instrument are emitted. */
  includesPair(securityId: number): boolean {
    return this.#includesAll || this.pairs.has(securityId);
  }

  /** True if listings and changes of instruments are emitted. */
  get includesListings(): boolean {
    return this.#includesAll || this.listings.has(0);
  }
}
