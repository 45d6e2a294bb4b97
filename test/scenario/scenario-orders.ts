// Orders in a trader's sentences: `buy 1 at 100 good for 10 s`, `sell 1 at market when the price
// falls to 95`, `sell 1 at 110 or at market when the price falls to 95`, `amend order 1 price 101`,
// `amend order 1 with exits at 110 and 95`.
import type { BatchEntry, PlaceOrder } from '../../src/core/command.ts';
import { OrdType, Side, TimeInForce, TriggerPriceDirection } from '../../src/core/fix.ts';
import type { Instrument } from '../../src/core/instrument.ts';
import type { OrderExtras } from '../../src/core/order-extras.ts';
import { amount, lots, type Ticks, ticks } from '../../src/core/units.ts';
import { parseDecimal, parseSteps, SCALE, type Sentence } from './scenario-words.ts';

/** The instrument of a sentence; an unknown one has the usual increments. */
export type Market = Pick<Instrument, 'securityId' | 'tick' | 'lot'>;

/** `now`: business time, ms. */
export function parseEntry(market: Market, sentence: Sentence, now: number): BatchEntry {
  const { words, id } = sentence;
  const named = /^(cancel|amend)(?: order (\d+))?(.*)$/.exec(words);
  if (named !== null) {
    const [, verb, order, changes] = named;
    const names = { orderId: Number(order ?? 0), origClOrdId: id, clOrdId: '' };
    if (verb === 'cancel') return { type: 'cancelOrder', ...names };
    return { ...names, ...amendment(market, sentence, changes!, now) };
  }
  return pair(market, sentence, now) ?? single(market, sentence, now);
}

/** ` quantity 2 price 101 stop 96` */
function amendment(
  market: Market,
  { showing, goodFor, exits }: Sentence,
  changes: string,
  now: number,
): Omit<Extract<BatchEntry, { type: 'amendOrder' }>, 'orderId' | 'origClOrdId' | 'clOrdId'> {
  const { securityId, tick, lot } = market;
  const of = (word: string): string | undefined => new RegExp(` ${word} (\\S+)`).exec(changes)?.[1];
  const quantity = (text: string | undefined | null) =>
    text === undefined || text === null ? null : lots(parseSteps(text, lot));
  const price = (text: string | undefined) =>
    text === undefined ? null : ticks(parseSteps(text, tick));
  return {
    type: 'amendOrder',
    securityId,
    orderQty: quantity(of('quantity')),
    price: price(of('price')),
    stopPx: price(of('stop')),
    displayQty: quantity(showing),
    expireTime: goodFor === null ? null : now + goodFor,
    bracket: bracketOf(market, exits),
  };
}

/** `sell 1 at 110 or at market when the price falls to 95` */
function pair(market: Market, sentence: Sentence, now: number): BatchEntry | null {
  const match = /^(buy|sell) (\S+) at (\S+) or at (\S+)$/.exec(sentence.words);
  if (match === null) return null;
  const [, side, quantity, price, stopLimit] = match;
  const { securityId, tick, lot } = market;
  const { timeInForce, goodFor, selfTrade, id, strict, trigger, trailing } = sentence;
  return {
    type: 'placeOco',
    securityId,
    side: sideOf(side!),
    orderQty: lots(parseSteps(quantity!, lot)),
    price: ticks(parseSteps(price!, tick)),
    stopPx: ticks(trigger === null ? 0 : parseSteps(trigger.price, tick)),
    stopLimitPx: priceOf(market, stopLimit!),
    trail: trailOf(market, trailing),
    timeInForce,
    expireTime: goodFor === null ? 0 : now + goodFor,
    selfTradePrevention: selfTrade,
    clOrdId: id,
    stopClOrdId: id === '' ? '' : `${id}-stop`,
    strictClOrdId: strict,
  };
}

/** `buy 1 at 100`, `sell 1 at market`, `buy for 50 at market` */
function single(market: Market, sentence: Sentence, now: number): BatchEntry {
  const { words, id, postOnly, strict, trigger, trailing } = sentence;
  const match = /^(buy|sell) (for )?(\S+) at (\S+)$/.exec(words);
  if (match === null) throw new Error(`no such command: ${words}`);
  const [, side, byQuote, n, price] = match;
  const isMarket = price === 'market';
  const plain = isMarket ? OrdType.market : OrdType.limit;
  const stop = isMarket ? OrdType.stop : OrdType.stopLimit;
  const waits = trigger !== null || trailing !== null;
  return {
    type: 'placeOrder',
    securityId: market.securityId,
    side: sideOf(side!),
    ordType: waits ? stop : plain,
    price: priceOf(market, price!),
    orderQty: lots(byQuote === undefined ? parseSteps(n!, market.lot) : 0),
    quoteOrderQty: amount(byQuote === undefined ? 0n : parseDecimal(n!, SCALE)),
    postOnly,
    clOrdId: id,
    strictClOrdId: strict,
    extras: extrasOf(market, sentence, sideOf(side!), now),
  };
}

/** null for an order as v1 has it. */
function extrasOf(
  market: Market,
  sentence: Sentence,
  side: Side,
  now: number,
): PlaceOrder['extras'] {
  const { timeInForce, goodFor, showing, selfTrade, trigger, trailing, exits } = sentence;
  const waits = trigger !== null || trailing !== null;
  const isPlain = timeInForce === TimeInForce.goodTillCancel && !waits && exits === null;
  if (isPlain && showing === null && selfTrade === null) return null;
  const { tick, lot } = market;
  const { none, up, down } = TriggerPriceDirection;
  const usual = side === Side.buy ? up : down;
  return {
    timeInForce,
    expireTime: goodFor === null ? 0 : now + goodFor,
    displayQty: lots(showing === null ? 0 : parseSteps(showing, lot)),
    selfTradePrevention: selfTrade,
    stopPx: ticks(trigger === null ? 0 : parseSteps(trigger.price, tick)),
    triggerPriceDirection: trigger?.direction ?? (trailing === null ? none : usual),
    trail: trailOf(market, trailing),
    bracket: bracketOf(market, exits),
  };
}

function bracketOf(market: Market, exits: Sentence['exits']): OrderExtras['bracket'] {
  if (exits === null) return null;
  const [takeProfit, stop, stopLimit, trail = null] = exits;
  return {
    takeProfitPx: takeProfit === 'none' ? ticks(0) : priceOf(market, takeProfit),
    stopPx: priceOf(market, stop || 'market'),
    stopLimitPx: priceOf(market, stopLimit || 'market'),
    trail: trailOf(market, trail),
  };
}

/** `5%` in basis points, or an amount in ticks below 0. */
function trailOf({ tick }: Market, text: string | null): number {
  if (text === null) return 0;
  if (!text.endsWith('%')) return -parseSteps(text, tick);
  return Number(parseDecimal(text.slice(0, -1), 2));
}

const sideOf = (word: string): Side => (word === 'buy' ? Side.buy : Side.sell);

const priceOf = ({ tick }: Market, text: string): Ticks =>
  ticks(text === 'market' ? 0 : parseSteps(text, tick));
