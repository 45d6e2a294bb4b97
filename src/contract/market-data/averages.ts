// The average price of a pair, from sums of trades in core units.
import type { Instrument } from '../../core/instrument.ts';
import { amount, powerOfTen, type Ticks } from '../../core/units.ts';
import type { Source } from '../answer.ts';
import { type JsonNumber, jsonSteps, jsonUnits } from '../json.ts';
import { averagePrice } from './answers.ts';

type Facts = Omit<Source<typeof averagePrice>, 'symbol' | 'closeTime' | 'price'> & {
  readonly last: Ticks | null;
};

/** `now` is business time, ms. */
export function writeAveragePrice(facts: Facts, instrument: Instrument, now: number) {
  const price = priceOf(facts, instrument);
  const { symbol } = instrument;
  return averagePrice.write({ ...facts, symbol, closeTime: now, price }, instrument);
}

/** The average price of the sums; without a trade, the last price, or null. */
export function priceOf(
  facts: Pick<Facts, 'last' | 'baseVolume' | 'quoteVolume'>,
  instrument: Instrument,
): JsonNumber | null {
  const { last } = facts;
  const without = last === null ? null : jsonSteps(last, instrument.tick);
  return facts.baseVolume === 0 ? without : averageOf(facts, instrument);
}

const PRICE_DECIMALS = 8;

/** quoteVolume ÷ baseVolume, half rounded up. */
function averageOf(
  { baseVolume, quoteVolume }: Pick<Facts, 'baseVolume' | 'quoteVolume'>,
  { tick, base, quote }: Instrument,
): JsonNumber {
  const decimals = Math.max(PRICE_DECIMALS, tick.decimals);
  const dividend = BigInt(quoteVolume) * BigInt(powerOfTen(base.scale + decimals));
  const divisor = BigInt(baseVolume) * BigInt(powerOfTen(quote.scale));
  return jsonUnits(amount((2n * dividend + divisor) / (2n * divisor)), decimals);
}
