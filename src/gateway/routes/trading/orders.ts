// The private trading calls: test, create, amend, cancel, batch, cancel all after. The contract
// makes their commands; answers.ts answers them. Queries are in order-queries.ts.

import type { ApiCall } from '../../../contract/call.ts';
import { orderCalls } from '../../../contract/trading/calls.ts';
import { TRADING_COMMANDS, type TradingCommand } from '../../../contract/trading/commands.ts';
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
import { ok, type Reply, rejectReply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { callerOf, type Make, PendingAnswer } from './answers.ts';

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
    handle: (services, call) =>
      new Promise<Reply<never>>((resolve, reject) => {
        new HttpAnswer(services, call.requestId, resolve, reject).enter(make as Make, call);
      }),
  });

/** One promise for its request: each further one costs another turn. */
class HttpAnswer extends PendingAnswer {
  protected readonly reply: (reply: Reply<never>) => void;
  protected readonly fail: (error: unknown) => void;

  constructor(
    services: Services,
    requestId: string,
    reply: (reply: Reply<never>) => void,
    fail: (error: unknown) => void,
  ) {
    super(services, requestId);
    this.reply = reply;
    this.fail = fail;
  }
}

export const tradingRoutes: readonly Route[] = [
  test({ call: orderCalls.testOrder, make: toPlaceOrder }),
  test({ call: orderCalls.testOrderV2, make: toPlaceOrderV2 }),
  write(TRADING_COMMANDS.placeOrder),
  write(TRADING_COMMANDS.placeOrderV2),
  write(TRADING_COMMANDS.amendOrder),
  write(TRADING_COMMANDS.placeOco),
  write(TRADING_COMMANDS.orderBatch),
  write(TRADING_COMMANDS.cancelOrder),
  write(TRADING_COMMANDS.massCancel),
  write(TRADING_COMMANDS.cancelAllAfter),
];
