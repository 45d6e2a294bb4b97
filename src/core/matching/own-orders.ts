// The orders that self-trade prevention keeps from a taker, by price level, for decisions that are
// made before it trades.
import { opposite, SelfTradePrevention } from '../fix.ts';
import { type Amount, add, ZERO } from '../units.ts';
import { LOOK } from '../work.ts';
import { cancelsTaker, type Match, preventionAgainst } from './incoming.ts';
import { NONE } from './order-store.ts';

/** The taker's own orders at a level. */
interface OwnAtLevel {
  /** The sum that they leave. */
  readonly total: Amount;
  /** One of them cancels the taker. */
  readonly isEnd: boolean;
}

const NOTHING: OwnAtLevel = { total: ZERO, isEnd: false };

export class OwnOrders {
  readonly #match: Match;
  /** By level, of one account; null for an enterprise, whose orders are found in the levels. */
  readonly #totals: Map<number, Amount> | null;

  constructor(it: Match) {
    this.#match = it;
    this.#totals = it.incoming.enterpriseId === 0 ? totalsOf(it) : null;
  }

  at(level: number): OwnAtLevel {
    const { prevention } = this.#match.incoming;
    if (prevention === SelfTradePrevention.none) return NOTHING;
    const total = this.#totals?.get(level);
    if (total !== undefined) return { total, isEnd: cancelsTaker(prevention) };
    return this.#totals === null ? this.#find(level) : NOTHING;
  }

  #find(level: number): OwnAtLevel {
    const { book, orders, work } = this.#match;
    let total = ZERO;
    let isEnd = false;
    for (let slot = book.levelFirst(level); slot !== NONE; slot = orders.next(slot)) {
      const rule = preventionAgainst(this.#match, slot);
      if (rule === SelfTradePrevention.none) continue;
      total = add(total, orders.leavesQty(slot) as number as Amount);
      isEnd ||= cancelsTaker(rule);
    }
    work.left -= LOOK * book.levelCount(level);
    return { total, isEnd };
  }

  /** The quantity of others that a level shows before the order that cancels the taker. */
  shownAhead(level: number): Amount {
    const { book, orders, work } = this.#match;
    let shown = ZERO;
    for (let slot = book.levelFirst(level); ; slot = orders.next(slot)) {
      const rule = preventionAgainst(this.#match, slot);
      if (cancelsTaker(rule)) return shown;
      work.left -= LOOK;
      if (rule !== SelfTradePrevention.none) continue;
      shown = add(shown, orders.shownQty(slot) as number as Amount);
    }
  }
}

function totalsOf({ orders, incoming, work }: Match): Map<number, Amount> {
  const totals = new Map<number, Amount>();
  const { uid, securityId, side, prevention } = incoming;
  if (prevention === SelfTradePrevention.none) return totals;
  for (let slot = orders.firstOf(uid); slot !== NONE; slot = orders.newerOf(slot)) {
    work.left -= LOOK;
    if (orders.securityId(slot) !== securityId || orders.side(slot) !== opposite(side)) continue;
    if (orders.isWaiting(slot)) continue;
    const level = orders.level(slot);
    totals.set(level, add(totals.get(level) ?? ZERO, orders.leavesQty(slot) as number as Amount));
  }
  return totals;
}
