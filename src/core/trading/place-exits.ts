// Places the exits of a bracket: an OCO pair like any other, checked at this moment. A refusal is
// reported, since no caller waits for it.
import { CloseReason, ExecType, SelfTradePrevention, Side, TimeInForce } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import type { RejectName } from '../reject.ts';
import type { State } from '../state.ts';
import { affordableLots, type Lots, lots, type Ticks, ticks } from '../units.ts';
import { availableTo } from './checks.ts';
import type { DueBracket } from './due.ts';
import { protectionPrice } from './holds.ts';
import { checkOco, enterPair, newPair, type OcoTerms } from './place-oco.ts';
import { reportEntering } from './report.ts';

/** The reason that the owner reads in place of a refusal. */
const REASONS: Partial<Record<RejectName, CloseReason>> = {
  belowMinimum: CloseReason.belowMinimum,
  priceOutsideBand: CloseReason.priceBand,
  tooManyOpenOrders: CloseReason.tooManyOpenOrders,
  insufficientBalance: CloseReason.insufficientBalance,
};

export function placeExits(state: State, instrument: Instrument, due: DueBracket): void {
  const terms = termsOf(state, instrument, due);
  const reason = refusalOf(state, instrument, terms);
  const pair = newPair(state, instrument, terms, due.parentOrderId);
  if (reason === CloseReason.none) {
    enterPair(state, instrument, pair);
    return;
  }
  for (const order of [pair.limit, pair.stop]) {
    reportEntering(state, order, ExecType.rejected, lots(0), ticks(0), lots(0), reason);
  }
}

function termsOf(state: State, instrument: Instrument, due: DueBracket): OcoTerms {
  const { uid, securityId, side, selfTradePrevention, bracket } = due;
  return {
    uid,
    securityId,
    side,
    orderQty: quantityOf(state, instrument, due),
    price: bracket.takeProfitPx,
    stopPx: bracket.stopPx,
    stopLimitPx: bracket.stopLimitPx,
    timeInForce: TimeInForce.goodTillCancel,
    expireTime: 0,
    // The rule of the pair may be another one by now, and none would be refused.
    selfTradePrevention:
      selfTradePrevention === SelfTradePrevention.none ? null : selfTradePrevention,
    clOrdId: '',
    stopClOrdId: '',
    strictClOrdId: false,
  };
}

/** Exits that buy are bounded by the money that is there. */
function quantityOf(state: State, instrument: Instrument, due: DueBracket): Lots {
  const { uid, side, orderQty, bracket } = due;
  if (side === Side.sell) return orderQty;
  const { takeProfitPx, stopPx, stopLimitPx } = bracket;
  const stopPrice = stopLimitPx === 0 ? protectionPrice(stopPx) : stopLimitPx;
  const price: Ticks = stopPrice > takeProfitPx ? stopPrice : takeProfitPx;
  const available = availableTo(state, instrument, uid, side);
  return affordableLots(available, price, instrument.perTickLot, orderQty);
}

function refusalOf(state: State, instrument: Instrument, terms: OcoTerms): CloseReason {
  if (state.users[terms.uid]!.suspended) return CloseReason.suspension;
  if (terms.orderQty === 0) return CloseReason.belowMinimum;
  const reject = checkOco(state, instrument, terms, true);
  return reject === null ? CloseReason.none : (REASONS[reject.name] ?? CloseReason.operator);
}
