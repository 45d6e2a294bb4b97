// Decimals of a request as integers of the core: units of an asset, a rate, or steps of an
// increment. A value off its grid is rejected with the nearest valid one.
import type { Increment } from '../core/instrument.ts';
import { type Amount, amount, RATE_DECIMALS, RATE_ONE } from '../core/units.ts';
import { formatSteps, MAX_STEPS, nearestOnGrid, toSteps, toUnits } from './decimal.ts';
import { JsonNumber, jsonUnits } from './json.ts';
import { invalidField, type Problem } from './problem.ts';

/** A decimal in units of 10^-decimals of an asset or a rate. Throws Problem. */
export function onScale(field: string, value: string, decimals: number, asset?: string): Amount {
  const units = toUnits(value, decimals);
  if (typeof units !== 'string') return units;
  const must = `have at most ${decimals} decimals`;
  const nearest = nearestOnGrid(value, { mantissa: 1, decimals });
  throw offIncrement(field, must, value, jsonUnits(amount(1), decimals), nearest, asset);
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
  /** The minimum of the field in steps, 1 by default: no smaller value is offered. */
  readonly least?: () => Amount;
}

/** A decimal above 0 in steps of its increment. Throws Problem. */
export function onSteps(field: string, value: string, { increment, unit, least }: Grid): number {
  const counted = toSteps(value, increment);
  if (counted.ok) return counted.steps;
  const step = formatSteps(1, increment);
  const inUnit = unit === undefined ? step : `${step} ${unit}`;
  const nearest = nearestOnGrid(value, increment, least?.());
  switch (counted.fault) {
    case 'offGrid': {
      const must = `be a multiple of ${inUnit}`;
      throw offIncrement(field, must, value, new JsonNumber(step), nearest, unit);
    }
    case 'notPositive': {
      const details = { rule: 'aboveZero', limit: 0, ...unitAndNearest(unit, nearest) };
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
  nearest: string | null,
  unit: string | undefined,
): Problem {
  const bound = { rule: 'increment', limit, value: new JsonNumber(value) };
  const details = { ...bound, ...unitAndNearest(unit, nearest) };
  return invalidField(field, must, details, 'offIncrement');
}

const unitAndNearest = (unit: string | undefined, nearest: string | null) => ({
  ...(unit === undefined ? {} : { unit }),
  ...(nearest === null ? {} : { nearest: new JsonNumber(nearest) }),
  ...(nearest === null || unit === undefined ? {} : { nearestUnit: unit }),
});
