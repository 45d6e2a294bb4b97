// The trading commands: how the body of each call becomes a command, and how its result is written.
// They need the listed instruments alone, so a thread without the state can make a command too.

import { clOrdIdOf } from '../../core/cl-ord-id.ts';
import type { CancelAllAfter, CancelOrder, MassCancel, PlaceOrder } from '../../core/command.ts';
import type { ResultOf } from '../../core/outcome.ts';
import type { ApiCall } from '../call.ts';
import { orderCalls } from './calls.ts';
import {
  findInstrument,
  type ListedInstruments,
  type TradingCaller,
  toCancelOrder,
  toMassCancel,
  toPlaceOrder,
} from './orders.ts';

export type TradingCommand = PlaceOrder | CancelOrder | MassCancel | CancelAllAfter;

interface TradingTerms<C extends TradingCommand, Q, B, W> {
  readonly call: ApiCall<Q, B, W>;
  /** The command of a well-formed body. Throws Problem. */
  make(listed: ListedInstruments, body: B, caller: TradingCaller): C;
  /** The answer to a command that was carried out. */
  write(listed: ListedInstruments, command: C, result: ResultOf<C>): W;
}

const trading = <C extends TradingCommand, Q, B, W>(
  call: ApiCall<Q, B, W>,
  terms: Omit<TradingTerms<C, Q, B, W>, 'call'>,
): TradingTerms<C, Q, B, W> => ({ call, ...terms });

/** By the type of the command. */
export const TRADING_COMMANDS = {
  placeOrder: trading(orderCalls.createOrder, {
    make: toPlaceOrder,
    write: ({ instruments }, { uid, securityId }, { orderId, clOrdId, transactTime }) => ({
      orderId,
      symbol: instruments[securityId]!.symbol,
      clOrdId: clOrdIdOf(uid, orderId, clOrdId),
      transactTime,
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
    make: (listed, body, caller) =>
      toMassCancel(findInstrument(listed, body), body.clOrdId, caller),
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
    make: (_, { timeout }, { uid, signature, idempotency }): CancelAllAfter => ({
      type: 'cancelAllAfter',
      uid,
      signature,
      idempotency,
      timeout,
    }),
    write: (_, __, result) => ({ ...result }),
  }),
} as const;
