// Execution reports: each change of an order. In FIX 4.2 digits, the execType of a report is also
// the ordStatus after it, except for an amendment and a trigger.
import { clOrdIdOf } from '../cl-ord-id.ts';
import type { ExecutionReport } from '../event.ts';
import { CloseReason, ExecType, OrdRejReason, OrdStatus } from '../fix.ts';
import { detailsWith } from '../matching/order-details.ts';
import { NONE } from '../matching/order-store.ts';
import type { State } from '../state.ts';
import { type Lots, lots, type Ticks, ticks } from '../units.ts';
import type { EnteringOrder } from './entering-order.ts';
import { peekStored } from './stored-order.ts';

/** The details of an order without any. */
const PLAIN = detailsWith({});
const NO_PRICE = ticks(0);

/** An amendment and a trigger have no status of their own: the order stays open. */
function statusAfter(execType: ExecType, cumQty: Lots): OrdStatus {
  if (execType !== ExecType.replaced && execType !== ExecType.triggered) return execType;
  return cumQty === 0 ? OrdStatus.new : OrdStatus.partiallyFilled;
}

/** Reports a change of an order that is not in the book. */
export function reportEntering(
  state: State,
  order: EnteringOrder,
  execType: ExecType,
  leavesQty: Lots,
  reason: CloseReason = CloseReason.none,
  lastPx: Ticks = NO_PRICE,
  lastQty: Lots = lots(0),
): void {
  const execId = state.next.execId++;
  if (!state.eventFilter.includesOwner(order.terms.uid)) return;
  const details = order.details ?? PLAIN;
  state.events.push({
    type: 'executionReport',
    execId,
    orderId: order.orderId,
    uid: order.terms.uid,
    securityId: order.terms.securityId,
    clOrdId: clOrdIdOf(order.terms.uid, order.orderId, order.terms.clOrdId),
    side: order.terms.side,
    ordType: order.terms.ordType,
    postOnly: order.terms.postOnly,
    price: order.terms.price,
    orderQty: order.terms.orderQty,
    quoteOrderQty: order.terms.quoteOrderQty,
    cumQty: order.cumQty,
    leavesQty,
    cumQuote: order.cumQuote,
    lastPx,
    lastQty,
    execType,
    ordStatus: statusAfter(execType, order.cumQty),
    reason,
    ordRejReason: execType === ExecType.rejected ? OrdRejReason.other : null,
    extras: details.extras,
    workingIndicator: details.working,
    trailingTime: details.trailingTime,
    triggerPx: details.trailingTime === 0 ? NO_PRICE : presentTrigger(state, order),
    ocoOrderId: details.ocoOrderId,
    parentOrderId: details.parentOrderId,
    createTime: order.slot === NONE ? state.time : state.orders.createTime(order.slot),
    transactTime: state.time,
  });
}

/** The trigger of a stop that trails, or has trailed. */
function presentTrigger({ instruments, orders }: State, { slot, terms, details }: EnteringOrder) {
  const { triggers } = instruments[terms.securityId]!;
  if (slot === NONE || !triggers.isTrailing(slot)) return details!.triggerPx;
  return triggers.trailingOf(orders.side(slot)).triggerOf(slot);
}

/** The last report of an order with its present trigger, which moves without reports. */
export function withPresentTrigger(state: State, report: ExecutionReport): ExecutionReport {
  if (report.trailingTime === 0 || report.workingIndicator) return report;
  const slot = state.orders.find(report.orderId);
  if (slot === NONE || !state.instruments[report.securityId]!.triggers.isTrailing(slot)) {
    return report;
  }
  return { ...report, triggerPx: presentTrigger(state, peekStored(state, slot)) };
}

/** Reports a change of a stored order, whose record is as after the change. */
export function reportResting(
  state: State,
  slot: number,
  execType: ExecType,
  reason: CloseReason = CloseReason.none,
  lastPx: Ticks = NO_PRICE,
  lastQty: Lots = lots(0),
): void {
  const { orders, eventFilter, next } = state;
  if (!eventFilter.includesOwner(orders.uid(slot))) {
    next.execId++;
    return;
  }
  // A terminal order leaves nothing, whatever was not filled.
  const leavesQty = execType === ExecType.canceled ? lots(0) : orders.leavesQty(slot);
  reportEntering(state, peekStored(state, slot), execType, leavesQty, reason, lastPx, lastQty);
}
