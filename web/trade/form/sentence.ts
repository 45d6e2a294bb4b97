// Says in plain words what an order will do: When the last price falls to 58,000 USDT, sells 0.5
// BTC at market.
import { triggersUp } from '../../../src/contract/trading/order-rules.ts';
import { OrdType, Side } from '../../../src/sdk/index.ts';
import type { Decimal } from '../../exact/decimal.ts';
import { dateTime, grouped } from '../../exact/format.ts';
import { orderSentences as t } from '../../messages/order-sentence.ts';
import { trade as texts } from '../../messages/trade.ts';
import { distanceText, firstTrigger, trails } from '../orders/trailing.ts';
import { sizeText } from '../orders/words.ts';
import type { Pair } from '../pair.ts';
import type { NewOrder } from './draft.ts';
import { TIMES_IN_FORCE } from './kinds.ts';

/**
 * `last`: the last price, from which a stop may trail; null while unknown. `isPart`: the order may
 * trade only a part of its size.
 */
export function orderPreview(
  order: NewOrder,
  pair: Pair,
  last: Decimal | null = null,
  isPart = false,
): string {
  const main = trails(order) ? trailSentence(order, pair, last) : mainSentence(order, pair, isPart);
  return [main, ...exitSentences(order, pair), ...termSentences(order, pair)]
    .filter((sentence) => sentence !== null)
    .join(' ');
}

/** The last digits of a price that was typed off its grid stay. */
const priceText = (price: Decimal, { quote }: Pair): string => `${grouped(price)} ${quote}`;

/** up to 2 BTC; BTC for up to 500 USDT */
function maximumText(order: NewOrder, { base, quote }: Pair): string {
  const { orderQty, quoteOrderQty } = order;
  return quoteOrderQty === undefined
    ? t.upTo(`${grouped(orderQty!)} ${base}`)
    : texts.sizeByTotal(base, t.upTo(`${grouped(quoteOrderQty)} ${quote}`));
}

function mainSentence(order: NewOrder, pair: Pair, isPart: boolean): string {
  const { side, ordType, price, stopPx, execInst, timeInForce } = order;
  const buys = side === Side.buy;
  const isWhole = timeInForce === TIMES_IN_FORCE.FOK;
  const size = isPart && !isWhole ? maximumText(order, pair) : sizeText(order);
  if (stopPx !== undefined) {
    const does =
      price === undefined ? t.atMarket(buys, size) : t.atLimit(buys, size, priceText(price, pair));
    return t.when(isUp(order), priceText(stopPx, pair), does);
  }
  if (ordType === OrdType.market) {
    return isWhole ? t.marketAllOrNothing(buys, size) : t.market(buys, size);
  }
  const write = execInst === undefined ? t.limit : t.postOnly;
  return write(buys, size, priceText(price!, pair));
}

function trailSentence(order: NewOrder, pair: Pair, last: Decimal | null): string {
  const { stopPx, symbol } = order;
  const buys = order.side === Side.buy;
  const distance = distanceText(order, symbol);
  const first = firstTrigger(order, last, pair.tick);
  const trigger = first === null ? null : priceText(first, pair);
  const begins =
    stopPx === undefined
      ? t.trailsNow(buys, distance, trigger)
      : t.trailsFrom(isUp(order), priceText(stopPx, pair), buys, distance, trigger);
  return `${begins} ${t.trails(buys, t.atMarket(buys, sizeText(order)))}`;
}

/** Buys are triggered from below unless the order says otherwise. */
const isUp = ({ side, triggerPriceDirection }: NewOrder): boolean =>
  triggerPriceDirection === undefined ? triggersUp(side) : triggerPriceDirection === 'U';

function exitSentences(order: NewOrder, pair: Pair): readonly string[] {
  const { side, oco, bracket } = order;
  const buys = side === Side.buy;
  if (oco !== undefined) {
    const size = sizeText(order);
    const { stopPx, stopLimitPx } = oco;
    const does =
      stopLimitPx === undefined
        ? t.atMarket(buys, size)
        : t.atLimit(buys, size, priceText(stopLimitPx, pair));
    return [t.oco(buys, priceText(stopPx, pair), does)];
  }
  if (bracket === undefined) return [];
  const { takeProfitPx, stopPx, stopLimitPx } = bracket;
  const stop =
    stopLimitPx === undefined ? t.stopAtMarket : t.stopAtLimit(priceText(stopLimitPx, pair));
  const profit = priceText(takeProfitPx, pair);
  return [t.bracket(buys, profit, !buys, priceText(stopPx, pair), stop)];
}

function termSentences(order: NewOrder, pair: Pair): readonly (string | null)[] {
  const { timeInForce, expireTime, displayQty, ordType } = order;
  const isLimit = ordType !== OrdType.market;
  return [
    timeInForce === TIMES_IN_FORCE.IOC ? t.IOC : null,
    timeInForce === TIMES_IN_FORCE.FOK && isLimit ? t.FOK : null,
    expireTime === undefined ? null : t.GTD(dateTime(expireTime).slice(0, -3)),
    displayQty === undefined ? null : t.shown(`${grouped(displayQty)} ${pair.base}`),
  ];
}
