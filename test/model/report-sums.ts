// The reports of an order add up: each fill is reported once, with a quantity, and the order ends
// once. It holds for the events of the core whatever the model says.
import type { CoreEvent, ExecutionReport } from '../../src/core/event.ts';
import { ExecType, OrdStatus } from '../../src/core/fix.ts';
import { NONE } from '../../src/core/matching/order-store.ts';
import type { State } from '../../src/core/state.ts';

interface Sums {
  quantity: bigint;
  quote: bigint;
}

const TERMINAL: readonly OrdStatus[] = [OrdStatus.filled, OrdStatus.canceled, OrdStatus.rejected];

export class ReportSums {
  /** The orders that have not ended. */
  readonly #open = new Map<number, Sums>();
  /** Orders up to this id have been new. */
  #newest = 0;

  /** The fault of the reports of a command, or null. */
  faultIn(state: State, events: readonly CoreEvent[]): string | null {
    for (const event of events) {
      if (event.type !== 'executionReport') continue;
      const fault = this.#faultOf(state, event);
      if (fault !== null) return `report ${event.execId} of order ${event.orderId}: ${fault}`;
    }
    return null;
  }

  #faultOf({ instruments }: State, report: ExecutionReport): string | null {
    const { orderId, execType, ordStatus, lastPx, lastQty, securityId } = report;
    const isFirst = execType === ExecType.new || execType === ExecType.rejected;
    if (isFirst && orderId > this.#newest) {
      this.#newest = orderId;
      this.#open.set(orderId, { quantity: 0n, quote: 0n });
    }
    const sums = this.#open.get(orderId);
    if (sums === undefined) return 'the order has ended, or has not begun';
    const isFill = execType === ExecType.partialFill || execType === ExecType.fill;
    if (isFill !== lastQty > 0 || isFill !== lastPx > 0) return 'a fill without a quantity';
    sums.quantity += BigInt(lastQty);
    sums.quote += BigInt(lastQty) * BigInt(lastPx) * BigInt(instruments[securityId]!.perTickLot);
    if (sums.quantity !== BigInt(report.cumQty)) return 'cumQty is not the sum of the fills';
    if (sums.quote !== BigInt(report.cumQuote)) return 'cumQuote is not the sum of the fills';
    if (execType === ExecType.fill && ordStatus !== OrdStatus.filled)
      return 'a fill of another end';
    if (TERMINAL.includes(ordStatus)) this.#open.delete(orderId);
    return null;
  }

  /** The fault if the orders that have not ended are not those that are open. */
  faultOfOpen({ orders, users }: State): string | null {
    let count = 0;
    for (const uid of Object.keys(users).map(Number)) count += orders.countOf(uid);
    if (count !== this.#open.size) return `${this.#open.size} orders have not ended, ${count} open`;
    for (const orderId of this.#open.keys()) {
      if (orders.find(orderId) === NONE) return `order ${orderId} is not open and has not ended`;
    }
    return null;
  }
}
