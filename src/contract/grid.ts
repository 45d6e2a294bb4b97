// Decimals of a request as integers of the core: units of an asset, a rate, or steps of an
// increment. A value off its grid is rejected with the nearest valid one.
import type { Increment } from '../core/instrument.ts';
import { type Amount, amount, RATE_DECIMALS, RATE_ONE } from '../core/units.ts';
import { formatSteps, MAX_STEPS, nearbyOnGrid, toSteps, toUnits } from './decimal.ts';
import { JsonNumber, jsonUnits } from './json.ts';
import { invalidField, type Problem } from './problem.ts';

/** A decimal in units of 10^-decimals of an asset or a rate. Throws Problem. */
export function onScale(field: string, value: string, decimals: number, asset?: string): Amount {
  const units = toUnits(value, decimals);
  if (typeof units !== 'string') return units;
  const must = `have at most ${decimals} decimals`;
  const nearby = nearbyOnGrid(value, { mantissa: 1, decimals });
  throw offIncrement(field, must, value, jsonUnits(amount(1), decimals), nearby, asset);
}

/** A rate from 0 to below 1, in 10^-8. Throws Problem. */
export function toRate(field: string, rate: string): number {
  const units = onScale(field, rate, RATE_DECIMALS);
  // A fee of everything, or a band down to zero, is a slip of the decimal point.
  if (typeof units === 'number' && units < RATE_ONE) return units;
  const details = { rule: 'maximum', limit: 1, value: new JsonNumber(rate) };
  throw invalidField(field, 'be a rate below 1, such as 0.001 for 0.1 %', details);
}

/** The grid of a field. */
interface Grid {
  readonly increment: Increment;
  readonly unit?: string;
}

/** A decimal above 0 in steps of its increment. Throws Problem. */
export function onSteps(field: string, value: string, { increment, unit }: Grid): number {
  const counted = toSteps(value, increment);
  if (counted.ok) return counted.steps;
  const step = formatSteps(1, increment);
  const inUnit = unit === undefined ? step : `${step} ${unit}`;
  const nearby = nearbyOnGrid(value, increment);
  switch (counted.fault) {
    case 'offGrid': {
      const must = `be a multiple of ${inUnit}`;
      throw offIncrement(field, must, value, new JsonNumber(step), nearby, unit);
    }
    case 'notPositive': {
      const details = { rule: 'aboveZero', limit: 0, ...unitAndNearest(unit, nearby) };
      throw invalidField(field, 'be above 0', details);
    }
    default: {
      const must = `be a decimal number of at most ${MAX_STEPS} steps of ${inUnit}`;
      throw invalidField(field, must, { rule: 'maximum' });
    }
  }
}

function offIncrement(
  field: string,
  must: string,
  value: string,
  limit: JsonNumber,
  nearby: readonly string[],
  unit: string | undefined,
): Problem {
  const bound = { rule: 'increment', limit, value: new JsonNumber(value) };
  const details = { ...bound, ...unitAndNearest(unit, nearby) };
  const values = nearby.map((text) => new JsonNumber(text));
  return invalidField(field, must, details, 'offIncrement', values);
}

const unitAndNearest = (unit: string | undefined, [nearest]: readonly string[]) => ({
  ...(unit === undefined ? {} : { unit }),
  ...(nearest === undefined ? {} : { nearest: new JsonNumber(nearest) }),
  ...(nearest === undefined || unit === undefined ? {} : { nearestUnit: unit }),
});
