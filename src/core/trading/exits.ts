// The exits of an order with a bracket: their size, which is checked with the order, and the due
// queue, where they wait once the order is done. So they are never placed inside a match.
// place-exits.ts places them.
import type { FeeRole } from '../fee-rates.ts';
import { OrdType, opposite, Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { FRONT } from '../matching/iceberg-visit.ts';
import type { Bracket } from '../order-extras.ts';
import { inAsset, inLots, type Measure, type Reject, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import {
  type Amount,
  amount,
  divideDown,
  divideUp,
  type Lots,
  lots,
  MAX_INTEGER,
  multiply,
  RATE_ONE,
  shareUp,
  subtract,
  type Ticks,
} from '../units.ts';
import type { EnteringOrder } from './entering-order.ts';
import { minLots } from './minimum.ts';

/** Queues the exits of an order that is done, if it has any and has traded. */
export function queueExits(state: State, instrument: Instrument, order: EnteringOrder): void {
  const { terms, orderId, cumQty, details } = order;
  if (details === null || cumQty === 0) return;
  const { bracket, selfTradePrevention } = details.extras;
  if (bracket === null) return;
  const { uid, side } = terms;
  const { visit } = state.incoming;
  // The makers of a level that are done from the last to the first have the places of their queue.
  const ahead = visit.isOpen && visit.cursor !== FRONT ? visit.exits++ : 0;
  const due = {
    seq: state.next.execId,
    securityId: instrument.securityId,
    uid,
    parentOrderId: orderId,
    side: opposite(side),
    orderQty: exitQty(instrument, side, cumQty, details.fees),
    selfTradePrevention,
    bracket,
  };
  state.due.add(instrument, due, ahead);
}

/** A buy exits with the lots that it received after fees, a sell with all that it sold. */
function exitQty({ baseUnitsPerLot }: Instrument, side: Side, cumQty: Lots, fees: Amount): Lots {
  if (side === Side.sell) return cumQty;
  const received = subtract(multiply(cumQty, baseUnitsPerLot), fees);
  return lots(divideDown(received < 0 ? amount(0) : received, baseUnitsPerLot) as number);
}

interface EntryTerms {
  readonly uid: number;
  readonly side: Side;
  readonly orderQty: Lots;
  readonly bracket: Bracket | null;
}

/**
 * Rejects an order whose exits would be below the minimum after the fee at the higher of its two
 * rates. It counts one fill: each further one may round its fee up by one more unit.
 */
export function checkExits(
  state: State,
  instrument: Instrument,
  { uid, side, orderQty, bracket }: EntryTerms,
): Reject | null {
  if (bracket === null) return null;
  const { securityId, base, baseUnitsPerLot } = instrument;
  const rate = side === Side.sell ? 0 : higherRate(state, instrument, uid);
  const needed = minExitLots(instrument, bracket);
  const least = minEntryLots(needed, rate);
  if (least !== null && orderQty >= least) return null;
  const fee = shareUp(multiply(orderQty, baseUnitsPerLot), rate);
  const inBase = (n: Amount | Lots): Measure => inAsset(base.assetId, multiply(n, baseUnitsPerLot));
  return rejection('exitsTooSmall', 'orderQty', 'exitQty', {
    limit: inBase(needed),
    value: inBase(exitQty(instrument, side, orderQty, fee)),
    nearest: least === null || least > MAX_INTEGER ? null : inLots(securityId, least as number),
  });
}

function higherRate(state: State, instrument: Instrument, uid: number): number {
  const { users, feeTiers, time } = state;
  const rateOf = (role: FeeRole): number => feeTiers.rateOf(users[uid]!, instrument, role, time);
  return Math.max(rateOf('makerFee'), rateOf('takerFee'));
}

/** The smallest quantity of which `needed` lots are left after a fee; null: the fee takes all. */
function minEntryLots(needed: Amount, rate: number): Amount | null {
  if (rate === RATE_ONE) return null;
  return divideUp(multiply(needed, RATE_ONE), amount(RATE_ONE - rate));
}

/** The smallest quantity of exits, in lots. */
export function minExitLots(instrument: Instrument, bracket: Bracket): Amount {
  const { takeProfitPx, stopLimitPx } = bracket;
  const at = (price: Ticks): Amount =>
    minLots(instrument, { ordType: price === 0 ? OrdType.stop : OrdType.limit, price });
  const [target, stop] = [at(takeProfitPx), at(stopLimitPx)];
  return stop > target ? stop : target;
}
