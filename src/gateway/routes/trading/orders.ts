// The private trading calls: test, create, cancel, mass cancel, cancel all after. Each reads top to
// bottom: the request in core units, the command, the answer. Queries are in order-queries.ts.

import { Problem } from '../../../contract/problem.ts';
import { REFUSALS } from '../../../contract/refusals.ts';
import { orderCalls } from '../../../contract/trading/calls.ts';
import {
  asNamed,
  findInstrument,
  toCancelOrder,
  toMassCancel,
  toPlaceOrder,
} from '../../../contract/trading/orders.ts';
import { clOrdIdOf } from '../../../core/cl-ord-id.ts';
import type { CancelOrder, Command } from '../../../core/command.ts';
import type { Receipt } from '../../../engine/sequencer.ts';
import { ViewsUnavailable } from '../../../views/views.ts';
import { historyUnavailable } from '../../http/problem-of.ts';
import { ok, refuse, refuseReject, replyTo, submitOnce } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';

/** The receipt, where a refusal of the instrument names the field that the caller used. */
function named<C extends Command>(
  receipt: Receipt<C>,
  body: { readonly symbol: string | undefined },
): Receipt<C> {
  const { outcome } = receipt;
  if (outcome.ok) return receipt;
  return { ...receipt, outcome: { ...outcome, reject: asNamed(outcome.reject, body) } };
}

const createTestOrder = route(orderCalls.testOrder, {
  handle(services, call) {
    const { engine } = services;
    const { state } = engine.exchange;
    const strict = call.key?.strictClOrdId ?? false;
    const reject = engine.exchange.checkOrder(toPlaceOrder(state, call.body, call, strict));
    return reject === null
      ? ok({}, engine.seq)
      : refuseReject(services, asNamed(reject, call.body));
  },
});

const createNewOrder = route(orderCalls.createOrder, {
  async handle(services, call) {
    const { engine } = services;
    const { state } = engine.exchange;
    const command = toPlaceOrder(state, call.body, call, call.key?.strictClOrdId ?? false);
    const receipt = await submitOnce(services, call, command);
    return replyTo(services, named(receipt, call.body), ({ orderId, clOrdId, transactTime }) => ({
      orderId,
      symbol: state.instruments[command.securityId]!.symbol,
      clOrdId: clOrdIdOf(command.uid, orderId, clOrdId),
      transactTime,
    }));
  },
});

const cancelOrder = route(orderCalls.cancelOrder, {
  async handle(services, call) {
    const command = toCancelOrder(call.body, call);
    const receipt = await submitOnce(services, call, command);
    const { uid } = command;
    const reply = replyTo(services, receipt, ({ orderId, clOrdId, requestId, origClOrdId }) => ({
      orderId,
      clOrdId: clOrdIdOf(uid, requestId, clOrdId),
      origClOrdId: clOrdIdOf(uid, orderId, origClOrdId),
    }));
    const { outcome, seq } = receipt;
    if (outcome.ok || outcome.reject.name !== 'orderUnknown') return reply;
    const problem = await whyNotOpen(services, call, command, seq);
    if (problem === null) return reply;
    const { status, body, headers } = refuse(problem);
    return { ...reply, status, body, headers: { ...reply.headers, ...headers } };
  },
});

/**
 * The refusal for an order that only the views have; null where there was none. The cancel is
 * already durable and refused, so this must not fail.
 */
async function whyNotOpen(
  services: Services,
  { requestId }: { readonly requestId: string },
  command: CancelOrder,
  seq: number,
): Promise<Problem | null> {
  try {
    return (await wasOpen(services, command, seq)) ? orderClosed(command) : null;
  } catch (error) {
    if (error instanceof ViewsUnavailable) {
      return historyUnavailable(
        error,
        'No open order of yours has this id, so nothing was canceled. ',
      );
    }
    services.log.error({ requestId, err: error }, 'the views did not answer');
    return null;
  }
}

/** The core forgets closed orders; the views know whether the caller had this one. */
async function wasOpen({ views }: Services, command: CancelOrder, seq: number): Promise<boolean> {
  const { uid, orderId, origClOrdId } = command;
  const found = await views.query(
    {
      type: 'orders',
      uid,
      size: 1,
      ...(orderId === 0 ? {} : { orderId }),
      ...(origClOrdId === '' ? {} : { filter: { clOrdId: origClOrdId } }),
    },
    seq,
  );
  return found.length > 0;
}

function orderClosed({ orderId }: CancelOrder): Problem {
  const field = orderId === 0 ? 'origClOrdId' : 'orderId';
  return new Problem('orderClosed', {
    userMsg: `Invalid field: ${field}. ${REFUSALS.orderClosed.text}`,
    details: { field, rule: 'open' },
  });
}

const massCancel = route(orderCalls.massCancel, {
  async handle(services, call) {
    const instrument = findInstrument(services.engine.exchange.state, call.body);
    const command = toMassCancel(instrument, call.body.clOrdId, call);
    const receipt = await submitOnce(services, call, command);
    return replyTo(services, named(receipt, call.body), ({ clOrdId, requestId }) => ({
      clOrdId: clOrdIdOf(command.uid, requestId, clOrdId),
      symbol: instrument?.symbol ?? null,
      securityId: instrument?.securityId ?? null,
    }));
  },
});

const cancelAllAfter = route(orderCalls.cancelAllAfter, {
  async handle(services, call) {
    const { uid, signature, idempotency, body } = call;
    const { timeout } = body;
    const receipt = await submitOnce(services, call, {
      type: 'cancelAllAfter',
      uid,
      signature,
      idempotency,
      timeout,
    });
    return replyTo(services, receipt, (result) => ({ ...result }));
  },
});

export const tradingRoutes: readonly Route[] = [
  createTestOrder,
  createNewOrder,
  cancelOrder,
  massCancel,
  cancelAllAfter,
];
