// The private trading calls: test, create, cancel, mass cancel, cancel all after. The contract
// makes their commands; carry-out.ts answers them. Queries are in order-queries.ts.

import type { ApiCall } from '../../../contract/call.ts';
import { orderCalls } from '../../../contract/trading/calls.ts';
import { TRADING_COMMANDS, type TradingCommand } from '../../../contract/trading/commands.ts';
import {
  asNamed,
  type ListedInstruments,
  type TradingCaller,
  toPlaceOrder,
} from '../../../contract/trading/orders.ts';
import { ok, refuseReject } from '../../http/reply.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import { carryOut } from './carry-out.ts';

const callerOf = ({ uid, signature, idempotency, key }: Call<unknown, unknown>): TradingCaller => ({
  uid,
  signature,
  idempotency,
  strictClOrdId: key?.strictClOrdId ?? false,
});

const namesSymbol = (body: unknown): boolean =>
  (body as { readonly symbol?: string }).symbol !== undefined;

const createTestOrder = route(orderCalls.testOrder, {
  handle(services, call) {
    const { engine } = services;
    const { exchange } = engine;
    const reject = exchange.checkOrder(toPlaceOrder(exchange.state, call.body, callerOf(call)));
    return reject === null
      ? ok({}, engine.seq)
      : refuseReject(services, asNamed(reject, namesSymbol(call.body)));
  },
});

interface Write<Q, B, W> {
  readonly call: ApiCall<Q, B, W>;
  make(listed: ListedInstruments, body: B, caller: TradingCaller): TradingCommand;
}

const write = <Q, B, W>({ call: described, make }: Write<Q, B, W>): Route =>
  route(described, {
    handle(services, call) {
      const { requestId, earlier, access, body } = call;
      const command = make(services.engine.exchange.state, body, callerOf(call));
      const asked = { requestId, earlier, access, bySymbol: namesSymbol(body) };
      return carryOut(services, command, asked);
    },
  });

export const tradingRoutes: readonly Route[] = [
  createTestOrder,
  write(TRADING_COMMANDS.placeOrder),
  write(TRADING_COMMANDS.cancelOrder),
  write(TRADING_COMMANDS.massCancel),
  write(TRADING_COMMANDS.cancelAllAfter),
];
