// The trading commands: how the body of each call becomes a command, and how its result is written.

import { clOrdIdOf } from '../../core/cl-ord-id.ts';
import type {
  AmendOrder,
  CancelAllAfter,
  CancelOrder,
  MassCancel,
  OrderBatch,
  PlaceOco,
  PlaceOrder,
} from '../../core/command.ts';
import type { ResultOf } from '../../core/outcome.ts';
import type { State } from '../../core/state.ts';
import type { AnswerValue } from '../answer.ts';
import type { ApiCall } from '../call.ts';
import type { createdOrder } from './answers.ts';
import { orderCalls } from './calls.ts';
import { toOrderBatch } from './order-batch.ts';
import { toAmendOrder, toPlaceOco } from './order-changes.ts';
import { toPlaceOrderV2 } from './order-terms.ts';
import {
  callerOnly,
  findInstrument,
  type TradingCaller,
  toCancelOrder,
  toMassCancel,
  toPlaceOrder,
} from './orders.ts';

/** A command with one outcome, whose answer follows from its result. */
export type SingleCommand =
  | PlaceOrder
  | AmendOrder
  | PlaceOco
  | CancelOrder
  | MassCancel
  | CancelAllAfter;
export type TradingCommand = SingleCommand | OrderBatch;

interface TradingTerms<C extends SingleCommand, Q, B, W> {
  readonly call: ApiCall<Q, B, W>;
  /** The command of a well-formed body. Throws Problem. */
  make(state: State, body: B, caller: TradingCaller): C;
  /** The answer to a command that was executed. */
  write(state: State, command: C, result: ResultOf<C>): W;
}

const trading = <C extends SingleCommand, Q, B, W>(
  call: ApiCall<Q, B, W>,
  terms: Omit<TradingTerms<C, Q, B, W>, 'call'>,
): TradingTerms<C, Q, B, W> => ({ call, ...terms });

type WriteCreatedOrder = TradingTerms<
  PlaceOrder,
  unknown,
  unknown,
  AnswerValue<typeof createdOrder>
>['write'];
const writePlaced: WriteCreatedOrder = (
  { instruments },
  { uid, securityId },
  { orderId, clOrdId, transactTime },
) => ({
  orderId,
  symbol: instruments[securityId]!.symbol,
  clOrdId: clOrdIdOf(uid, orderId, clOrdId),
  transactTime,
});

/** By the type of the command; a type with two calls has a second name. */
export const TRADING_COMMANDS = {
  placeOrder: trading(orderCalls.createOrder, { make: toPlaceOrder, write: writePlaced }),
  placeOrderV2: trading(orderCalls.createOrderV2, { make: toPlaceOrderV2, write: writePlaced }),
  amendOrder: trading(orderCalls.amendOrder, {
    make: toAmendOrder,
    write: (_, { uid }, { orderId, clOrdId, requestId, origClOrdId, transactTime }) => ({
      orderId,
      clOrdId: clOrdIdOf(uid, requestId, clOrdId),
      origClOrdId: clOrdIdOf(uid, orderId, origClOrdId),
      transactTime,
    }),
  }),
  placeOco: trading(orderCalls.createOco, {
    make: toPlaceOco,
    write: ({ instruments }, { uid, securityId }, result) => ({
      orderId: result.orderId,
      stopOrderId: result.stopOrderId,
      symbol: instruments[securityId]!.symbol,
      clOrdId: clOrdIdOf(uid, result.orderId, result.clOrdId),
      stopClOrdId: clOrdIdOf(uid, result.stopOrderId, result.stopClOrdId),
      transactTime: result.transactTime,
    }),
  }),
  cancelOrder: trading(orderCalls.cancelOrder, {
    make: (_, body, caller) => toCancelOrder(body, caller),
    write: (_, { uid }, { orderId, clOrdId, requestId, origClOrdId }) => ({
      orderId,
      clOrdId: clOrdIdOf(uid, requestId, clOrdId),
      origClOrdId: clOrdIdOf(uid, orderId, origClOrdId),
    }),
  }),
  massCancel: trading(orderCalls.massCancel, {
    make: (state, body, caller) => toMassCancel(findInstrument(state, body), body.clOrdId, caller),
    write({ instruments }, { uid, securityId }, { clOrdId, requestId }) {
      const instrument = instruments[securityId];
      return {
        clOrdId: clOrdIdOf(uid, requestId, clOrdId),
        symbol: instrument?.symbol ?? null,
        securityId: instrument?.securityId ?? null,
      };
    },
  }),
  cancelAllAfter: trading(orderCalls.cancelAllAfter, {
    make: (_, { timeout }, caller): CancelAllAfter => ({
      type: 'cancelAllAfter',
      ...callerOnly(caller),
      timeout,
    }),
    write: (_, __, result) => ({ ...result }),
  }),
  /** Its answer is made of those of its entries (gateway/routes/trading/answers.ts). */
  orderBatch: { call: orderCalls.createOrders, make: toOrderBatch },
} as const;
