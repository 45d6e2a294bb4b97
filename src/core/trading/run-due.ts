// Executes the due queue, a slice at a time: triggered stops trade, finished brackets place
// their exits. Whatever these set off joins the end of the queue.
import { CloseReason, ExecType, isLimit, Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { NONE } from '../matching/order-store.ts';
import type { State } from '../state.ts';
import { add, ZERO } from '../units.ts';
import { UNIT } from '../work.ts';
import { dropOrder, partnerOf, unqueue } from './close-order.ts';
import { isBracket } from './due.ts';
import { cancelEntering, crossesBest, workLimit, workMarket } from './enter.ts';
import { expireOrders, hasExpiredOrders } from './expire.ts';
import { costOf, heldBy, hold, paidAsset, release } from './holds.ts';
import { placeExits } from './place-exits.ts';
import { isOutsideBand } from './price-band.ts';
import { reportResting } from './report.ts';
import { storedOrder } from './stored-order.ts';

/** Entries after one command; others join the queue meanwhile. */
export const TRIGGER_SLICE = 500;

/** Executes due entries, as far as the work of this command goes. */
export function runDue(state: State): void {
  const { work } = state;
  for (let rest = TRIGGER_SLICE; rest > 0 && work.left > 0; rest--) {
    const next = state.due.next(state.pending, work);
    if (next === undefined) return;
    const { instrument, entry } = next;
    if (hasExpiredOrders(state, instrument)) {
      expireOrders(state, instrument);
      continue;
    }
    work.left -= UNIT;
    if (isBracket(entry)) {
      state.onPart?.(-entry.parentOrderId);
      state.due.removeBracket(instrument);
      placeExits(state, instrument, entry);
    } else {
      const slot = instrument.triggers.queue(entry.levels[entry.next]).first;
      state.onPart?.(-state.orders.orderId(slot));
      trigger(state, instrument, slot);
    }
  }
}

function trigger(state: State, instrument: Instrument, slot: number): void {
  const { orders } = state;
  const { held } = orders.details(slot)!;
  const partner = partnerOf(state, slot);
  const shared = partner === NONE ? ZERO : heldBy(state, instrument, partner);
  // The pair holds its money once, so all of it is the stop's now.
  if (partner !== NONE) dropOrder(state, instrument, partner, CloseReason.oco);
  unqueue(state, instrument, slot);
  const asset = paidAsset(instrument, orders.side(slot));
  const money = add(held, shared);
  release(state, orders.uid(slot), asset, money);
  orders.changeDetails(slot, { working: true, held: ZERO });
  reportResting(state, slot, ExecType.triggered);
  if (isLimit(orders.details(slot)!.ordType)) workStopLimit(state, instrument, slot);
  else {
    // The money that a stop held is what it may spend.
    const budget = orders.side(slot) === Side.buy ? money : ZERO;
    workMarket(state, instrument, storedOrder(state, slot), budget);
  }
}

/** The limit order enters like a new one, with a new priority. */
function workStopLimit(state: State, instrument: Instrument, slot: number): void {
  const order = storedOrder(state, slot);
  const { uid, side, price, orderQty, postOnly } = order.terms;
  if (isOutsideBand(instrument, price)) {
    cancelEntering(state, instrument, order, CloseReason.priceBand);
  } else if (postOnly && crossesBest(instrument, side, price)) {
    cancelEntering(state, instrument, order, CloseReason.postOnlyWouldMatch);
  } else {
    hold(state, uid, paidAsset(instrument, side), costOf(instrument, side, price, orderQty));
    workLimit(state, instrument, order, false);
  }
}
