// Orders in words: status, filled part, what a submitted order came to, and what a cancel came to.
import { isStop } from '../../../src/contract/trading/order-rules.ts';
import { type Fill, type Order, OrdStatus, OrdType, Side } from '../../../src/sdk/index.ts';
import { compare, isPositive, isZero, sum, toPixels } from '../../exact/decimal.ts';
import { dateTime, grouped } from '../../exact/format.ts';
import { OPEN_ORDERS } from '../../live/feeds.ts';
import { trade as t } from '../../messages/trade.ts';
import { averageDecimals, feeText, totalDecimals } from '../figures.ts';
import type { NewOrder } from '../form/draft.ts';
import { assetsOf } from '../pair.ts';
import { roleOf } from './legs.ts';
import { distanceText, trails } from './trailing.ts';

type Tone = 'good' | 'open' | 'bad' | 'plain';

export interface OrderState {
  readonly label: string;
  readonly tone: Tone;
  /** The reason of a reject or a cancel. */
  readonly reason: string | null;
}

const STATES: Readonly<Record<OrdStatus, readonly [label: string, tone: Tone]>> = {
  [OrdStatus.new]: [t.orders.statuses.open, 'open'],
  [OrdStatus.partiallyFilled]: [t.orders.statuses.partlyFilled, 'open'],
  [OrdStatus.filled]: [t.orders.statuses.filled, 'good'],
  [OrdStatus.canceled]: [t.orders.statuses.canceled, 'plain'],
  [OrdStatus.pendingCancel]: [t.orders.statuses.canceling, 'plain'],
  [OrdStatus.rejected]: [t.orders.statuses.rejected, 'bad'],
};

/** The statuses that the order history can be filtered by: those of closed orders. */
export const FILTER_STATES: readonly (readonly [OrdStatus, string])[] = [
  OrdStatus.filled,
  OrdStatus.canceled,
  OrdStatus.rejected,
].map((status) => [status, STATES[status][0]]);

type StateFields = Pick<Order, 'ordStatus' | 'cumQty' | 'ordRejText' | 'ordCxlText'> &
  Partial<Pick<Order, 'workingIndicator'>>;

export function stateOf(order: StateFields): OrderState {
  const { ordStatus, cumQty, ordRejText, ordCxlText, workingIndicator } = order;
  if (ordStatus === OrdStatus.new && workingIndicator === false) {
    return { label: t.outcome.waiting, tone: 'open', reason: null };
  }
  const [label, tone] = STATES[ordStatus] ?? [t.orders.statuses.other(ordStatus), 'plain'];
  const isPart = ordStatus === OrdStatus.canceled && isPositive(cumQty);
  return {
    label: isPart ? t.outcome.partlyFilledRestCanceled : label,
    tone,
    reason: ordRejText ?? ordCxlText ?? null,
  };
}

/** In percent, cut, so that only a filled order shows 100; an order by quote has no other part. */
export function filledPercent({
  orderQty,
  cumQty,
  ordStatus,
}: Pick<Order, 'orderQty' | 'cumQty' | 'ordStatus'>): number {
  if (ordStatus === OrdStatus.filled) return 100;
  if (orderQty === null || isZero(orderQty)) return 0;
  return Math.min(99, Math.floor((toPixels(cumQty) / toPixels(orderQty)) * 100));
}

export const sideText = (side: Side): string => t.side(side === Side.buy);

type Trail = Partial<Pick<Order, 'trailingDelta' | 'trailingAmount'>>;

type TypeFields = Pick<
  Order,
  'ordType' | 'execInst' | 'side' | 'triggerPriceDirection' | 'displayQty' | 'parentOrderId'
> &
  Trail;

export type OrderTypeName = keyof typeof t.orders.types;

export function typeOf(order: TypeFields): OrderTypeName {
  const { ordType, execInst, displayQty } = order;
  const isProfit = roleOf(order) === 'takeProfit';
  if (ordType === OrdType.market) return 'market';
  if (trails(order)) return ordType === OrdType.stop ? 'trailingStop' : 'trailingStopLimit';
  if (ordType === OrdType.stop) return isProfit ? 'takeProfit' : 'stop';
  if (ordType === OrdType.stopLimit) return isProfit ? 'takeProfitLimit' : 'stopLimit';
  if (isProfit) return 'takeProfit';
  if (displayQty != null) return 'iceberg';
  return execInst === undefined ? 'limit' : 'postOnly';
}

/** Limit, Stop limit, Take profit, Iceberg. */
export const typeText = (order: TypeFields): string => t.orders.types[typeOf(order)];

const TIMES: Readonly<Record<string, string>> = { 3: 'IOC', 4: 'FOK' };

/** The terms that the type does not name: or stop ≤ 59,000, IOC, until 2026-11-24 12:00. */
export function termsText(
  order: Pick<
    Order,
    | 'timeInForce'
    | 'expireTime'
    | 'ocoOrderId'
    | 'parentOrderId'
    | 'execInst'
    | 'ordType'
    | 'symbol'
  > &
    Trail,
  /** The other order of its OCO pair, if it is known. */
  partner?: Order,
): string | null {
  const { timeInForce, expireTime, ocoOrderId, parentOrderId, execInst, ordType } = order;
  const parts = [
    trails(order) ? t.orders.trails(distanceText(order, order.symbol)) : null,
    parentOrderId == null ? null : t.orders.exit,
    ocoOrderId == null ? null : partnerText(isStop(ordType), partner),
    execInst !== undefined && ordType !== OrdType.limit ? t.orders.types.postOnly : null,
    TIMES[timeInForce] ?? null,
    expireTime == null ? null : t.orders.until(dateTime(expireTime).slice(0, -3)),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' · ');
}

/** An OCO pair is a limit order and a stop, so each says what the other one is. */
function partnerText(isStop: boolean, partner: Order | undefined): string {
  const price = partner && (isStop ? partner.price : partner.stopPx);
  const text = price == null ? null : grouped(price);
  if (isStop) return t.orders.orLimit(text);
  return t.orders.orStop(text && `${partner!.triggerPriceDirection === 'U' ? '≥' : '≤'} ${text}`);
}

type OrderTerms =
  | NewOrder
  | (Pick<Order, 'symbol' | 'side' | 'orderQty' | 'quoteOrderQty' | 'price' | 'stopPx'> & Trail);

/** 0.5 BTC; BTC for 500 USDT. */
export function sizeText(order: Pick<OrderTerms, 'symbol' | 'orderQty' | 'quoteOrderQty'>): string {
  const { symbol, orderQty, quoteOrderQty } = order;
  const [base, quote] = assetsOf(symbol);
  return orderQty == null
    ? t.sizeByTotal(base, `${grouped(quoteOrderQty ?? '0')} ${quote}`)
    : `${grouped(orderQty)} ${base}`;
}

/** Buy 0.01 BTC at 40,000 USDT. */
export function orderSentence(order: OrderTerms): string {
  const { symbol, side, price, stopPx } = order;
  const [, quote] = assetsOf(symbol);
  const size = sizeText(order);
  const limit = price == null ? null : `${grouped(price)} ${quote}`;
  if (trails(order)) {
    return t.trailSentence(side === Side.buy, size, limit, distanceText(order, symbol));
  }
  const trigger = stopPx == null ? null : `${grouped(stopPx)} ${quote}`;
  return t.orderSentence(side === Side.buy, size, limit, trigger);
}

export interface Outcome {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly detail: string;
}

/** The outcome of a submitted order. `fills` are those of the order, if they could be read. */
export function outcomeOf(order: Order, fills: readonly Fill[], priceDecimals: number): Outcome {
  const traded = tradedSentence(order, fills, priceDecimals);
  const { reason } = stateOf(order);
  switch (order.ordStatus) {
    case OrdStatus.filled:
      return { tone: 'good', title: t.orders.statuses.filled, detail: traded };
    case OrdStatus.partiallyFilled:
      return {
        tone: 'good',
        title: t.orders.statuses.partlyFilled,
        detail: `${traded} ${restSentence(order, '')}`,
      };
    case OrdStatus.new:
      if (order.workingIndicator === false) return waitingOutcome(order);
      return {
        tone: 'good',
        title: t.outcome.inBook,
        detail: restSentence(order, `${sideText(order.side)} `),
      };
    case OrdStatus.rejected:
      return {
        tone: 'bad',
        title: t.orders.statuses.rejected,
        detail: reason === null ? t.outcome.rejectedWhy : asSentence(reason),
      };
    default: {
      const why = reason === null ? t.outcome.restCanceled : asSentence(reason);
      return isZero(order.cumQty)
        ? { tone: 'warn', title: t.outcome.nothingTraded, detail: why }
        : { tone: 'warn', title: t.outcome.partlyFilledRestCanceled, detail: `${traded} ${why}` };
    }
  }
}

/** A stop before its trigger. */
function waitingOutcome(order: Order): Outcome {
  const { stopPx, triggerPx, side, symbol, triggerPriceDirection } = order;
  const trigger = `${grouped(triggerPx ?? stopPx ?? '0')} ${assetsOf(symbol)[1]}`;
  const isUp = triggerPx == null ? triggerPriceDirection === 'U' : side === Side.buy;
  if (!trails(order)) {
    const detail = t.outcome.waitsForTrigger(isUp, trigger);
    return { tone: 'good', title: t.outcome.waiting, detail };
  }
  const detail = (triggerPx == null ? t.outcome.trailsFrom : t.outcome.trails)(isUp, trigger);
  return { tone: 'good', title: typeText(order), detail };
}

/**
 * Bought 0.1 BTC for 6,009.69 USDT, at 60,096.9000 on average. Fee 0.0002 BTC.
 * Total and fee are sums of the fills; they are left out if a fill is missing.
 */
function tradedSentence(order: Order, fills: readonly Fill[], priceDecimals: number): string {
  const [base, quote] = assetsOf(order.symbol);
  const bought = order.side === Side.buy;
  const quantity = `${grouped(order.cumQty)} ${base}`;
  const average = grouped(order.avgPx, averageDecimals({ priceDecimals }));
  const filled = sum(fills.map((fill) => fill.quantity));
  if (isZero(filled) || compare(filled, order.cumQty) !== 0) {
    return t.outcome.tradedAverage(bought, quantity, `${average} ${quote}`);
  }
  const total = sum(fills.map(({ quoteAmount }) => quoteAmount));
  const paid = `${grouped(total, totalDecimals(total, { priceDecimals }))} ${quote}`;
  const fee = sum(fills.map((fill) => fill.fee));
  const { feeAsset } = fills[0]!;
  const sentence = t.outcome.traded(bought, quantity, paid, average);
  if (isZero(fee)) return sentence;
  const feeAmount = `${feeText(fee, feeAsset, { base, priceDecimals })} ${feeAsset}`;
  return `${sentence} ${t.outcome.fee(feeAmount)}`;
}

function restSentence({ symbol, leavesQty, price }: Order, verb: string): string {
  const [base, quote] = assetsOf(symbol);
  const limit = price === null ? null : `${grouped(price)} ${quote}`;
  return t.outcome.waits(`${verb}${grouped(leavesQty)} ${base}`, limit);
}

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/**
 * The outcome of canceling all orders. `before` and `after` are the open orders around the cancel.
 */
export function cancelOutcome(
  before: readonly Pick<Order, 'orderId'>[],
  after: readonly Pick<Order, 'orderId'>[],
): string {
  const open = new Set(after.map(({ orderId }) => orderId));
  const stay = before.filter(({ orderId }) => open.has(orderId)).length;
  const gone = before.length - stay;
  const isMore = before.length >= OPEN_ORDERS;
  return [
    gone === 0 ? t.orders.canceledNone : t.orders.canceledCount(gone, isMore),
    ...(stay === 0 ? [] : [t.orders.stillOpen(stay)]),
  ].join('; ');
}
