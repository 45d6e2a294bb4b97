// The model's execution reports: all that is told of an order, at each of its steps.
import { CloseReason, ExecType, OrdStatus } from '../../src/core/fix.ts';
import { nameOf } from './coverage.ts';
import type { ExpectedReport } from './expectation.ts';
import { isStop, leavesOf, type ModelOrder, type VenueState } from './state.ts';
import { shownTrigger } from './trailing.ts';

export function report(
  venue: VenueState,
  order: ModelOrder,
  execType: ExecType,
  reason: CloseReason = CloseReason.none,
  last: { readonly price: bigint; readonly quantity: bigint } = { price: 0n, quantity: 0n },
): void {
  const closed = execType === ExecType.canceled || execType === ExecType.rejected;
  const changed = execType === ExecType.replaced || execType === ExecType.triggered;
  const open = order.cumQty > 0n ? OrdStatus.partiallyFilled : OrdStatus.new;
  const event: ExpectedReport = {
    type: 'executionReport',
    execId: venue.nextExecId++,
    orderId: order.orderId,
    uid: order.uid,
    securityId: order.market.securityId,
    clOrdId: order.clOrdId,
    side: order.side,
    ordType: order.ordType,
    postOnly: order.postOnly,
    price: order.price,
    orderQty: order.orderQty,
    quoteOrderQty: order.quoteOrderQty,
    cumQty: order.cumQty,
    // A budget has no quantity, so nothing of it is ever left to fill.
    leavesQty: closed || order.orderQty === 0n ? 0n : leavesOf(order),
    cumQuote: order.cumQuote,
    lastPx: last.price,
    lastQty: last.quantity,
    execType,
    ordStatus: changed ? open : (execType as OrdStatus),
    reason,
    ordRejReason: execType === ExecType.rejected ? 99 : null,
    extras: {
      timeInForce: order.timeInForce,
      expireTime: order.expireTime,
      displayQty: order.displayQty,
      stopPx: order.stopPx,
      triggerPriceDirection: order.direction,
      trail: order.trail,
      selfTradePrevention: order.prevention,
      bracket: order.bracket,
    },
    trailingTime: order.trailingTime,
    triggerPx: shownTrigger(order),
    workingIndicator: !isStop(order) || order.triggered,
    ocoOrderId: order.ocoOrderId,
    parentOrderId: order.parentOrderId,
    createTime: order.createTime,
    transactTime: venue.time,
  };
  venue.events.push(event);
  venue.meet(`exec ${nameOf(ExecType, execType)}`);
  venue.meet(`close ${nameOf(CloseReason, reason)}`, reason !== CloseReason.none);
}
