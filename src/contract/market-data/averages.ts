// Answers that sum trades: aggregates of one incoming order at one price, and the average price.
// Facts come in core units.
import type { Trade } from '../../core/event.ts';
import type { Instrument } from '../../core/instrument.ts';
import { type Amount, amount, powerOfTen, type Ticks } from '../../core/units.ts';
import type { AnswerValue } from '../answer.ts';
import { JsonNumber, jsonSteps, jsonUnits } from '../json.ts';
import type * as answers from './answers.ts';
import { lotsText } from './market-data.ts';

/** The facts of an aggregate. */
export interface AggTradeFacts
  extends Pick<Trade, 'aggTradeId' | 'price' | 'quoteAmount' | 'takerSide' | 'transactTime'> {
  readonly lastTradeId: number;
  /** In lots. */
  readonly quantity: Amount;
}

export function writeAggTrade(
  trade: AggTradeFacts,
  { tick, lot, quote }: Instrument,
): AnswerValue<typeof answers.aggTrade> {
  return {
    aggTradeId: trade.aggTradeId,
    firstTradeId: trade.aggTradeId,
    lastTradeId: trade.lastTradeId,
    price: jsonSteps(trade.price, tick),
    quantity: new JsonNumber(lotsText(trade.quantity, lot)),
    quoteAmount: jsonUnits(trade.quoteAmount, quote.scale),
    takerSide: trade.takerSide,
    transactTime: trade.transactTime,
  };
}

/** The facts of an average price. */
export interface AveragePriceFacts {
  readonly openTime: number;
  readonly last: Ticks | null;
  readonly baseVolume: Amount;
  readonly quoteVolume: Amount;
  readonly tradeCount: number;
}

/** `now` is business time, ms. */
export function writeAveragePrice(
  facts: AveragePriceFacts,
  instrument: Instrument,
  now: number,
): AnswerValue<typeof answers.averagePrice> {
  const { tick, base, quote } = instrument;
  const { last } = facts;
  const without = last === null ? null : jsonSteps(last, tick);
  return {
    symbol: instrument.symbol,
    openTime: facts.openTime,
    closeTime: now,
    price: facts.baseVolume === 0 ? without : averageOf(facts, instrument),
    baseVolume: jsonUnits(facts.baseVolume, base.scale),
    quoteVolume: jsonUnits(facts.quoteVolume, quote.scale),
    tradeCount: facts.tradeCount,
  };
}

const PRICE_DECIMALS = 8;

/** quoteVolume ÷ baseVolume, half rounded up. */
function averageOf(
  { baseVolume, quoteVolume }: AveragePriceFacts,
  { tick, base, quote }: Instrument,
): JsonNumber {
  const decimals = Math.max(PRICE_DECIMALS, tick.decimals);
  const dividend = BigInt(quoteVolume) * BigInt(powerOfTen(base.scale + decimals));
  const divisor = BigInt(baseVolume) * BigInt(powerOfTen(quote.scale));
  return jsonUnits(amount((2n * dividend + divisor) / (2n * divisor)), decimals);
}
