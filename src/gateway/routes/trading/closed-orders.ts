// Why an order that a command names is not open: the core forgets closed orders, and the views know
// whether the caller had this one.
import { Problem } from '../../../contract/problem.ts';
import { REJECTIONS } from '../../../contract/rejections.ts';
import type { BatchEntry, Command } from '../../../core/command.ts';
import type { Outcome } from '../../../core/outcome.ts';
import { ViewsUnavailable } from '../../../views/views.ts';
import { historyUnavailable } from '../../http/problem-of.ts';
import type { Services } from '../../services.ts';

/** A command or an entry that names an open order. */
interface OrderName {
  readonly orderId: number;
  readonly origClOrdId: string;
}

/** True if a command was rejected since it names no open order. */
export const namesNoOpenOrder = (
  command: Command | BatchEntry,
  outcome: Outcome,
): command is Extract<Command | BatchEntry, OrderName> =>
  (command.type === 'cancelOrder' || command.type === 'amendOrder') &&
  !outcome.ok &&
  outcome.reject.name === 'orderUnknown';

/**
 * The rejection for an order below `nextOrderId` that only the views have; null where there was
 * none. The command is already durable and rejected, so this must not fail.
 */
export async function closedOrderProblem(
  services: Services,
  requestId: string,
  uid: number,
  named: OrderName,
  seq: number,
  nextOrderId = Number.MAX_SAFE_INTEGER,
): Promise<Problem | null> {
  try {
    const found = await wasOpen(services, uid, named, seq, nextOrderId);
    return found ? orderClosed(named) : null;
  } catch (error) {
    if (error instanceof ViewsUnavailable) {
      return historyUnavailable(error, 'No open order of yours has this id, so nothing was done. ');
    }
    services.log.error({ requestId, err: error }, 'the views did not answer');
    return null;
  }
}

async function wasOpen(
  { views }: Services,
  uid: number,
  { orderId, origClOrdId }: OrderName,
  seq: number,
  nextOrderId: number,
): Promise<boolean> {
  if ((orderId === 0 && origClOrdId === '') || orderId >= nextOrderId) return false;
  const found = await views.query(
    {
      type: 'orders',
      uid,
      size: 1,
      lastRowId: nextOrderId,
      ...(orderId === 0 ? {} : { orderId }),
      ...(origClOrdId === '' ? {} : { filter: { clOrdId: origClOrdId } }),
    },
    seq,
  );
  return found.length > 0;
}

function orderClosed({ orderId }: OrderName): Problem {
  const field = orderId === 0 ? 'origClOrdId' : 'orderId';
  return new Problem('orderClosed', {
    userMsg: `Invalid field: ${field}. ${REJECTIONS.orderClosed.text}`,
    details: { field, rule: 'open' },
  });
}
