// Executes what trades have made due: triggered stops, and the exits of brackets. It does
// so in slices, in the order in which it came about.
import { CloseReason, ExecType, InstrumentStatus, OrdType } from '../../src/core/fix.ts';
import { expireIn } from './cancels.ts';
import { placeExits } from './exits.ts';
import { otherOf, releaseOther } from './matching.ts';
import { report } from './report.ts';
import { type Due, type ModelOrder, sideOf, type VenueState } from './state.ts';
import { isOutsideBand, lapse, stopCost, tradeLimit, tradeMarket, wouldTrade } from './trading.ts';

/** At most so many in a slice. */
const SLICE = 500;

/** True if it can be executed now. */
export const isReady = ({ order }: Due): boolean => order.market.status === InstrumentStatus.LIVE;

export function runDue(venue: VenueState): void {
  for (let i = 0; i < SLICE; i++) {
    const next = venue.due.find(isReady);
    if (next === undefined) {
      venue.meet('stop: due in an instrument that is not LIVE', venue.due.length > 0);
      return;
    }
    if (expireIn(venue, next.order.market.securityId) > 0) {
      venue.meet('time in force: an order expires before a due one trades');
      continue;
    }
    venue.due.splice(venue.due.indexOf(next), 1);
    if (next.kind === 'stop') trigger(venue, next.order);
    else placeExits(venue, next.order);
  }
  const isLeft = venue.due.some(isReady);
  venue.meet('stop: more are due than a command may carry out', isLeft);
}

function trigger(venue: VenueState, order: ModelOrder): void {
  // All that it sets aside, with what the limit order of a pair did for both.
  const money = order.reserved + (otherOf(venue, order)?.reserved ?? 0n);
  venue.meet('pair: the stop is triggered', releaseOther(venue, order) > 0);
  order.place = 'entering';
  order.triggered = true;
  report(venue, order, ExecType.triggered);
  venue.reserve(order, order.ordType === OrdType.stop ? money : stopCost(order));
  venue.meet('stop: it buys by quote', order.orderQty === 0n);
  venue.triggering = order.direction;
  if (order.ordType === OrdType.stop) tradeMarket(venue, order);
  else if (isOutsideBand(order.market, order.price)) lapse(venue, order, CloseReason.priceBand);
  else if (order.postOnly && wouldTrade(order)) {
    lapse(venue, order, CloseReason.postOnlyWouldMatch);
  } else tradeLimit(venue, order);
  venue.triggering = null;
  venue.meet('stop: a triggered limit rests', sideOf(order.market, order.side).includes(order));
}
