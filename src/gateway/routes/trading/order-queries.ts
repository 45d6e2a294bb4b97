// The private query of orders. The core has the open orders; their rows, like those of closed
// orders, come from the views at the position of the core: only the views keep an order's last
// report (execId, lastPx, lastQty).
import { orderCalls } from '../../../contract/trading/calls.ts';
import {
  type OrderTerms,
  readOrderSearch,
  writeOrderPage,
} from '../../../contract/trading/order-query.ts';
import type { ExecutionReport } from '../../../core/event.ts';
import { OrdStatus } from '../../../core/fix.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';

const getOrders = route(orderCalls.orders, {
  async handle(services, { uid, query }) {
    const { engine } = services;
    const { state } = engine.exchange;
    const search = readOrderSearch(state, query, engine.now);
    const seq = engine.seq;
    const found = search.impossible
      ? []
      : search.open
        ? await findOpen(services, uid, search.terms, seq)
        : await services.views.query({ type: 'orders', uid, ...search.terms }, seq);
    return ok(writeOrderPage(state, found, query.size), seq);
  },
});

/** Open orders are new or partially filled: two queries of the views. */
async function findOpen(
  { engine, views }: Services,
  uid: number,
  terms: OrderTerms,
  seq: number,
): Promise<ExecutionReport[]> {
  const { size, filter } = terms;
  // Most bots poll without open orders.
  if (engine.exchange.state.orders.countOf(uid) === 0) return [];
  const statuses = [OrdStatus.new, OrdStatus.partiallyFilled].filter(
    (status) => filter.ordStatus === undefined || filter.ordStatus === status,
  );
  const pages = await Promise.all(
    statuses.map((ordStatus) =>
      views.query({ type: 'orders', uid, ...terms, filter: { ...filter, ordStatus } }, seq),
    ),
  );
  // An order that was filled between the two answers is in both; the later answer is current.
  const newest = new Map(pages.flat().map((report) => [report.orderId, report]));
  return [...newest.values()].sort((a, b) => b.orderId - a.orderId).slice(0, size);
}

export const orderRoutes: readonly Route[] = [getOrders];
