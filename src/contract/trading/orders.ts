// The trading calls: requests, commands in core units, and the order report. Descriptions check the
// form; here a value meets its instrument's grid.

import type { CancelOrder, MassCancel, PlaceOrder } from '../../core/command.ts';
import { MAX_CANCEL_ALL_AFTER_MS } from '../../core/dead-man-switch.ts';
import type { ExecutionReport } from '../../core/event.ts';
import { CLOSE_TEXT, OrdStatus, OrdType, Side } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { Reject } from '../../core/reject.ts';
import { leastLots } from '../../core/trading/checks.ts';
import {
  type Amount,
  divideDown,
  divideUp,
  lots,
  multiply,
  powerOfTen,
  type Ticks,
  ticks,
  ZERO,
} from '../../core/units.ts';
import type { Written } from '../answer.ts';
import type { Infer } from '../fields.ts';
import { decimal, integer, missingField, oneOf, optional, text } from '../fields.ts';
import { onSteps } from '../grid.ts';
import { type JsonNumber, jsonSteps, jsonUnits } from '../json.ts';
import { object } from '../object.ts';
import { invalidField, marketBuyWithBothQuantities, Problem } from '../problem.ts';
import { REFUSALS } from '../refusals.ts';
import type * as answers from './answers.ts';

export const MAX_CL_ORD_ID = 64;

const unsupported = { lenient: true, refusal: 'unsupported' } as const;

export const symbol = (about = 'Pair, such as BTC-USDT.') => text({ max: 32, ascii: true, about });
export const securityId = integer({ min: 1, lenient: true, about: 'Unique id of the instrument.' });
export const orderId = integer({ min: 1, lenient: true, about: 'The server’s id.' });
export const clOrdId = (about: string) => text({ max: MAX_CL_ORD_ID, ascii: true, about });
const newClOrdId = optional(clOrdId('The client’s id; if empty, the server generates one.'), '');
const account = optional(oneOf([1], { ...unsupported, about: 'Only 1, the spot account.' }), 1);

/** Body of createNewOrder and createTestOrder. */
export const orderBody = object({
  account,
  clOrdId: newClOrdId,
  side: oneOf([1, 2], { lenient: true, about: '1 buy, 2 sell.' }),
  orderQty: optional(decimal({ sign: 'positive', about: 'Quantity in the base asset.' })),
  quoteOrderQty: optional(
    decimal({ sign: 'positive', about: 'Budget in the quote asset; market buys only.' }),
  ),
  price: optional(decimal({ about: 'Limit orders only; ignored for market orders.' })),
  symbol: optional(symbol()),
  securityId: optional(securityId),
  ordType: oneOf([1, 2], { ...unsupported, about: '1 market, 2 limit.' }),
  execInst: optional(oneOf([6], { ...unsupported, about: '6: post-only.' })),
  timeInForce: optional(oneOf([1], { ...unsupported, about: '1: good till cancel.' })),
});
export type OrderBody = Infer<typeof orderBody>;

export const cancelBody = object({
  account,
  orderId: optional(orderId),
  clOrdId: newClOrdId,
  origClOrdId: optional(clOrdId('The clOrdId of the order.'), ''),
});

export const massCancelBody = object({
  clOrdId: newClOrdId,
  symbol: optional(symbol()),
  securityId: optional(securityId),
});

export const cancelAllAfterBody = object({
  timeout: integer({
    min: 0,
    max: MAX_CANCEL_ALL_AFTER_MS,
    about: 'Milliseconds from now; 0 disarms the switch.',
  }),
});

/** The part of a write that comes from its caller. */
export type Caller = Pick<PlaceOrder, 'uid' | 'signature' | 'idempotency'>;

/** The same, with what the caller's key says about new orders. */
export type TradingCaller = Caller & Pick<PlaceOrder, 'strictClOrdId'>;

/** The facts of an instrument that a request is read with. */
export type ListedInstrument = Pick<
  Instrument,
  | 'securityId'
  | 'symbol'
  | 'base'
  | 'quote'
  | 'tick'
  | 'lot'
  | 'perTickLot'
  | 'quoteUnitsPerTick'
  | 'minQuantity'
  | 'minNotional'
>;

/** The instruments that a request can name: those of the state, or a copy. */
export interface ListedInstruments<I extends ListedInstrument = ListedInstrument> {
  instrumentNamed(symbol: string): I | undefined;
  /** By securityId. */
  readonly instruments: readonly (I | undefined)[];
}

interface InstrumentNames {
  readonly symbol: string | undefined;
  readonly securityId: number | undefined;
}

/**
 * The instrument of symbol and securityId. Throws unknownSymbol, symbolMismatch, or what is
 * missing.
 */
export function namedInstrument<I extends ListedInstrument>(
  listed: ListedInstruments<I>,
  named: InstrumentNames,
): I {
  const found = findInstrument(listed, named);
  if (found === undefined) throw missingField('symbol', 'a pair such as BTC-USDT');
  return found;
}

/** The same, if the request may name none. */
export function findInstrument<I extends ListedInstrument>(
  listed: ListedInstruments<I>,
  named: InstrumentNames,
): I | undefined {
  const bySymbol =
    named.symbol === undefined
      ? undefined
      : (listed.instrumentNamed(named.symbol) ?? unknownInstrument('symbol', named.symbol));
  const byId =
    named.securityId === undefined
      ? undefined
      : (listed.instruments[named.securityId] ?? unknownInstrument('securityId', named.securityId));
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

/** A refusal about the instrument, with the field that named it. */
export function asNamed(reject: Reject, bySymbol: boolean): Reject {
  if (reject.field !== 'symbol' || bySymbol) return reject;
  return { ...reject, field: 'securityId' };
}

function unknownInstrument(field: string, value: string | number): never {
  throw new Problem('unknownSymbol', {
    userMsg: `Invalid field: ${field}. ${REFUSALS.unknownSymbol.text}`,
    details: { field, rule: 'listed', value },
  });
}

/**
 * The command of a well-formed body. Throws Problem for what does not fit its instrument or type.
 */
export function toPlaceOrder(
  listed: ListedInstruments,
  body: OrderBody,
  caller: TradingCaller,
): PlaceOrder {
  const instrument = namedInstrument(listed, body);
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
  const { orderQty, quoteOrderQty, ordType } = body;
  const price = ticks(limit ? readPrice(body.price, instrument) : 0);
  return {
    type: 'placeOrder',
    uid: caller.uid,
    signature: caller.signature,
    idempotency: caller.idempotency,
    securityId: instrument.securityId,
    side: body.side,
    ordType,
    price,
    orderQty: lots(orderQty === undefined ? 0 : readQuantity(orderQty, instrument, ordType, price)),
    quoteOrderQty: quoteOrderQty === undefined ? ZERO : readBudget(quoteOrderQty, instrument),
    postOnly: body.execInst === 6,
    clOrdId: body.clOrdId,
    strictClOrdId: caller.strictClOrdId,
    extras: null,
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
    throw missingField('orderQty', 'a decimal number above 0 such as 0.25');
  }
}

function readPrice(price: string | undefined, { tick, quote }: ListedInstrument): number {
  if (price === undefined)
    throw missingField('price', 'a decimal number above 0; limit orders need one');
  return onSteps('price', price, { increment: tick, unit: quote.name });
}

function readQuantity(
  orderQty: string,
  instrument: ListedInstrument,
  ordType: OrdType,
  price: Ticks,
): number {
  const { lot, base } = instrument;
  const least = () => leastLots(instrument, { ordType, price });
  return onSteps('orderQty', orderQty, { increment: lot, unit: base.name, least });
}

/** A quote budget on the price increment's grid, in units of the quote asset. */
function readBudget(budget: string, instrument: ListedInstrument): Amount {
  const { tick, quote, quoteUnitsPerTick, minNotional } = instrument;
  const least = () => divideUp(minNotional, quoteUnitsPerTick);
  const steps = onSteps('quoteOrderQty', budget, { increment: tick, unit: quote.name, least });
  return multiply(steps, quoteUnitsPerTick);
}

/** Throws if neither id is given. */
export function toCancelOrder(body: Infer<typeof cancelBody>, caller: Caller): CancelOrder {
  if (body.orderId === undefined && body.origClOrdId === '') {
    throw missingField('orderId', 'an orderId, or origClOrdId must be given');
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
  instrument: ListedInstrument | undefined,
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

/** The execution report of an order, with the two fields of a list row. */
export function writeOrder(
  report: Omit<ExecutionReport, 'type'>,
  instrument: Instrument,
): Written<typeof answers.order> {
  const { tick, lot, quote } = instrument;
  const limit = report.ordType === OrdType.limit;
  const byQuote = report.quoteOrderQty !== 0;
  return {
    rowId: report.orderId,
    type: 'ORDER',
    account: 1,
    orderId: report.orderId,
    execId: report.execId,
    clOrdId: report.clOrdId,
    side: report.side,
    orderQty: byQuote ? null : jsonSteps(report.orderQty, lot),
    quoteOrderQty: byQuote ? jsonUnits(report.quoteOrderQty, quote.scale) : null,
    cumQty: jsonSteps(report.cumQty, lot),
    leavesQty: jsonSteps(report.leavesQty, lot),
    price: limit ? jsonSteps(report.price, tick) : null,
    stopPx: null,
    avgPx: averagePrice(report, instrument),
    lastPx: jsonSteps(report.lastPx, tick),
    lastQty: jsonSteps(report.lastQty, lot),
    symbol: instrument.symbol,
    securityId: instrument.securityId,
    ordType: report.ordType,
    timeInForce: '1',
    ordStatus: report.ordStatus,
    execType: report.execType,
    transactTime: report.transactTime,
    ...(report.ordStatus === OrdStatus.rejected
      ? { ordRejReason: report.ordRejReason!, ordRejText: CLOSE_TEXT[report.reason] }
      : {}),
    ...(report.ordStatus === OrdStatus.canceled ? { ordCxlText: CLOSE_TEXT[report.reason] } : {}),
    ...(report.postOnly ? { execInst: '6' } : {}),
  };
}

/** cumQuote ÷ cumQty, truncated to the quote asset's decimals; 0 before the first fill. */
function averagePrice(
  report: Pick<ExecutionReport, 'cumQuote' | 'cumQty'>,
  { lot, quote }: Instrument,
): JsonNumber {
  if (report.cumQty === 0) return jsonUnits(ZERO, 0);
  const numerator = multiply(report.cumQuote, powerOfTen(lot.decimals));
  return jsonUnits(divideDown(numerator, multiply(report.cumQty, lot.mantissa)), quote.scale);
}
