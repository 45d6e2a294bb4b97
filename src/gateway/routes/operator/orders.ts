// The operator's call about orders: cancels of a user or of an instrument.
import { operatorCalls } from '../../../contract/operator/calls.ts';
import { toCancelOrders } from '../../../contract/operator/system.ts';
import { replyTo } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { findUser, instrumentOf, unknownUser } from './call.ts';

const cancelOrders = route(operatorCalls.cancelOrders, {
  audit: {
    action: 'orders.cancel',
    object: (_, body) => {
      if (body?.uid === undefined) return body?.symbol ?? null;
      return body.symbol === undefined ? `uid:${body.uid}` : `uid:${body.uid}/${body.symbol}`;
    },
  },
  async handle(services, { body }) {
    const { uid, symbol } = body;
    if (uid !== undefined && findUser(services, String(uid)) === undefined) {
      return unknownUser(services);
    }
    const securityId = symbol === undefined ? undefined : instrumentOf(services, symbol).securityId;
    const receipt = await services.engine.submit(toCancelOrders({ uid, securityId }));
    return replyTo(services, receipt, ({ canceled, remaining }) => ({ canceled, remaining }));
  },
});

export const operatorOrderRoutes: readonly Route[] = [cancelOrders];
