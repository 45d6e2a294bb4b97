// An order as its owner reads it: the last execution report, in the units of the wire.

import type { ExecutionReport } from '../../core/event.ts';
import { CLOSE_TEXT, OrdStatus } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import { divideDown, multiply, powerOfTen, ZERO } from '../../core/units.ts';
import type { Written } from '../answer.ts';
import { type JsonNumber, jsonSteps, jsonUnits } from '../json.ts';
import type * as answers from './answers.ts';
import { hasPrice } from './orders.ts';

const TIMES_IN_FORCE = { 1: '1', 3: '3', 4: '4', 6: '6' } as const;
/** By TriggerPriceDirection. */
const DIRECTIONS = [null, 'U', 'D'] as const;

/** The execution report of an order, with the two fields of a list row. */
export function writeOrder(
  report: Omit<ExecutionReport, 'type'>,
  instrument: Instrument,
): Written<typeof answers.order> {
  const { tick, lot, quote } = instrument;
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
    price: hasPrice(report.ordType) ? jsonSteps(report.price, tick) : null,
    stopPx: report.stopPx === 0 ? null : jsonSteps(report.stopPx, tick),
    avgPx: averagePrice(report, instrument),
    lastPx: jsonSteps(report.lastPx, tick),
    lastQty: jsonSteps(report.lastQty, lot),
    symbol: instrument.symbol,
    securityId: instrument.securityId,
    ordType: report.ordType,
    timeInForce: TIMES_IN_FORCE[report.timeInForce],
    ordStatus: report.ordStatus,
    execType: report.execType,
    createTime: report.createTime,
    transactTime: report.transactTime,
    expireTime: report.expireTime === 0 ? null : report.expireTime,
    triggerPriceDirection: DIRECTIONS[report.triggerPriceDirection],
    displayQty: report.displayQty === 0 ? null : jsonSteps(report.displayQty, lot),
    workingIndicator: report.workingIndicator,
    ocoOrderId: report.ocoOrderId === 0 ? null : report.ocoOrderId,
    parentOrderId: report.parentOrderId === 0 ? null : report.parentOrderId,
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
