// The invariants of stops, icebergs, expiry and OCO pairs (invariants.ts).
import { assert } from '../assert.ts';
import { isStop, OrdType, Side, TimeInForce, TriggerPriceDirection } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { NONE, type OrderStore } from '../matching/order-store.ts';
import { trailingTrigger, triggersUp } from '../order-rules.ts';
import type { State } from '../state.ts';
import { subtract, type Ticks, ZERO } from '../units.ts';
import { isReached } from './check-extras.ts';
import { partnerOf } from './close-order.ts';
import { type DueRun, isBracket } from './due.ts';
import { costOf, costOfStop } from './holds.ts';
import type { StopQueue } from './stop-queues.ts';
import { storedOrder } from './stored-order.ts';
import { triggerOf } from './trailing.ts';
import { DIRECTIONS } from './trigger-book.ts';

/** `open` has the slots of the books; the waiting stops are added to it. */
export function checkOrderTypes(state: State, open: Set<number>): void {
  for (const slot of open) {
    const where = () => `order ${state.orders.orderId(slot)}`;
    assert(!state.orders.isWaiting(slot), 'a waiting stop is in no book', where);
  }
  for (const instrument of state.instruments) {
    if (instrument === undefined) continue;
    for (const direction of DIRECTIONS) {
      checkStopLadders(state, instrument, direction, open);
      checkTrailing(state, instrument, direction, open);
    }
    checkNearest(instrument);
    checkDue(state, instrument, open);
  }
  let expiring = 0;
  for (const slot of open) {
    if (!state.orders.hasDetails(slot)) continue;
    checkDetails(state, slot);
    if (state.orders.extras(slot).expireTime !== 0) expiring++;
  }
  const times = state.instruments.reduce((sum, one) => sum + (one?.expiries.size ?? 0), 0);
  const where = () => `${expiring} orders, ${times} times`;
  assert(expiring === times, 'every order that expires has its time', where);
}

/** True while the stops that the last trade reached move, in several commands. */
const stopsMove = ({ matching }: Instrument): boolean =>
  matching !== null && matching.incoming.reachedSeq !== 0;

function checkStopLadders(
  state: State,
  instrument: Instrument,
  direction: TriggerPriceDirection,
  open: Set<number>,
): void {
  const { triggers, symbol, lastPrice } = instrument;
  const { stops, beginning } = triggers.of(direction);
  for (const ladder of [stops, beginning]) {
    let levels = 0;
    ladder.fromBest((level, stopPx) => {
      const where = () => `${symbol}, direction ${direction}, stopPx ${stopPx}`;
      const queue = triggers.queue(level);
      const isPlace =
        queue.stopPx === stopPx && queue.direction === direction && queue.ladder === ladder;
      assert(isPlace, 'stops wait at the price of their place', where);
      const reached = isReached(instrument, { stopPx, triggerPriceDirection: direction });
      const isMoving = stopsMove(instrument);
      assert(
        !reached || isMoving,
        'the last price has reached no waiting stop',
        () => `${lastPrice}`,
      );
      levels++;
      assert(queue.count > 0, 'a queue in a ladder has a stop', where);
      checkQueue(state, instrument, queue, open);
      return true;
    });
    const where = () => `${symbol}, direction ${direction}`;
    assert(levels === ladder.size, 'a ladder counts its levels', where);
  }
}

/** Segments of stops that trail: each is worse than the one before it, and than the last price. */
function checkTrailing(
  state: State,
  instrument: Instrument,
  direction: TriggerPriceDirection,
  open: Set<number>,
): void {
  const { triggers, symbol, lastPrice } = instrument;
  const { trailing } = triggers.of(direction);
  const { segments } = trailing;
  const sign = direction === TriggerPriceDirection.up ? 1 : -1;
  const isMoving = stopsMove(instrument);
  let nearest = Number.POSITIVE_INFINITY;
  for (const [i, segment] of segments.entries()) {
    const { best, first } = segment;
    const next = segments[i + 1];
    const where = () => `${symbol}, direction ${direction}, best ${best}, first ${first}`;
    const isBetter = next === undefined || sign * best < sign * next.best || isMoving;
    assert(isBetter, 'a segment has a better price than what came later', where);
    const follows = isMoving || sign * best <= sign * lastPrice;
    assert(follows, 'a segment follows the last price', where);
    assert(first < (next?.first ?? Number.POSITIVE_INFINITY), 'segments are in order', where);
    let count = 0;
    for (const slot of trailing.slotsOf(segment)) {
      const trigger = checkTrailingStop(state, instrument, direction, slot, best);
      const priority = state.orders.priority(slot);
      const isAfter = priority >= first && priority < (next?.first ?? Number.POSITIVE_INFINITY);
      assert(isAfter && !open.has(slot), 'a stop trails in the segment in which it began', where);
      open.add(slot);
      nearest = Math.min(nearest, sign * trigger);
      count++;
    }
    assert(count > 0, 'a segment has a stop', where);
  }
  const where = () => `${symbol}, direction ${direction}, last price ${lastPrice}`;
  const isWaiting = sign * lastPrice < nearest || lastPrice === 0 || isMoving;
  assert(isWaiting, 'the last price has not reached a trailing stop', where);
  assert(trailing.nearest === sign * nearest, 'the nearest trigger that trails is noted', where);
}

/** Returns the trigger of a stop that trails. */
function checkTrailingStop(
  { orders }: State,
  { securityId, triggers }: Instrument,
  direction: TriggerPriceDirection,
  slot: number,
  best: Ticks,
): number {
  const where = () => `order ${orders.orderId(slot)}`;
  const { extras } = orders.details(slot)!;
  const isUp = direction === TriggerPriceDirection.up;
  const isOfPlace =
    orders.securityId(slot) === securityId && triggersUp(orders.side(slot)) === isUp;
  assert(isOfPlace, 'a stop trails in its instrument and direction', where);
  assert(triggers.isTrailing(slot) && extras.trail !== 0, 'it has begun to trail', where);
  assert(orders.cumQty(slot) === 0, 'nothing of a waiting stop is filled', where);
  return trailingTrigger(best, extras.trail, isUp);
}

/** A trade compares its price with the nearest triggers of the ladders. */
function checkNearest({ triggers, symbol }: Instrument): void {
  const { lowestUp, highestDown } = triggers;
  triggers.noteNearest();
  const same = triggers.lowestUp === lowestUp && triggers.highestDown === highestDown;
  assert(same, 'the nearest trigger is noted', () => symbol);
}

/** A queue counts its stops. */
function checkQueue(
  state: State,
  instrument: Instrument,
  queue: StopQueue,
  open: Set<number>,
): void {
  const { orders } = state;
  const count = checkLinks(state, instrument, queue, open, (slot, where) => {
    const details = orders.details(slot);
    const waits = details !== null && isStop(details.ordType) && !details.working;
    assert(waits && isTriggeredAt(orders, slot, queue), 'a stop waits at its trigger', where);
    assert(orders.cumQty(slot) === 0, 'nothing of a waiting stop is filled', where);
  });
  const where = () => `${instrument.symbol}, stopPx ${queue.stopPx}`;
  assert(queue.count === count, 'a queue counts its stops', where);
}

/**
 * A queue is linked in both directions and in order of priority. Adds its orders to `open`, and
 * returns how many they are.
 */
export function checkLinks(
  { orders }: State,
  { securityId, symbol }: Instrument,
  { first, last }: Pick<StopQueue, 'first' | 'last'>,
  open: Set<number>,
  each: (slot: number, where: () => string) => void,
): number {
  let count = 0;
  let previous: number = NONE;
  for (let slot = first; slot !== NONE; slot = orders.next(slot)) {
    const where = () => `${symbol}, order ${orders.orderId(slot)}`;
    assert(!open.has(slot), 'an order is in one queue', where);
    open.add(slot);
    assert(orders.securityId(slot) === securityId, 'an order waits in its instrument', where);
    each(slot, where);
    assert(orders.previous(slot) === previous, 'a queue is linked in both directions', where);
    const later = previous === NONE || orders.priority(previous) < orders.priority(slot);
    assert(later, 'a queue is in order of priority', where);
    previous = slot;
    count++;
  }
  assert(last === previous, 'a queue ends with its last order', () => symbol);
  return count;
}

function isTriggeredAt(
  orders: OrderStore,
  slot: number,
  { stopPx, direction }: StopQueue,
): boolean {
  const trigger = triggerOf(orders.details(slot)!, orders.side(slot));
  return trigger.stopPx === stopPx && trigger.direction === direction;
}

function checkDue(state: State, instrument: Instrument, open: Set<number>): void {
  let before = 0;
  for (const entry of state.due.entriesOf(instrument)) {
    const where = () => `${instrument.symbol}, seq ${entry.seq}`;
    assert(entry.seq >= before, 'the due queue is in order', where);
    const isPast = entry.seq > 0 && entry.seq <= state.next.execId;
    assert(isPast, 'nothing is due of the future', where);
    before = entry.seq;
    if (!isBracket(entry)) checkRun(state, instrument, entry, open);
  }
}

/** Upward before downward, and in each the nearest trigger first. */
function checkRun(state: State, instrument: Instrument, run: DueRun, open: Set<number>): void {
  const { triggers, symbol } = instrument;
  let before = { up: 0, downward: Number.POSITIVE_INFINITY };
  for (const level of run.levels.slice(run.next)) {
    const queue = triggers.queue(level);
    const where = () => `${symbol}, stopPx ${queue.stopPx}`;
    const isUp = queue.direction === TriggerPriceDirection.up;
    const isInOrder = isUp
      ? queue.stopPx > before.up && before.downward === Number.POSITIVE_INFINITY
      : queue.stopPx < before.downward;
    assert(isInOrder && queue.ladder === null, 'a run has its queues in order', where);
    before = isUp ? { ...before, up: queue.stopPx } : { ...before, downward: queue.stopPx };
    checkQueue(state, instrument, queue, open);
    const last = queue.last === NONE ? 0 : state.orders.priority(queue.last);
    assert(last <= run.upToPriority, 'a run has no stop that came later', where);
  }
}

function checkDetails(state: State, slot: number): void {
  const { orders, instruments } = state;
  const instrument = instruments[orders.securityId(slot)]!;
  const { expiries } = instrument;
  const details = orders.details(slot)!;
  const { extras, ocoOrderId, working } = details;
  const { displayQty, expireTime } = extras;
  const shownQty = displayQty === 0 ? details.shownQty : orders.shownQty(slot);
  const where = () => `order ${orders.orderId(slot)}`;
  const isMatching = instrument.matching?.slot === slot;
  const isIceberg = displayQty !== 0;
  const [orderQty, leaves] = [orders.orderQty(slot), orders.leavesQty(slot)];
  const shows = isIceberg
    ? shownQty > 0 && shownQty <= displayQty && shownQty <= leaves && displayQty < orderQty
    : shownQty === 0;
  assert(shows || !working || isMatching, 'an iceberg shows a part of what it leaves', where);
  const expires = extras.timeInForce === TimeInForce.goodTillDate;
  assert(expires === expireTime > 0, 'an order expires if it is good till a date', where);
  assert(
    !expires || expiries.keyOf(orders.orderId(slot)) === expireTime,
    'every order that expires has its time',
    where,
  );
  const mayRest = details.ordType === OrdType.limit || isStop(details.ordType);
  assert(mayRest || isMatching, 'an open order has a type that may rest', where);
  assert(!working || details.held === 0, 'only a waiting stop has a hold of its own', where);
  if (!working) checkStopHold(state, slot);
  const partner = partnerOf(state, slot);
  if (partner === NONE) return;
  const isPair =
    orders.details(partner)?.ocoOrderId === orders.orderId(slot) &&
    orders.details(slot)!.ocoOrderId === ocoOrderId &&
    orders.isWaiting(partner) !== orders.isWaiting(slot) &&
    orders.cumQty(slot) === 0;
  assert(isPair || isMatching, 'an OCO pair is a limit order and a waiting stop, unfilled', where);
}

/** A waiting stop holds what it may cost, less what its OCO partner holds. */
function checkStopHold(state: State, slot: number): void {
  const { orders } = state;
  const instrument = state.instruments[orders.securityId(slot)]!;
  const { held, extras } = orders.details(slot)!;
  const { stopPx, trail } = extras;
  const { terms } = storedOrder(state, slot);
  // The trigger on which the hold of this one rests is not kept.
  if (trail !== 0 && terms.side === Side.buy && terms.ordType === OrdType.stop) return;
  const cost = costOfStop(instrument, terms, stopPx);
  const partner = partnerOf(state, slot);
  const side: Side = orders.side(slot);
  const shared =
    partner === NONE
      ? ZERO
      : costOf(instrument, side, orders.price(partner), orders.leavesQty(partner));
  const needed = cost > shared ? subtract(cost, shared) : ZERO;
  const where = () => `order ${orders.orderId(slot)}, held ${held}, needed ${needed}`;
  assert(held === needed, 'a stop holds what it may cost', where);
}
