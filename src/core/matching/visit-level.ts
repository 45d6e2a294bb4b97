// An order takes from a price level with icebergs: the shown parts in the order of the queue, then
// the next parts, round by round, each filled iceberg behind the others. The rounds are computed
// (hidden-rounds.ts), so the order fills each iceberg once, with all of its parts.
//
// The icebergs whose part the last round fills go to the end of the queue. The others show a new
// part in their place, which is before those. They are filled from the last to the first, so that
// the queue is in order of its part numbers after each fill.
import { type CloseReason, CloseReason as Reason, SelfTradePrevention } from '../fix.ts';
import { type Lots, lots, subtract, type Ticks, ZERO } from '../units.ts';
import { UNIT } from '../work.ts';
import { ALL_ROUNDS, type IcebergParts, partAfter, takenIn } from './hidden-rounds.ts';
import { FRONT } from './iceberg-visit.ts';
import { fill, type Match, preventionAgainst, preventTrade, SUSPENDED } from './incoming.ts';
import { NONE } from './order-store.ts';
import { ownAt } from './own-orders.ts';

/**
 * Takes `wanted` lots of the level, or what is left to take of an open visit. Returns why the order
 * stopped; none: it has taken them.
 */
export function visitLevel(
  it: Match,
  level: number,
  price: Ticks,
  wanted: Lots,
): CloseReason | typeof SUSPENDED {
  const { book, incoming, work } = it;
  const { visit } = incoming;
  if (!visit.isOpen) openVisit(it, level, wanted);
  while (visit.isOpen) {
    if (work.left <= 0) return SUSPENDED;
    work.left -= UNIT;
    const isAtFront = visit.cursor === FRONT;
    const maker = isAtFront ? book.levelFirst(level) : visit.cursor;
    // Read before the maker leaves the queue.
    if (!isAtFront) visit.cursor = it.orders.previous(maker);
    const rule = preventionAgainst(it, maker);
    if (rule !== SelfTradePrevention.none) {
      if (preventTrade(it, maker, rule)) {
        visit.isOpen = false;
        return Reason.selfTrade;
      }
    } else if (isAtFront) takeFromFront(it, level, maker, price);
    else takeInPlace(it, level, maker, price);
    visit.isOpen = !isAtEnd(it, level);
  }
  return Reason.none;
}

/** True if the order has taken all that it wants of the level. */
function isAtEnd({ book, incoming }: Match, level: number): boolean {
  const { cursor, rounds, rest } = incoming.visit;
  if (cursor === FRONT) return book.levelCount(level) === 0 || (rounds === 0 && rest === 0);
  return cursor === NONE;
}

/** Decides how the order takes `wanted` lots of the level. */
function openVisit(it: Match, level: number, wanted: Lots): void {
  const { book, incoming, settlement } = it;
  const { visit, prevention } = incoming;
  const own = prevention === SelfTradePrevention.none ? null : ownAt(it, level);
  visit.isOpen = true;
  visit.cursor = FRONT;
  visit.firstMoved = NONE;
  // A state must not depend on earlier matches, which a restored one does not know.
  visit.nextNumber = 0;
  visit.exits = 0;
  if (own?.isEnd) {
    // The order ends at its own one, which is in the first round.
    visit.rounds = 0;
    visit.rest = wanted;
    return;
  }
  const shown = subtract(book.levelQuantity(level), own === null ? ZERO : own.shown);
  const { rounds, rest } = book.levelHidden(level)!.divide(shown, wanted, own?.hidden ?? null);
  visit.rounds = rounds;
  visit.rest = rest;
  if (rounds > 0 && rounds !== ALL_ROUNDS) {
    const count = book.levelCount(level);
    visit.nextNumber = settlement.takePartNumbers(count) + count;
  }
}

/** An order that hides nothing is one part. */
function partsOf({ orders }: Match, slot: number): IcebergParts {
  const leavesQty = orders.leavesQty(slot);
  return orders.iceberg(slot) ?? { displayQty: leavesQty, shownQty: leavesQty, leavesQty };
}

/** The first of the queue also gives its part of the last round, if that goes so far. */
function takeFromFront(it: Match, level: number, maker: number, price: Ticks): void {
  const { book, orders, incoming, settlement } = it;
  const { visit } = incoming;
  const { rounds } = visit;
  const parts = partsOf(it, maker);
  const part = partAfter(rounds, parts);
  if (part > visit.rest) {
    endFront(it, level, maker, price);
    return;
  }
  visit.rest = lots(visit.rest - part);
  const quantity = lots(takenIn(rounds, parts) + part);
  if (quantity === parts.leavesQty) {
    fillWhole(it, maker, price);
    return;
  }
  // Before the fill, whose stops get numbers too, maybe in later commands.
  const priority = settlement.takePartNumbers(1);
  book.beginChange(maker);
  fill(it, maker, price, quantity);
  const shownQty = partAfter(rounds + 1, parts);
  orders.changeDetails(maker, { shownQty, shownTime: settlement.time, priority });
  book.moveToEnd(maker);
  book.endChange(maker);
  if (visit.firstMoved === NONE) visit.firstMoved = maker;
}

/** The last round ends at this iceberg; it and those after it keep their place. */
function endFront(it: Match, level: number, maker: number, price: Ticks): void {
  const { book, orders, incoming } = it;
  const { visit } = incoming;
  if (visit.rounds > 0) {
    const { firstMoved } = visit;
    visit.cursor = firstMoved === NONE ? book.levelLast(level) : orders.previous(firstMoved);
    return;
  }
  visit.cursor = NONE;
  const shownQty = lots(orders.shownQty(maker) - visit.rest);
  if (visit.rest > 0) fillPart(it, maker, price, visit.rest, shownQty);
}

/** Fills the full rounds, and of the first of the queue what is left of the last one. */
function takeInPlace(it: Match, level: number, maker: number, price: Ticks): void {
  const { rounds, rest } = it.incoming.visit;
  const parts = partsOf(it, maker);
  const inLast = it.book.levelFirst(level) === maker ? rest : 0;
  const quantity = lots(takenIn(rounds, parts) + inLast);
  if (quantity === parts.leavesQty) fillWhole(it, maker, price);
  else fillPart(it, maker, price, quantity, lots(partAfter(rounds, parts) - inLast));
}

function fillWhole(it: Match, maker: number, price: Ticks): void {
  const quantity = it.orders.leavesQty(maker);
  it.book.remove(maker);
  fill(it, maker, price, quantity);
  it.settlement.makerDone(maker);
}

/** The maker keeps its place, and shows `shownQty` from now on: of a new part after a round. */
function fillPart(it: Match, maker: number, price: Ticks, quantity: Lots, shownQty: Lots): void {
  const { book, orders, incoming, settlement } = it;
  const { visit } = incoming;
  book.beginChange(maker);
  fill(it, maker, price, quantity);
  if (visit.rounds > 0) {
    const priority = --visit.nextNumber;
    orders.changeDetails(maker, { shownQty, shownTime: settlement.time, priority });
  } else if (orders.iceberg(maker) !== null) orders.changeDetails(maker, { shownQty });
  book.endChange(maker);
}
