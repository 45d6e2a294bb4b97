// The private query of orders. The core has the open orders; their rows, like those of closed
// orders, come from the views at the position of the core: only the views keep an order's last
// report (execId, lastPx, lastQty).

import { Problem } from '../../../contract/problem.ts';
import { orderCalls } from '../../../contract/trading/calls.ts';
import {
  type OrderSearch,
  readOrderSearch,
  writeOrderPage,
} from '../../../contract/trading/order-query.ts';
import type { ExecutionReport } from '../../../core/event.ts';
import { withPresentTrigger } from '../../../core/trading/report.ts';
import { EngineError } from '../../../engine/command-port.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';

const getOrders = route(orderCalls.orders, {
  async handle(services, { uid, query }) {
    const { engine } = services;
    const { state } = engine.exchange;
    const search = readOrderSearch(state, query, engine.now);
    const { found, seq } = await findOrdersAt(services, uid, search);
    return ok(writeOrderPage(state, found, query.size), seq);
  },
});

/** The user's orders of a search. Rejects with Problem outcomeUnknown, ViewsUnavailable. */
export const findOrders = async (
  services: Services,
  uid: number,
  search: OrderSearch,
): Promise<readonly ExecutionReport[]> => (await findOrdersAt(services, uid, search)).found;

async function findOrdersAt(services: Services, uid: number, search: OrderSearch) {
  const { engine } = services;
  let seq = engine.seq;
  let found = await find(services, uid, search, seq);
  if (found.length === 0 && namesOrder(search) && (await hasMoved(services, seq))) {
    seq = engine.seq;
    found = await find(services, uid, search, seq);
  }
  const { state } = engine.exchange;
  return { found: found.map((report) => withPresentTrigger(state, report)), seq };
}

const namesOrder = ({ terms, impossible }: OrderSearch): boolean =>
  !impossible && (terms.orderId !== undefined || terms.filter.clOrdId !== undefined);

async function find(
  services: Services,
  uid: number,
  { terms, open, impossible }: OrderSearch,
  seq: number,
): Promise<readonly ExecutionReport[]> {
  if (impossible) return [];
  const { engine, views } = services;
  if (!open) return views.query({ type: 'orders', uid, ...terms }, seq);
  // Most bots poll without open orders.
  if (engine.exchange.state.orders.countOf(uid) === 0) return [];
  return views.query({ type: 'orders', uid, ...terms, filter: { ...terms.filter, open } }, seq);
}

/**
 * Before a node of a cluster answers that an order does not exist, it has what every other node
 * has: a client then sends the order again. Resolves to whether it had less. Throws outcomeUnknown.
 */
async function hasMoved({ cluster, engine }: Services, seq: number): Promise<boolean> {
  if (cluster === null) return false;
  try {
    await cluster.settle();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new Problem('outcomeUnknown', {
      userMsg:
        'No such order is known here, and the leader was lost: the order may still exist. ' +
        'Look it up again shortly.',
      headers: { 'Retry-After': '1' },
    });
  }
  return engine.seq > seq;
}

export const orderRoutes: readonly Route[] = [getOrders];
