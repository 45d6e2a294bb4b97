// The operator's call about orders: cancels of a user or of an instrument.
import { cancelOrdersBody, toCancelOrders } from '../../../contract/operator-orders.ts';
import { replyTo } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { findUser, instrumentOf, OPERATOR, unknownUser } from './call.ts';

const cancelOrders = route({
  method: 'POST',
  path: `${OPERATOR}/orders/cancel`,
  access: 'operator',
  audit: {
    action: 'orders.cancel',
    object: (_, body) => {
      if (body?.uid === undefined) return body?.symbol ?? null;
      return body.symbol === undefined ? `uid:${body.uid}` : `uid:${body.uid}/${body.symbol}`;
    },
  },
  summary:
    'Cancels the open orders of a user, of a pair, or of a user in a pair, whatever the status of ' +
    'the pair; `remaining` orders beyond the first 10,000 follow right after.',
  body: cancelOrdersBody,
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
