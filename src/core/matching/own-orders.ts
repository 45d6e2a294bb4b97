// The orders that self-trade prevention keeps from a taker, by price level, for decisions that are
// made before it trades.
import { opposite, SelfTradePrevention } from '../fix.ts';
import { type Amount, add, ZERO } from '../units.ts';
import { LOOK } from '../work.ts';
import { HiddenRounds } from './hidden-rounds.ts';
import { cancelsTaker, type Incoming, type Match, preventionAgainst } from './incoming.ts';
import { NONE, type OrderStore } from './order-store.ts';

/** The sum that the taker's own orders at a level leave. `isEnd`: one of them cancels the taker. */
interface OwnTotal {
  readonly total: Amount;
  readonly isEnd: boolean;
}

const NOTHING: OwnTotal = { total: ZERO, isEnd: false };

export class OwnOrders {
  readonly #match: Match;
  /** By level, of one account; null for an enterprise, whose orders are found in the levels. */
  readonly #totals: Map<number, Amount> | null;

  constructor(it: Match) {
    this.#match = it;
    this.#totals = it.incoming.enterpriseId === 0 ? totalsOf(it) : null;
  }

  /** It stops looking where less than `enough` work is left. */
  at(level: number, enough: number): OwnTotal {
    const { prevention } = this.#match.incoming;
    if (prevention === SelfTradePrevention.none) return NOTHING;
    const total = this.#totals?.get(level);
    if (total !== undefined) return { total, isEnd: cancelsTaker(prevention) };
    if (this.#totals !== null) return NOTHING;
    const { shown, hidden, isEnd } = ownAt(this.#match, level, enough);
    return { total: add(shown, hidden.total), isEnd };
  }

  /**
   * The quantity of others that a level shows before the order that cancels the taker. It stops
   * looking where less than `enough` work is left.
   */
  shownAhead(level: number, enough: number): Amount {
    const { book, orders, work } = this.#match;
    let shown = ZERO;
    for (let slot = book.levelFirst(level); ; slot = orders.next(slot)) {
      const rule = preventionAgainst(this.#match, slot);
      if (cancelsTaker(rule) || work.left < enough) return shown;
      work.left -= LOOK;
      if (rule !== SelfTradePrevention.none) continue;
      shown = add(shown, orders.shownQty(slot) as number as Amount);
    }
  }
}

function totalsOf({ orders, incoming, work }: Match): Map<number, Amount> {
  const totals = new Map<number, Amount>();
  const { uid, prevention } = incoming;
  if (prevention === SelfTradePrevention.none) return totals;
  // The sum at one level is complete when the next order is at another one: thousands may be at it.
  let at = NONE;
  let total = ZERO;
  for (let slot = orders.firstOf(uid); slot !== NONE; slot = orders.newerOf(slot)) {
    work.left -= LOOK;
    if (!isAgainst(incoming, orders, slot)) continue;
    const level = orders.level(slot);
    if (level !== at) {
      if (at !== NONE) totals.set(at, total);
      at = level;
      total = totals.get(level) ?? ZERO;
    }
    total = add(total, orders.leavesQty(slot) as number as Amount);
  }
  if (at !== NONE) totals.set(at, total);
  return totals;
}

/** True if an order is in the book that the taker meets. */
const isAgainst = ({ securityId, side }: Incoming, orders: OrderStore, slot: number): boolean =>
  orders.securityId(slot) === securityId &&
  orders.side(slot) === opposite(side) &&
  !orders.isWaiting(slot);

interface OwnAtLevel {
  shown: Amount;
  readonly hidden: HiddenRounds;
  isEnd: boolean;
}

/**
 * The orders of the level that the taker must not trade with, in sum. They are found among those of
 * the level, or among those of the taker's account if these are fewer. `enough`: see OwnOrders.at.
 */
export function ownAt(it: Match, level: number, enough = -Infinity): OwnAtLevel {
  const { book, orders, incoming, work } = it;
  const { uid, enterpriseId } = incoming;
  const own: OwnAtLevel = { shown: ZERO, hidden: new HiddenRounds(), isEnd: false };
  const visit = (slot: number): void => {
    work.left -= LOOK;
    const rule = preventionAgainst(it, slot);
    if (rule === SelfTradePrevention.none) return;
    own.isEnd ||= cancelsTaker(rule);
    own.shown = add(own.shown, orders.shownQty(slot) as number as Amount);
    const iceberg = orders.iceberg(slot);
    if (iceberg !== null) own.hidden.add(iceberg);
  };
  if (enterpriseId === 0 && orders.countOf(uid) < book.levelCount(level)) {
    for (let slot = orders.firstOf(uid); slot !== NONE; slot = orders.newerOf(slot)) {
      if (isAgainst(incoming, orders, slot) && orders.level(slot) === level) visit(slot);
      else work.left -= LOOK;
    }
  } else {
    let slot = book.levelFirst(level);
    for (; slot !== NONE && work.left >= enough && !own.isEnd; slot = orders.next(slot)) {
      visit(slot);
    }
  }
  return own;
}
