// The exits of an order with a bracket, once it is done: they wait in the due queue, so that they
// are never placed inside a match. place-exits.ts places them.
import { opposite, Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import type { OrderDetails } from '../matching/order-details.ts';
import type { State } from '../state.ts';
import { amount, divideDown, type Lots, lots, multiply, subtract } from '../units.ts';

/** An order that is done and has traded. */
interface DoneOrder {
  readonly uid: number;
  readonly orderId: number;
  readonly side: Side;
  readonly cumQty: Lots;
  readonly details: OrderDetails;
}

export function queueExits(state: State, instrument: Instrument, order: DoneOrder): void {
  const { uid, orderId, side, details } = order;
  state.due.addBracket(instrument, {
    seq: state.next.execId,
    securityId: instrument.securityId,
    uid,
    parentOrderId: orderId,
    side: opposite(side),
    orderQty: exitQty(instrument, order),
    selfTradePrevention: details.selfTradePrevention,
    bracket: details.bracket!,
  });
}

/** A buy exits with the lots that it received after fees, a sell with all that it sold. */
function exitQty(instrument: Instrument, { side, cumQty, details }: DoneOrder): Lots {
  if (side === Side.sell) return cumQty;
  const { baseUnitsPerLot } = instrument;
  const received = subtract(multiply(cumQty, baseUnitsPerLot), details.fees);
  return lots(divideDown(received < 0 ? amount(0) : received, baseUnitsPerLot) as number);
}
