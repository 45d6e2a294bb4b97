// The trading calls: requests, commands in core units, and the order report. Descriptions check the
// form; here a value meets its instrument's grid.

import type { CancelOrder, MassCancel, PlaceOrder } from '../../core/command.ts';
import { MAX_CANCEL_ALL_AFTER_MS } from '../../core/dead-man-switch.ts';
import { isLimit, OrdType, Side } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { OrderExtras } from '../../core/order-extras.ts';
import type { Reject } from '../../core/reject.ts';
import type { State } from '../../core/state.ts';
import {
  type Amount,
  type Lots,
  lots,
  multiply,
  type Ticks,
  ticks,
  ZERO,
} from '../../core/units.ts';
import { neededField } from '../absent.ts';
import type { BodyLimit } from '../call.ts';
import { decimal, type Infer, integer, numericId, oneOf, optional, text } from '../fields.ts';
import { onSteps } from '../grid.ts';
import { side } from '../market-data/answers.ts';
import { makeCommand } from '../nearest.ts';
import { object } from '../object.ts';
import { invalidField, marketBuyWithBothQuantities, Problem } from '../problem.ts';
import { REJECTIONS } from '../rejections.ts';

export const MAX_CL_ORD_ID = 64;

/** Entries of a batch of orders. */
export const MAX_BATCH = 50;
/** More than so many orders have. */
export const BATCH_BODY: BodyLimit = { bytes: 1 << 16, members: MAX_BATCH * 24 };

export const unsupported = { lenient: true, rejection: 'unsupported' } as const;

export const symbol = (about = 'Pair, such as BTC-USDT.') => text({ max: 32, ascii: true, about });
export const securityId = numericId('Unique id of the instrument.');
export const orderId = numericId('The server’s id.');
export const clOrdId = (about: string) => text({ max: MAX_CL_ORD_ID, ascii: true, about });
export const newClOrdId = optional(
  clOrdId('The client’s id; if empty, the server generates one.'),
  '',
);
export const account = optional(
  oneOf([1], { ...unsupported, about: 'Only 1, the spot account.' }),
  1,
);

/** The fields of an order; version 2 has more, and more values. */
export const orderFields = {
  account,
  clOrdId: newClOrdId,
  side,
  orderQty: optional(decimal({ sign: 'positive', about: 'Quantity in the base asset.' })),
  quoteOrderQty: optional(
    decimal({
      sign: 'positive',
      about: 'Budget in the quote asset, a multiple of quoteAssetIncrement; market buys only.',
    }),
  ),
  price: optional(decimal({ about: 'Limit orders only; ignored for market orders.' })),
  symbol: optional(symbol()),
  securityId: optional(securityId),
  ordType: oneOf([1, 2], { ...unsupported, about: '1 market, 2 limit.' }),
  execInst: optional(oneOf([6], { ...unsupported, about: '6: post-only.' })),
  timeInForce: optional(oneOf([1], { ...unsupported, about: '1: good till cancel.' })),
} as const;

/** Body of createNewOrder and createTestOrder. */
export const orderBody = object(orderFields);
export type OrderBody = Infer<typeof orderBody>;

/** The fields that name an open order. */
export const cancelFields = {
  account,
  orderId: optional(orderId),
  clOrdId: newClOrdId,
  origClOrdId: optional(clOrdId('The clOrdId of the order.'), ''),
} as const;
export const cancelBody = object(cancelFields);

export const massCancelBody = object({
  account,
  clOrdId: newClOrdId,
  symbol: optional(symbol()),
  securityId: optional(securityId),
});

export const cancelAllAfterBody = object({
  account,
  timeout: integer({
    min: 0,
    max: MAX_CANCEL_ALL_AFTER_MS,
    about: 'Milliseconds from now; 0 disarms the switch.',
  }),
});

/** The part of a write that comes from its caller. */
export type Caller = Pick<PlaceOrder, 'uid' | 'signature' | 'idempotency'>;

/** That part alone; a command that is sent often copies it member by member. */
export const callerOnly = ({ uid, signature, idempotency }: Caller): Caller => ({
  uid,
  signature,
  idempotency,
});

/** The same, with what the caller's key says about new orders. */
export type TradingCaller = Caller & Pick<PlaceOrder, 'strictClOrdId'>;

export interface InstrumentNames {
  readonly symbol: string | undefined;
  readonly securityId: number | undefined;
}

/**
 * The instrument of symbol and securityId. Throws unknownSymbol, symbolMismatch, or what is
 * missing.
 */
export function namedInstrument(state: State, named: InstrumentNames): Instrument {
  const found = findInstrument(state, named);
  if (found === undefined) throw neededField(named, 'symbol', 'a pair such as BTC-USDT');
  return found;
}

/** The same, if the request may name none. */
export function findInstrument(state: State, named: InstrumentNames): Instrument | undefined {
  const bySymbol =
    named.symbol === undefined
      ? undefined
      : (state.instrumentNamed(named.symbol) ?? unknownInstrument('symbol', named.symbol));
  const byId =
    named.securityId === undefined
      ? undefined
      : (state.instruments[named.securityId] ?? unknownInstrument('securityId', named.securityId));
  if (bySymbol !== undefined && byId !== undefined && bySymbol !== byId) {
    throw new Problem('symbolMismatch', {
      details: {
        field: 'securityId',
        rule: 'correspond',
        value: byId.securityId,
        nearest: bySymbol.securityId,
      },
    });
  }
  return bySymbol ?? byId;
}

/** True if the securityId is not what names an instrument in a body, nor in an entry of a batch. */
export const namesSymbol = (body: unknown): boolean => {
  const { symbol, securityId, orders } = body as InstrumentNames & { orders?: readonly unknown[] };
  return symbol !== undefined || (securityId === undefined && (orders ?? []).every(namesSymbol));
};

/** A rejection about the instrument, with the field that named it. */
export function asNamed(reject: Reject, bySymbol: boolean): Reject {
  if (reject.field !== 'symbol' || bySymbol) return reject;
  return { ...reject, field: 'securityId' };
}

function unknownInstrument(field: string, value: string | number): never {
  throw new Problem('unknownSymbol', {
    userMsg: `Invalid field: ${field}. ${REJECTIONS.unknownSymbol.text}`,
    details: { field, rule: 'listed', value },
  });
}

/**
 * The command of a well-formed body. Throws Problem for what does not fit its instrument or type.
 */
export const toPlaceOrder = (state: State, body: OrderBody, caller: TradingCaller): PlaceOrder =>
  makeCommand(state, body, (sent) => readOrderV1(state, sent, caller));

function readOrderV1(state: State, body: OrderBody, caller: TradingCaller): PlaceOrder {
  const instrument = namedInstrument(state, body);
  const limit = body.ordType === OrdType.limit;
  if (!limit && body.execInst !== undefined) {
    throw invalidField(
      'execInst',
      'be left out of a market order',
      { rule: 'limitOnly' },
      'unsupported',
    );
  }
  checkQuantities(body, limit);
  return readOrder(instrument, body, caller, null);
}

/** The order of a body whose fields fit together. Throws Problem for values off their grids. */
export function readOrder(
  instrument: Instrument,
  body: Omit<OrderBody, 'ordType' | 'timeInForce'> & { readonly ordType: OrdType },
  caller: TradingCaller,
  extras: OrderExtras | null,
): PlaceOrder {
  const { orderQty, quoteOrderQty, ordType } = body;
  if (isLimit(ordType) && body.price === undefined) {
    throw neededField(body, 'price', 'a decimal number above 0; limit orders need one');
  }
  const price = ticks(isLimit(ordType) ? readPrice('price', body.price!, instrument) : 0);
  return {
    type: 'placeOrder',
    uid: caller.uid,
    signature: caller.signature,
    idempotency: caller.idempotency,
    securityId: instrument.securityId,
    side: body.side,
    ordType,
    price,
    orderQty: lots(orderQty === undefined ? 0 : readQuantity('orderQty', orderQty, instrument)),
    quoteOrderQty: quoteOrderQty === undefined ? ZERO : readBudget(quoteOrderQty, instrument),
    postOnly: body.execInst === 6,
    clOrdId: body.clOrdId,
    strictClOrdId: caller.strictClOrdId,
    extras,
  };
}

/** A market buy has one of the two quantities, every other order has orderQty. */
function checkQuantities(body: OrderBody, limit: boolean): void {
  const { orderQty, quoteOrderQty, side } = body;
  if (quoteOrderQty !== undefined) {
    if (limit || side === Side.sell) {
      const must = 'be left out: only market buy orders may be by quote; send orderQty';
      throw invalidField('quoteOrderQty', must, { rule: 'marketBuyOnly' });
    }
    if (orderQty !== undefined) throw marketBuyWithBothQuantities();
  } else if (orderQty === undefined) {
    throw missingQuantity(body);
  }
}

export const missingQuantity = (body: object): Problem =>
  neededField(body, 'orderQty', 'a decimal number above 0 such as 0.25');

/** A price in ticks. Throws Problem. */
export function readPrice(field: string, price: string, { tick, quote }: Instrument): Ticks {
  return ticks(onSteps(field, price, { increment: tick, unit: quote.name }));
}

/** A quantity in lots. Throws Problem. */
export const readQuantity = (field: string, quantity: string, { lot, base }: Instrument): Lots =>
  lots(onSteps(field, quantity, { increment: lot, unit: base.name }));

/** A quote budget on the price increment's grid, in units of the quote asset. */
function readBudget(budget: string, instrument: Instrument): Amount {
  const { tick, quote, quoteUnitsPerTick } = instrument;
  const steps = onSteps('quoteOrderQty', budget, { increment: tick, unit: quote.name });
  return multiply(steps, quoteUnitsPerTick);
}

/** Throws if neither id is given. */
export function toCancelOrder(body: Infer<typeof cancelBody>, caller: Caller): CancelOrder {
  if (body.orderId === undefined && body.origClOrdId === '') {
    throw neededField(body, 'orderId', 'an orderId, or origClOrdId must be given');
  }
  return {
    type: 'cancelOrder',
    uid: caller.uid,
    signature: caller.signature,
    idempotency: caller.idempotency,
    orderId: body.orderId ?? 0,
    origClOrdId: body.origClOrdId,
    clOrdId: body.clOrdId,
  };
}

export function toMassCancel(
  instrument: Instrument | undefined,
  clOrdId: string,
  caller: Caller,
): MassCancel {
  return {
    type: 'massCancel',
    uid: caller.uid,
    signature: caller.signature,
    idempotency: caller.idempotency,
    securityId: instrument?.securityId ?? 0,
    clOrdId,
  };
}
