// Places the exits of a bracket: an OCO pair like any other, or one of its orders. They are checked
// at this moment, for as much as the balance covers. Where none is possible a report says why:
// no caller waits for it.
import { assert } from '../assert.ts';
import { CloseReason, ExecType, SelfTradePrevention, Side, TimeInForce } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { type Bracket, hasStop } from '../order-extras.ts';
import type { RejectName } from '../reject.ts';
import type { State } from '../state.ts';
import { affordableLots, divideDown, type Lots, lots, type Ticks } from '../units.ts';
import type { DueBracket } from './due.ts';
import { minExitLots } from './exits.ts';
import { availableTo, protectionPrice } from './holds.ts';
import { checkOco, enterPair, newPair, type OcoTerms } from './place-oco.ts';
import { reportEntering } from './report.ts';
import { firstTrigger } from './trailing.ts';

/** The reason that the owner reads in place of a rejection. */
const REASONS: Partial<Record<RejectName, CloseReason>> = {
  priceOutsideBand: CloseReason.exitsOutsideBand,
  tooManyOpenOrders: CloseReason.exitsTooManyOrders,
};

export function placeExits(state: State, instrument: Instrument, due: DueBracket): void {
  const terms = termsOf(due, quantityOf(state, instrument, due));
  const reason = reasonAgainst(state, instrument, due, terms);
  if (reason === CloseReason.none) {
    enterPair(state, instrument, newPair(state, instrument, terms, due.parentOrderId));
    return;
  }
  // The whole quantity stays without exits.
  const pair = newPair(state, instrument, termsOf(due, due.orderQty), due.parentOrderId);
  for (const order of [pair.limit, pair.stop]) {
    if (order === null) continue;
    reportEntering(state, order, ExecType.rejected, lots(0), reason);
  }
}

function termsOf(due: DueBracket, orderQty: Lots): OcoTerms {
  const { uid, securityId, side, selfTradePrevention, bracket } = due;
  return {
    uid,
    securityId,
    side,
    orderQty,
    price: bracket.takeProfitPx,
    stopPx: bracket.stopPx,
    stopLimitPx: bracket.stopLimitPx,
    trail: bracket.trail,
    timeInForce: TimeInForce.goodTillCancel,
    expireTime: 0,
    // The rule of the pair may be another one by now, and none would be rejected.
    selfTradePrevention:
      selfTradePrevention === SelfTradePrevention.none ? null : selfTradePrevention,
    clOrdId: '',
    stopClOrdId: '',
    strictClOrdId: false,
  };
}

/** The part of the quantity that the available balance covers. */
function quantityOf(state: State, instrument: Instrument, due: DueBracket): Lots {
  const { uid, side, orderQty, bracket } = due;
  const { perTickLot, baseUnitsPerLot } = instrument;
  const available = availableTo(state, instrument, uid, side);
  if (side === Side.sell) {
    const there = divideDown(available, baseUnitsPerLot);
    return there < orderQty ? lots(there as number) : orderQty;
  }
  const { takeProfitPx } = bracket;
  const stopPrice = hasStop(bracket) ? stopPriceOf(instrument, side, bracket) : takeProfitPx;
  const price: Ticks = stopPrice > takeProfitPx ? stopPrice : takeProfitPx;
  return affordableLots(available, price, perTickLot, orderQty);
}

/** The price that the stop is held at. */
function stopPriceOf(instrument: Instrument, side: Side, bracket: Bracket): Ticks {
  const { stopLimitPx } = bracket;
  return stopLimitPx === 0 ? protectionPrice(firstTrigger(instrument, side, bracket)) : stopLimitPx;
}

function reasonAgainst(
  state: State,
  instrument: Instrument,
  due: DueBracket,
  terms: OcoTerms,
): CloseReason {
  if (state.users[due.uid]!.suspended) return CloseReason.exitsSuspended;
  const least = minExitLots(instrument, due.bracket);
  if (due.orderQty < least) return CloseReason.exitsBelowMinimum;
  if (terms.orderQty < least) return CloseReason.exitsUnfunded;
  const reject = checkOco(state, instrument, terms, true);
  if (reject === null) return CloseReason.none;
  const reason = REASONS[reject.name];
  assert(reason !== undefined, 'exits are rejected for their band or their number alone');
  return reason;
}
