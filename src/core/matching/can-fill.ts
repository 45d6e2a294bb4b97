// Whether a fill-or-kill order would be filled: a walk through the book that meets what matching
// would meet, and changes nothing.
import { opposite, SelfTradePrevention } from '../fix.ts';
import {
  type Amount,
  add,
  affordableLots,
  type Lots,
  lots,
  notional,
  subtract,
  type Ticks,
} from '../units.ts';
import { ANY_PRICE, type Incoming, isOwn, type Settlement } from './match.ts';
import { crosses, type OrderBook } from './order-book.ts';
import { NONE, type OrderStore } from './order-store.ts';

/** Why the walk ended, if it did. */
const Stop = { none: 0, filled: 1, budget: 2, prevented: 3 } as const;
type Stop = (typeof Stop)[keyof typeof Stop];

type Checks = Pick<Settlement, 'budget' | 'hasExpired' | 'belongsTo'>;

export class FillCheck {
  readonly #orders: OrderStore;
  readonly #incoming: Readonly<Incoming>;
  readonly #settlement: Checks;
  #left: Lots;
  #budget: Amount | null;
  #stop: Stop = Stop.none;

  constructor(orders: OrderStore, incoming: Readonly<Incoming>, settlement: Checks) {
    this.#orders = orders;
    this.#incoming = incoming;
    this.#settlement = settlement;
    this.#left = incoming.leaves;
    this.#budget = settlement.budget();
  }

  /** `byQuote`: the order is filled when its budget buys no further lot at the next price. */
  passes(book: OrderBook, byQuote: boolean): boolean {
    const { side, worstPrice, leaves } = this.#incoming;
    book.ladder(opposite(side)).fromBest((level, price) => {
      if (worstPrice !== ANY_PRICE && !crosses(side, worstPrice, price)) return false;
      this.#walkLevel(book.levelFirst(level), price);
      return this.#stop === Stop.none;
    });
    if (!byQuote) return this.#stop === Stop.filled;
    if (this.#left === leaves) return false;
    return this.#budget === 0 || this.#stop === Stop.budget;
  }

  /** First what the queue shows, in order; then what is hidden, which nobody is before. */
  #walkLevel(first: number, price: Ticks): void {
    const orders = this.#orders;
    let hidden = 0 as Amount;
    for (let slot = first; slot !== NONE && this.#stop === Stop.none; slot = orders.next(slot)) {
      const shown = orders.shownQty(slot);
      if (orders.hasDetails(slot)) {
        if (this.#settlement.hasExpired(slot)) continue;
      }
      if (this.#isPrevented(slot, price, shown)) continue;
      hidden = add(hidden, (orders.leavesQty(slot) - shown) as Amount);
      this.#take(price, shown);
    }
    if (this.#stop === Stop.none && hidden > 0) this.#take(price, hidden);
  }

  /** Whether self-trade prevention cancels the maker, or ends the walk. */
  #isPrevented(slot: number, price: Ticks, shown: Lots): boolean {
    if (this.#incoming.prevention === SelfTradePrevention.none) return false;
    if (!isOwn(this.#incoming, slot, this.#orders, this.#settlement)) return false;
    if (this.#affordable(price, shown) === 0) {
      this.#stop = Stop.budget;
    } else if (this.#incoming.prevention !== SelfTradePrevention.cancelOldest) {
      this.#stop = Stop.prevented;
    }
    return true;
  }

  #affordable(price: Ticks, there: Amount | Lots): Lots {
    const wanted = lots(there < this.#left ? (there as number) : this.#left);
    if (this.#budget === null) return wanted;
    return affordableLots(this.#budget, price, this.#incoming.perTickLot, wanted);
  }

  #take(price: Ticks, there: Amount | Lots): void {
    const quantity = this.#affordable(price, there);
    const isShort = quantity < there && quantity < this.#left;
    this.#left = lots(this.#left - quantity);
    if (this.#budget !== null) {
      this.#budget = subtract(this.#budget, notional(price, quantity, this.#incoming.perTickLot));
    }
    if (this.#left === 0) this.#stop = Stop.filled;
    else if (isShort) this.#stop = Stop.budget;
  }
}
