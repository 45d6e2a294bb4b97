// The average price of a pair, from sums of trades in core units.
import type { Asset, Increment, Instrument } from '../../core/instrument.ts';
import { amount, type Ticks } from '../../core/units.ts';
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

const AVERAGE_DECIMALS = 8;
/** An average has at least so many significant digits. */
const AVERAGE_DIGITS = 10;
const SMALLEST_DIGITS = 10n ** BigInt(AVERAGE_DIGITS - 1);

interface AverageTerms {
  readonly tick: Pick<Increment, 'decimals'>;
  readonly base: Pick<Asset, 'scale'>;
  readonly quote: Pick<Asset, 'scale'>;
}

/** quoteVolume ÷ baseVolume, half rounded up. A base volume of 0 has no average. */
export function averageOf(
  { baseVolume, quoteVolume }: Pick<Facts, 'baseVolume' | 'quoteVolume'>,
  { tick, base, quote }: AverageTerms,
): JsonNumber {
  const divisor = BigInt(baseVolume) * 10n ** BigInt(quote.scale);
  let decimals = Math.max(AVERAGE_DECIMALS, tick.decimals);
  let dividend = BigInt(quoteVolume) * 10n ** BigInt(base.scale + decimals);
  for (; dividend < divisor * SMALLEST_DIGITS; decimals++) dividend *= 10n;
  return jsonUnits(amount((2n * dividend + divisor) / (2n * divisor)), decimals);
}
