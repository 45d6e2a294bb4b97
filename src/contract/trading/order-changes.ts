// Amendments of open orders, and OCO pairs: bodies, and commands in core units.

import type { AmendOrder, PlaceOco } from '../../core/command.ts';
import { Side, TimeInForce } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import { NONE } from '../../core/matching/order-store.ts';
import type { State } from '../../core/state.ts';
import { lots, type Ticks, ticks } from '../../core/units.ts';
import { isZero, neededField } from '../absent.ts';
import { decimal, type Infer, integer, oneOf, optional } from '../fields.ts';
import { makeCommand } from '../nearest.ts';
import { object } from '../object.ts';
import {
  bracket,
  commonTerms,
  positive,
  preventionOf,
  readBracket,
  readExpireTime,
  readStopPx,
  readTrail,
  requireApart,
  trailTerms,
} from './order-terms.ts';
import {
  account,
  type Caller,
  callerOnly,
  cancelFields,
  clOrdId,
  findInstrument,
  type InstrumentNames,
  namedInstrument,
  newClOrdId,
  orderFields,
  readPrice,
  readQuantity,
  type TradingCaller,
  unsupported,
} from './orders.ts';

export const amendBody = object({
  ...cancelFields,
  symbol: orderFields.symbol,
  securityId: orderFields.securityId,
  orderQty: optional(positive('The new total quantity, with what is filled.')),
  price: optional(positive('The new price.')),
  stopPx: optional(positive('The new trigger of a stop that waits.')),
  displayQty: optional(
    decimal({
      sign: 'notNegative',
      about: 'The new displayed quantity; 0, or orderQty and more: the whole order.',
    }),
  ),
  expireTime: optional(
    integer({ min: 1, lenient: true, about: 'The new expireTime of an order that has one.' }),
  ),
  bracket: optional(bracket),
});
export type AmendBody = Infer<typeof amendBody>;

const CHANGES = ['orderQty', 'price', 'stopPx', 'displayQty', 'expireTime', 'bracket'] as const;

export const ocoBody = object({
  account,
  clOrdId: newClOrdId,
  stopClOrdId: optional(clOrdId('The client’s id of the stop; if empty, it is generated.'), ''),
  symbol: orderFields.symbol,
  securityId: orderFields.securityId,
  side: orderFields.side,
  orderQty: positive('Quantity in the base asset, of both orders.'),
  price: positive('The price of the limit order: above stopPx to sell, below it to buy.'),
  stopPx: optional(
    positive('The last price that triggers the stop, or from which it begins to trail.'),
  ),
  stopLimitPx: optional(positive('The price of the stop once it is triggered; a market order.')),
  timeInForce: optional(
    oneOf([TimeInForce.goodTillCancel, TimeInForce.goodTillDate], {
      ...unsupported,
      about: '1 good till cancel, 6 good till date; of both orders.',
    }),
    TimeInForce.goodTillCancel,
  ),
  ...trailTerms,
  ...commonTerms,
});
export type OcoBody = Infer<typeof ocoBody>;

/** Throws Problem where nothing is changed, or a value is off its grid. */
export const toAmendOrder = (state: State, body: AmendBody, caller: Caller): AmendOrder =>
  makeCommand(state, body, (sent) => readAmendment(state, sent, caller));

/** The same without a check of the nearest value in its Problem. */
export function readAmendment(state: State, body: AmendBody, caller: Caller): AmendOrder {
  if (body.orderId === undefined && body.origClOrdId === '') {
    throw neededField(body, 'orderId', 'an orderId, or origClOrdId must be given');
  }
  if (CHANGES.every((field) => body[field] === undefined)) {
    throw neededField(body, 'orderQty', 'the new quantity, or another change must be given');
  }
  const order = ownOrder(state, body, caller.uid);
  const instrument = findInstrument(state, body) ?? order?.instrument ?? null;
  const command = {
    type: 'amendOrder',
    ...callerOnly(caller),
    orderId: body.orderId ?? 0,
    origClOrdId: body.origClOrdId,
    clOrdId: body.clOrdId,
  } as const;
  return { ...command, ...(instrument === null ? NO_CHANGES : changesOf(body, instrument, order)) };
}

type Changes = Pick<AmendOrder, (typeof CHANGES)[number] | 'securityId'>;

/** No such order is open, so there is nothing to count in: the core rejects the command. */
const NO_CHANGES: Changes = {
  securityId: 0,
  orderQty: null,
  price: null,
  stopPx: null,
  displayQty: null,
  expireTime: null,
  bracket: null,
};

function changesOf(body: AmendBody, instrument: Instrument, order: OwnOrder | null): Changes {
  const { orderQty, displayQty, expireTime } = body;
  const priceIn = (field: 'price' | 'stopPx'): Ticks | null =>
    body[field] === undefined ? null : readPrice(field, body[field], instrument);
  const display = () => readQuantity('displayQty', displayQty!, instrument);
  return {
    securityId: instrument.securityId,
    orderQty: orderQty === undefined ? null : readQuantity('orderQty', orderQty, instrument),
    price: priceIn('price'),
    stopPx: priceIn('stopPx'),
    displayQty: displayQty === undefined ? null : isZero(displayQty) ? lots(0) : display(),
    expireTime: expireTime ?? null,
    bracket:
      body.bracket === undefined
        ? null
        : readBracket(body.bracket, instrument, order?.side ?? null),
  };
}

interface OwnOrder {
  readonly instrument: Instrument;
  readonly side: Side;
}

/**
 * The caller's open order; null for none, or for one that an earlier entry of the batch places.
 * Values of an order of another account are not read: a fault would show that it exists.
 */
function ownOrder(
  { orders, instruments }: State,
  { orderId, origClOrdId }: AmendBody,
  uid: number,
): OwnOrder | null {
  const slot =
    orderId === undefined ? orders.findByClOrdId(uid, origClOrdId) : orders.find(orderId);
  if (slot === NONE || orders.uid(slot) !== uid) return null;
  return { instrument: instruments[orders.securityId(slot)]!, side: orders.side(slot) };
}

/** Throws Problem for prices that are not on the two sides of the market. */
export const toPlaceOco = (state: State, body: OcoBody, caller: TradingCaller): PlaceOco =>
  makeCommand(state, body, (sent) => readOco(state, sent, caller));

/** The same without a check of the nearest value in its Problem. */
export function readOco(state: State, body: OcoBody, caller: TradingCaller): PlaceOco {
  const instrument = namedInstrument(state, body as InstrumentNames);
  const price = readPrice('price', body.price, instrument);
  const stopPx = readStopPx(body, instrument);
  if (stopPx !== 0) requireApart('price', price, stopPx, body.side === Side.sell, instrument);
  const { stopLimitPx, timeInForce } = body;
  return {
    type: 'placeOco',
    ...callerOnly(caller),
    securityId: instrument.securityId,
    side: body.side,
    orderQty: readQuantity('orderQty', body.orderQty, instrument),
    price,
    stopPx,
    stopLimitPx:
      stopLimitPx === undefined ? ticks(0) : readPrice('stopLimitPx', stopLimitPx, instrument),
    trail: readTrail(body, instrument),
    timeInForce,
    expireTime: readExpireTime(body),
    selfTradePrevention: preventionOf(body.selfTradePrevention),
    clOrdId: body.clOrdId,
    stopClOrdId: body.stopClOrdId,
    strictClOrdId: caller.strictClOrdId,
  };
}
