// Placing an order: check, accept, enter.
import type { PlaceOrder } from '../command.ts';
import { isStop } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { detailsWith, type OrderDetails } from '../matching/order-details.ts';
import { NONE } from '../matching/order-store.ts';
import { accepted, type OutcomeOf, rejected } from '../outcome.ts';
import type { State } from '../state.ts';
import { lots, ZERO } from '../units.ts';
import { checkOrder } from './checks.ts';
import { enterOrder } from './enter.ts';
import type { EnteringOrder } from './entering-order.ts';
import { costOfStop } from './holds.ts';
import { firstTrigger } from './trailing.ts';

/** An accepted order may still be rejected or canceled: an execution report says so. */
export function placeOrder(state: State, command: PlaceOrder): OutcomeOf<'placeOrder'> {
  const reject = checkOrder(state, command);
  if (reject !== null) return rejected(reject);

  // Cannot be rejected beyond this point.
  const instrument = state.instruments[command.securityId]!;
  const orderId = state.next.orderId++;
  enterOrder(state, instrument, enteringOrder(instrument, command, orderId));
  return accepted({ orderId, clOrdId: command.clOrdId, transactTime: state.time });
}

/** A new order, with those of its details that do not follow from its terms. */
export function enteringOrder(
  instrument: Instrument,
  terms: PlaceOrder,
  orderId: number,
  more?: Partial<OrderDetails>,
): EnteringOrder {
  const details = detailsOf(instrument, terms, orderId, more);
  return { terms, orderId, cumQty: lots(0), cumQuote: ZERO, details, slot: NONE };
}

function detailsOf(
  instrument: Instrument,
  command: PlaceOrder,
  orderId: number,
  more?: Partial<OrderDetails>,
): OrderDetails | null {
  const { extras, ordType, orderQty, quoteOrderQty } = command;
  if (extras === null) return null;
  const { displayQty } = extras;
  const waits = isStop(ordType);
  // An order that shows all of itself is no iceberg.
  const isShown = displayQty !== 0 && displayQty >= orderQty;
  return detailsWith({
    extras: isShown ? { ...extras, displayQty: lots(0) } : extras,
    ordType,
    quoteOrderQty: waits ? quoteOrderQty : ZERO,
    working: !waits,
    held: waits
      ? costOfStop(instrument, command, firstTrigger(instrument, command.side, extras))
      : ZERO,
    priority: orderId,
    ...more,
  });
}
