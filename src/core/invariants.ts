// The promises that hold between commands. Each recomputes from first principles what the
// structures keep incrementally. Tests, snapshots and `agio verify` check them, never the order
// path.
import { assert } from './assert.ts';
import { dayOf } from './calendar.ts';
import { checkEarn } from './earn/earn-invariants.ts';
import { Side } from './fix.ts';
import { OUTCOME_LIMITS } from './idempotency.ts';
import type { Instrument } from './instrument.ts';
import { AccountCode, mayBeNegative } from './ledger/account-code.ts';
import { NONE } from './matching/order-store.ts';
import { MAX_ICEBERG_PARTS } from './order-rules.ts';
import { restore, snapshot } from './snapshot.ts';
import type { State } from './state.ts';
import type { DayVolume } from './trading/fee-tiers.ts';
import { heldBy, paidAsset } from './trading/holds.ts';
import { checkLinks, checkOrderTypes } from './trading/trading-invariants.ts';
import { type Amount, add, type Ticks, ZERO } from './units.ts';

/** Throws an InvariantError that names the first rule that does not hold, and where. */
export function checkInvariants(state: State): void {
  checkLedger(state);
  const resting = checkBooks(state);
  checkMatching(state, resting);
  checkOrderTypes(state, resting);
  checkIndexes(state, resting);
  checkOwners(state, resting);
  checkHolds(state, resting);
  checkEarn(state);
  checkVolumes(state);
  checkCounters(state, resting);
  checkHash(state);
}

/** Conservation: every transfer has two sides, so per asset all balances sum to zero. */
function checkLedger(state: State): void {
  const sums: Amount[] = state.assets.map(() => ZERO);
  for (const { owner, assetId, code, balance } of state.ledger.accounts()) {
    const where = () => `owner ${owner}, asset ${assetId}, code ${code}, balance ${balance}`;
    assert(assetId < sums.length, 'an account is of a listed asset', where);
    assert(isCanonical(balance), 'an amount has one representation', where);
    const allowed = balance >= 0 || mayBeNegative(code);
    assert(allowed, 'no balance but that of the outside is negative', where);
    sums[assetId] = add(sums[assetId], balance);
  }
  sums.forEach((sum, assetId) => {
    const where = () => `asset ${assetId}, sum ${sum}`;
    assert(sum === 0, 'all balances of an asset sum to zero', where);
  });
}

/** The books and their levels; returns the slots of all orders that rest in one. */
function checkBooks(state: State): Set<number> {
  const resting = new Set<number>();
  for (const instrument of state.instruments) {
    if (instrument === undefined) continue;
    const best = [Side.buy, Side.sell].map((side) => checkLadder(state, instrument, side, resting));
    const [bid, ask] = best;
    const where = () => `${instrument.symbol}, best bid ${bid}, best ask ${ask}`;
    assert(bid === null || ask === null || bid < ask, 'the book is not crossed', where);
  }
  return resting;
}

/** An order in the middle of a match is open and in no queue; it joins `resting`. */
function checkMatching({ orders, matching, instruments }: State, resting: Set<number>): void {
  const count = instruments.filter((one) => one !== undefined && one.matching !== null).length;
  const counts = () => `${matching.length} listed, ${count} in instruments`;
  assert(count === matching.length, 'every match that goes on has its turn', counts);
  for (const { symbol, securityId, matching: match } of matching) {
    const { slot, incoming } = match!;
    const where = () => `${symbol}, order ${orders.orderId(slot)}`;
    assert(!resting.has(slot), 'an order that matches is in no queue', where);
    assert(orders.securityId(slot) === securityId, 'an order matches in its own book', where);
    const isLeft = orders.orderQty(slot) === 0 || incoming.leaves === orders.leavesQty(slot);
    assert(isLeft, 'a match goes on for what the order leaves', where);
    resting.add(slot);
  }
}

/** Returns the best price of the side, or null. */
function checkLadder(
  state: State,
  instrument: Instrument,
  side: Side,
  resting: Set<number>,
): Ticks | null {
  const { book, symbol } = instrument;
  const ladder = book.ladder(side);
  const levels = new Set<number>();
  let best: Ticks | null = null;
  let before: Ticks | null = null;
  ladder.fromBest((level, price) => {
    const where = () => `${symbol}, side ${side}, price ${price}`;
    const sorted = before === null || (side === Side.buy ? price < before : price > before);
    assert(sorted, 'prices of a ladder are in strict order, best first', where);
    const natural = price >= 1 && Number.isSafeInteger(price);
    assert(natural, 'a price is a natural number of ticks', where);
    assert(book.levelPrice(level) === price, 'a level has the price of its place', where);
    assert(ladder.find(price) === level, 'a level is found by its price', where);
    assert(!levels.has(level), 'a level has one place', where);
    levels.add(level);
    best ??= price;
    before = price;
    checkLevel(state, instrument, level, side, resting);
    return true;
  });
  const where = () => `${symbol}, side ${side}`;
  assert(levels.size === ladder.size, 'a ladder counts its levels', where);
  const first = ladder.best() === NONE ? null : book.levelPrice(ladder.best());
  assert(first === best, 'the best level is the first of the ladder', where);
  return best;
}

/** A level sums and counts its queue, which is in order of arrival. */
function checkLevel(
  state: State,
  instrument: Instrument,
  level: number,
  side: Side,
  resting: Set<number>,
): void {
  const { orders } = state;
  const { book, symbol } = instrument;
  let quantity = ZERO;
  let total = ZERO;
  const queue = { first: book.levelFirst(level), last: book.levelLast(level) };
  const count = checkLinks(state, instrument, queue, resting, (slot, where) => {
    assert(orders.side(slot) === side, 'an order rests on its side', where);
    assert(orders.price(slot) === book.levelPrice(level), 'an order rests at its price', where);
    assert(orders.level(slot) === level, 'an order knows its level', where);
    const leaves = orders.leavesQty(slot);
    const within = leaves > 0 && leaves <= orders.orderQty(slot) && Number.isSafeInteger(leaves);
    assert(within, 'what an order leaves is above zero and at most its quantity', where);
    const paired = (orders.cumQty(slot) === 0) === (orders.cumQuote(slot) === 0);
    assert(paired, 'an order has a filled amount exactly with a filled quantity', where);
    quantity = add(quantity, orders.shownQty(slot) as number as Amount);
    total = add(total, leaves as number as Amount);
  });
  const where = () => `${symbol}, side ${side}, price ${book.levelPrice(level)}`;
  assert(count > 0, 'a level has an order', where);
  assert(book.levelCount(level) === count, 'a level counts its orders', where);
  assert(book.levelQuantity(level) === quantity, 'a level sums what its orders show', where);
  assert(book.levelTotal(level) === total, 'a level sums what its orders leave', where);
  const sums = book.levelHidden(level)?.sums ?? 0;
  assert(sums <= MAX_ICEBERG_PARTS + 1, 'a level has a sum for each round', where);
}

function checkIndexes(state: State, resting: ReadonlySet<number>): void {
  const { orders } = state;
  const sizes = () => `${orders.size} stored, ${resting.size} in queues`;
  assert(orders.size === resting.size, 'every stored order is in a queue', sizes);
  for (const slot of resting) {
    const where = () => `order ${orders.orderId(slot)}`;
    const found = orders.find(orders.orderId(slot)) === slot;
    assert(found, 'an order is found by its orderId', where);
    const named = orders.findByClOrdId(orders.uid(slot), orders.clOrdId(slot));
    const newest =
      named !== NONE &&
      orders.uid(named) === orders.uid(slot) &&
      orders.clOrdId(named) === orders.clOrdId(slot) &&
      orders.orderId(named) >= orders.orderId(slot);
    assert(newest, 'a clOrdId finds the newest order that has it', where);
  }
}

function checkOwners(state: State, resting: ReadonlySet<number>): void {
  const { orders } = state;
  let listed = 0;
  for (const user of state.users) {
    if (user === undefined) continue;
    const { uid } = user;
    const where = () => `user ${uid}`;
    let count = 0;
    let older: number = NONE;
    for (let slot = orders.firstOf(uid); slot !== NONE; slot = orders.newerOf(slot)) {
      assert(resting.has(slot), 'an order of an owner is in a queue', where);
      assert(orders.uid(slot) === uid, "an owner's list has the owner's orders only", where);
      const linked = orders.olderOf(slot) === older;
      assert(linked, "an owner's list is linked in both directions", where);
      const later = older === NONE || orders.orderId(older) < orders.orderId(slot);
      assert(later, "an owner's list is in order of creation", where);
      older = slot;
      count++;
    }
    assert(orders.lastOf(uid) === older, "an owner's list ends with the newest order", where);
    assert(orders.countOf(uid) === count, "an owner's orders are counted", where);
    listed += count;
  }
  const all = listed === resting.size;
  assert(all, 'every open order is in the list of its owner', () => `${listed}`);
}

/** Per user and asset, the held balance equals the largest cost of the open orders. */
function checkHolds(state: State, resting: ReadonlySet<number>): void {
  const { orders } = state;
  const width = state.assets.length;
  const expected = new Map<number, Amount>();
  for (const slot of resting) {
    const instrument = state.instruments[orders.securityId(slot)]!;
    const at = orders.uid(slot) * width + paidAsset(instrument, orders.side(slot));
    const cost = heldBy(state, instrument, slot);
    // An order that is filled waits for the stops that it reached, and holds nothing.
    if (cost !== ZERO) expected.set(at, add(expected.get(at) ?? ZERO, cost));
  }
  for (const { owner, assetId, code, balance } of state.ledger.accounts()) {
    if (code !== AccountCode.held) continue;
    const at = owner * width + assetId;
    const needed = expected.get(at) ?? ZERO;
    const where = () => `user ${owner}, asset ${assetId}, held ${balance}, orders ${needed}`;
    assert(balance === needed, 'holds equal open orders', where);
    expected.delete(at);
  }
  const where = () => `${expected.size} users and assets without an account`;
  assert(expected.size === 0, 'holds equal open orders', where);
}

/** A volume belongs to a known user and a past day, and follows older ones of the same user. */
function checkVolumes({ feeTiers, users, time }: State): void {
  let last: DayVolume | null = null;
  for (const entry of feeTiers.volumes()) {
    const { uid, day, volume } = entry;
    const where = () => `user ${uid}, day ${day}, volume ${volume}`;
    assert(feeTiers.table !== null, 'a volume is counted for a table', where);
    const later = last?.uid !== uid || last.day < day;
    assert(later, 'volumes of a user are in order of day', where);
    const known = users[uid] !== undefined && day <= dayOf(time) && volume > 0;
    assert(known, 'a volume is above zero, of a user and of a day that has begun', where);
    last = entry;
  }
}

/** Counters are above every id in use, and nothing remembered lies in the future. */
function checkCounters(state: State, resting: ReadonlySet<number>): void {
  const { next, orders } = state;
  for (const [name, value] of Object.entries(next)) {
    const where = () => `${name} ${value}`;
    assert(Number.isSafeInteger(value) && value >= 1, 'a counter is a natural number', where);
  }
  for (const slot of resting) {
    const where = () => `order ${orders.orderId(slot)}`;
    const isAbove = orders.orderId(slot) < next.orderId && orders.priority(slot) < next.orderId;
    assert(isAbove, 'counters are above every id in use', where);
    assert(orders.createTime(slot) <= state.time, 'nothing was created in the future', where);
  }
  for (const { reference, transferId, seq } of state.references.all()) {
    const where = () => `transfer ${reference}`;
    assert(transferId < next.transferId, 'counters are above every id in use', where);
    assert(seq <= state.seq, 'nothing was created in the future', where);
  }
  for (const { uid, key, seq, time } of state.outcomes.all()) {
    const where = () => `user ${uid}, Idempotency-Key ${key}`;
    assert(seq <= state.seq && time <= state.time, 'nothing was created in the future', where);
    const isWithin = state.outcomes.bytesOf(uid) <= OUTCOME_LIMITS.perUser;
    assert(isWithin, 'the outcomes of a user are within their bytes', where);
  }
  const { bytes } = state.outcomes;
  const within = bytes <= OUTCOME_LIMITS.total;
  assert(within, 'all outcomes are within their bytes', () => `${bytes}`);
}

function checkHash(state: State): void {
  const rebuilt = restore(snapshot(state));
  const [kept, made] = [state.stateHash(), rebuilt.stateHash()];
  assert(kept === made, 'the state hash is that of the facts', () => `kept ${kept}, ${made}`);
  const [bytes, summed] = [state.outcomes.bytes, rebuilt.outcomes.bytes];
  const where = () => `kept ${bytes}, summed ${summed}`;
  assert(bytes === summed, 'the bytes of all outcomes are summed', where);
}

const isCanonical = (value: Amount): boolean =>
  typeof value === 'number'
    ? Number.isSafeInteger(value) && !Object.is(value, -0)
    : !Number.isSafeInteger(Number(value));
