// The private trading calls: test, create, amend, cancel, batch, cancel all after. The contract
// makes their commands; answers.ts answers them. Queries are in order-queries.ts.

import type { ApiCall } from '../../../contract/call.ts';
import { orderCalls } from '../../../contract/trading/calls.ts';
import { TRADING_COMMANDS, type TradingCommand } from '../../../contract/trading/commands.ts';
import { readBatch } from '../../../contract/trading/order-batch.ts';
import { toPlaceOrderV2 } from '../../../contract/trading/order-terms.ts';
import {
  asNamed,
  namesSymbol,
  type TradingCaller,
  toPlaceOrder,
} from '../../../contract/trading/orders.ts';
import type { PlaceOrder } from '../../../core/command.ts';
import type { State } from '../../../core/state.ts';
import { unitsOf, Work } from '../../../core/work.ts';
import { hasNewOrder, writesOf } from '../../../engine/backlog.ts';
import { ok, rejectReply } from '../../http/reply.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import { execute } from './answers.ts';

const callerOf = ({ uid, signature, idempotency, key }: Call<unknown, unknown>): TradingCaller => ({
  uid,
  signature,
  idempotency,
  strictClOrdId: key?.strictClOrdId ?? false,
});

interface Test<Q, B, W> {
  readonly call: ApiCall<Q, B, W>;
  make(state: State, body: B, caller: TradingCaller): PlaceOrder;
}

const test = <Q, B>({ call: described, make }: Test<Q, B, Readonly<Record<never, never>>>): Route =>
  route(described, {
    handle(services, call) {
      const { engine, limits } = services;
      const { exchange } = engine;
      const order = make(exchange.state, call.body, callerOf(call));
      const work = new Work();
      const reject = exchange.checkOrder(order, work);
      limits.chargeWork(order, unitsOf(work.done), 'user');
      return reject === null
        ? ok({}, engine.seq)
        : rejectReply(services, asNamed(reject, namesSymbol(call.body)));
    },
  });

interface Write<Q, B, W> {
  readonly call: ApiCall<Q, B, W>;
  make(state: State, body: B, caller: TradingCaller): TradingCommand;
}

const write = <Q, B, W>({ call: described, make }: Write<Q, B, W>): Route =>
  route(described, {
    handle(services, call) {
      const { requestId, access, body } = call;
      const command = make(services.engine.exchange.state, body, callerOf(call));
      return execute(services, command, access, { requestId, bySymbol: namesSymbol(body) });
    },
  });

/** The first entry has passed the limits with the request; what is shed depends on all of them. */
const createOrders = route(orderCalls.createOrders, {
  async handle(services, call) {
    const { engine, limits, load } = services;
    const { requestId, access, body } = call;
    const { command, faults } = readBatch(engine.exchange.state, body, callerOf(call));
    if (load.level > 0 && hasNewOrder(command)) load.admit('order');
    const more = writesOf(command) - 1;
    if (more > 0) limits.privateCall(call, true, more);
    return execute(services, command, access, { requestId, bySymbol: namesSymbol(body), faults });
  },
});

export const tradingRoutes: readonly Route[] = [
  test({ call: orderCalls.testOrder, make: toPlaceOrder }),
  test({ call: orderCalls.testOrderV2, make: toPlaceOrderV2 }),
  write(TRADING_COMMANDS.placeOrder),
  write(TRADING_COMMANDS.placeOrderV2),
  write(TRADING_COMMANDS.amendOrder),
  write(TRADING_COMMANDS.placeOco),
  createOrders,
  write(TRADING_COMMANDS.cancelOrder),
  write(TRADING_COMMANDS.massCancel),
  write(TRADING_COMMANDS.cancelAllAfter),
];
