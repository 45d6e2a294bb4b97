// The invariants of stops, icebergs, expiry and OCO pairs (invariants.ts).
import { isStop, OrdType, type Side, TimeInForce, TriggerPriceDirection } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { NONE } from '../matching/order-store.ts';
import type { State } from '../state.ts';
import { subtract, type Ticks, ZERO } from '../units.ts';
import { isReached } from './check-extras.ts';
import { partnerOf } from './close-order.ts';
import { type DueRun, isBracket } from './due.ts';
import { costOf, costOfStop } from './holds.ts';
import { storedOrder } from './stored-order.ts';
import type { StopQueue } from './trigger-book.ts';

type Invariant = (condition: boolean, rule: string, detail: () => string) => void;

/** `open` has the slots of the books; the waiting stops are added to it. */
export function checkOrderTypes(state: State, open: Set<number>, invariant: Invariant): void {
  for (const slot of open) {
    const where = () => `order ${state.orders.orderId(slot)}`;
    invariant(!state.orders.isWaiting(slot), 'a waiting stop is in no book', where);
  }
  for (const instrument of state.instruments) {
    if (instrument === undefined) continue;
    for (const direction of [TriggerPriceDirection.up, TriggerPriceDirection.down]) {
      checkStopLadder(state, instrument, direction, open, invariant);
    }
    checkDue(state, instrument, open, invariant);
  }
  let expiring = 0;
  for (const slot of open) {
    if (!state.orders.hasDetails(slot)) continue;
    checkDetails(state, slot, invariant);
    if (state.orders.details(slot)!.expireTime !== 0) expiring++;
  }
  const times = state.instruments.reduce((sum, one) => sum + (one?.expiries.size ?? 0), 0);
  const where = () => `${expiring} orders, ${times} times`;
  invariant(expiring === times, 'every order that expires has its time', where);
}

function checkStopLadder(
  state: State,
  instrument: Instrument,
  direction: TriggerPriceDirection,
  open: Set<number>,
  invariant: Invariant,
): void {
  const { triggers, symbol, lastPrice } = instrument;
  const ladder = triggers.ladder(direction);
  let nearest: Ticks | null = null;
  let levels = 0;
  ladder.fromBest((level, stopPx) => {
    const where = () => `${symbol}, direction ${direction}, stopPx ${stopPx}`;
    const queue = triggers.queue(level);
    const isPlace = queue.stopPx === stopPx && queue.direction === direction;
    invariant(isPlace, 'stops wait at the price of their place', where);
    const reached = isReached(instrument, { stopPx, triggerPriceDirection: direction });
    invariant(!reached, 'the last price has not reached a waiting stop', () => `${lastPrice}`);
    nearest ??= stopPx;
    levels++;
    invariant(queue.count > 0, 'a queue in a ladder has a stop', where);
    checkQueue(state, instrument, queue, open, invariant);
    return true;
  });
  const where = () => `${symbol}, direction ${direction}`;
  invariant(levels === ladder.size, 'a ladder counts its levels', where);
  const none = direction === TriggerPriceDirection.up ? Number.POSITIVE_INFINITY : 0;
  const noted = direction === TriggerPriceDirection.up ? triggers.lowestUp : triggers.highestDown;
  invariant(noted === (nearest ?? none), 'the nearest trigger is noted', where);
}

/** A queue counts its stops, which are in order of priority. */
function checkQueue(
  { orders }: State,
  { securityId, symbol }: Instrument,
  queue: StopQueue,
  open: Set<number>,
  invariant: Invariant,
): void {
  const { stopPx, direction } = queue;
  let count = 0;
  let previous: number = NONE;
  for (let slot = queue.first; slot !== NONE; slot = orders.next(slot)) {
    const where = () => `${symbol}, order ${orders.orderId(slot)}`;
    invariant(!open.has(slot), 'an order is in one queue', where);
    open.add(slot);
    const details = orders.details(slot);
    const isStopOfQueue =
      details !== null &&
      isStop(details.ordType) &&
      details.stopPx === stopPx &&
      details.triggerPriceDirection === direction;
    invariant(isStopOfQueue && !details.working, 'a stop waits at its stopPx', where);
    invariant(orders.securityId(slot) === securityId, 'a stop waits in its instrument', where);
    invariant(orders.cumQty(slot) === 0, 'nothing of a waiting stop is filled', where);
    invariant(orders.previous(slot) === previous, 'a queue is linked in both directions', where);
    const later = previous === NONE || orders.priority(previous) < orders.priority(slot);
    invariant(later, 'a queue is in order of priority', where);
    previous = slot;
    count++;
  }
  const where = () => `${symbol}, stopPx ${stopPx}`;
  invariant(queue.last === previous, 'a queue ends with its last stop', where);
  invariant(queue.count === count, 'a queue counts its stops', where);
}

function checkDue(
  state: State,
  instrument: Instrument,
  open: Set<number>,
  invariant: Invariant,
): void {
  let before = 0;
  for (const entry of state.due.entriesOf(instrument)) {
    const where = () => `${instrument.symbol}, seq ${entry.seq}`;
    invariant(entry.seq >= before, 'the due queue is in order', where);
    const isPast = entry.seq > 0 && entry.seq <= state.next.execId;
    invariant(isPast, 'nothing is due of the future', where);
    before = entry.seq;
    if (!isBracket(entry)) checkRun(state, instrument, entry, open, invariant);
  }
}

function checkRun(
  state: State,
  instrument: Instrument,
  run: DueRun,
  open: Set<number>,
  invariant: Invariant,
): void {
  const { triggers, symbol } = instrument;
  const sign = run.direction === TriggerPriceDirection.up ? 1 : -1;
  let before = Number.NEGATIVE_INFINITY;
  for (const level of run.levels.slice(run.next)) {
    const queue = triggers.queue(level);
    const where = () => `${symbol}, stopPx ${queue.stopPx}`;
    const distance = sign * queue.stopPx;
    const isReached = distance > before && distance <= sign * run.price;
    invariant(isReached, 'a run has the stops that its price reaches, in order', where);
    before = distance;
    checkQueue(state, instrument, queue, open, invariant);
    const last = queue.last === NONE ? 0 : state.orders.priority(queue.last);
    invariant(last <= run.upToPriority, 'a run has no stop that came later', where);
  }
}

function checkDetails(state: State, slot: number, invariant: Invariant): void {
  const { orders, instruments } = state;
  const instrument = instruments[orders.securityId(slot)]!;
  const { expiries } = instrument;
  const details = orders.details(slot)!;
  const { displayQty, expireTime, ocoOrderId, working } = details;
  const shownQty = displayQty === 0 ? details.shownQty : orders.shownQty(slot);
  const where = () => `order ${orders.orderId(slot)}`;
  const isMatching = instrument.matching?.slot === slot;
  const isIceberg = displayQty !== 0;
  const [orderQty, leaves] = [orders.orderQty(slot), orders.leavesQty(slot)];
  const shows = isIceberg
    ? shownQty > 0 && shownQty <= displayQty && shownQty <= leaves && displayQty < orderQty
    : shownQty === 0;
  invariant(shows || !working || isMatching, 'an iceberg shows a part of what it leaves', where);
  const expires = details.timeInForce === TimeInForce.goodTillDate;
  invariant(expires === expireTime > 0, 'an order expires if it is good till a date', where);
  invariant(!expires || expiries.has(slot), 'every order that expires has its time', where);
  const mayRest = details.ordType === OrdType.limit || isStop(details.ordType);
  invariant(mayRest || isMatching, 'an open order has a type that may rest', where);
  invariant(!working || details.held === 0, 'only a waiting stop has a hold of its own', where);
  if (!working) checkStopHold(state, slot, invariant);
  const partner = partnerOf(state, slot);
  if (partner === NONE) return;
  const isPair =
    orders.details(partner)?.ocoOrderId === orders.orderId(slot) &&
    orders.details(slot)!.ocoOrderId === ocoOrderId &&
    orders.isWaiting(partner) !== orders.isWaiting(slot) &&
    orders.cumQty(slot) === 0;
  invariant(
    isPair || isMatching,
    'an OCO pair is a limit order and a waiting stop, unfilled',
    where,
  );
}

/** A waiting stop holds what it may cost, less what its OCO partner holds. */
function checkStopHold(state: State, slot: number, invariant: Invariant): void {
  const { orders } = state;
  const instrument = state.instruments[orders.securityId(slot)]!;
  const { held, stopPx } = orders.details(slot)!;
  const cost = costOfStop(instrument, storedOrder(state, slot).terms, stopPx);
  const partner = partnerOf(state, slot);
  const side: Side = orders.side(slot);
  const shared =
    partner === NONE
      ? ZERO
      : costOf(instrument, side, orders.price(partner), orders.leavesQty(partner));
  const needed = cost > shared ? subtract(cost, shared) : ZERO;
  const where = () => `order ${orders.orderId(slot)}, held ${held}, needed ${needed}`;
  invariant(held === needed, 'a stop holds what it may cost', where);
}
