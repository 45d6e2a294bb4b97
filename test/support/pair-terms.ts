// Terms of pairs, and amounts, from decimals.
import { parseIncrement, toSteps, toUnits } from '../../src/contract/decimal.ts';
import type { CreateInstrument } from '../../src/core/command.ts';
import type { Increment } from '../../src/core/instrument.ts';
import { type Amount, amount, lots } from '../../src/core/units.ts';
import { BTC_USDT_TERMS } from './venue.ts';

/** The scale of every asset in tests. */
export const SCALE = 8;

/** Terms of a new pair, from decimals. */
export function pairTerms(
  symbol: string,
  terms: { tick: string; lot: string; minQuantity: string; minNotional: string },
): CreateInstrument {
  const [baseAsset = '', quoteAsset = ''] = symbol.split('-');
  const lot = increment(terms.lot);
  const minimum = toSteps(terms.minQuantity, lot);
  if (!minimum.ok) throw new Error(`${terms.minQuantity} is off the grid`);
  return {
    ...BTC_USDT_TERMS,
    symbol,
    baseAsset,
    quoteAsset,
    tick: increment(terms.tick),
    lot,
    minQuantity: lots(minimum.steps),
    minNotional: units(terms.minNotional, SCALE),
  };
}

function increment(decimal: string): Increment {
  const parsed = parseIncrement(decimal);
  if (typeof parsed === 'string') throw new Error(`${decimal} is no increment`);
  return parsed;
}

export function units(decimal: string, scale: number): Amount {
  const read = toUnits(decimal, scale);
  if (typeof read === 'string') throw new Error(`${decimal} is no amount`);
  return amount(read);
}
