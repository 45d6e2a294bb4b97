// A bound of a refusal as programs read it (a decimal and its unit) and as people read it (grouped digits and the unit).
import type { Measure } from '../core/reject.ts';
import type { State } from '../core/state.ts';
import {
  type Amount,
  amount,
  divideDown,
  divideUp,
  multiply,
  powerOfTen,
  RATE_DECIMALS,
} from '../core/units.ts';
import { type JsonNumber, jsonSteps, jsonUnits } from './json.ts';

/** Counts by the rule that limits them. */
const COUNTED: Readonly<Record<string, string>> = {
  lockDay: 'days',
  minLockDay: 'days',
  maxLockDay: 'days',
  maxOpenOrders: 'orders',
  subscriptions: 'subscriptions',
  redemptions: 'redemptions',
};

export function written(state: State, measure: Measure): JsonNumber | number {
  switch (measure.unit) {
    case 'count':
      return measure.n;
    case 'rate':
      return jsonUnits(amount(measure.n), RATE_DECIMALS);
    case 'ticks':
      return jsonSteps(measure.n, state.instruments[measure.securityId]!.tick);
    case 'lots':
      return jsonSteps(measure.n, state.instruments[measure.securityId]!.lot);
    case 'amount':
      return jsonUnits(measure.n, state.assets[measure.assetId]!.scale);
  }
}

/** The asset, or the thing that is counted; undefined for a rate, which has no unit. */
export function unitOf(state: State, measure: Measure, rule: string | null): string | undefined {
  switch (measure.unit) {
    case 'count':
      return COUNTED[rule ?? ''];
    case 'rate':
      return undefined;
    case 'ticks':
      return state.instruments[measure.securityId]!.quote.name;
    case 'lots':
      return state.instruments[measure.securityId]!.base.name;
    case 'amount':
      return state.assets[measure.assetId]!.name;
  }
}

/** All digits, grouped, with the unit: 1,234.5 USDT; a rate as it is sent, and in percent. */
export function inWords(state: State, measure: Measure, rule: string | null): string {
  if (measure.unit === 'rate') {
    const rate = amount(measure.n);
    const percent = jsonUnits(rate, RATE_DECIMALS - 2).source;
    return `${jsonUnits(rate, RATE_DECIMALS).source} (${percent}%)`;
  }
  const value = written(state, measure);
  const unit = unitOf(state, measure, rule);
  const digits = grouped(typeof value === 'number' ? String(value) : value.source);
  return unit === undefined ? digits : `${digits} ${unit}`;
}

/** From this many units on, people read cents. */
const LARGE = 100;
const CENTS = 2;

/** An amount as people read it: a large one in cents, rounded up or down as the sentence needs. */
export function roundedInWords(state: State, measure: Measure, direction: 'up' | 'down'): string {
  if (measure.unit !== 'amount') return inWords(state, measure, null);
  const { scale, name } = state.assets[measure.assetId]!;
  const isLarge = measure.n >= multiply(powerOfTen(scale), LARGE);
  if (scale <= CENTS || !isLarge) return inWords(state, measure, null);
  const cent = powerOfTen(scale - CENTS);
  const cents: Amount =
    direction === 'up' ? divideUp(measure.n, cent) : divideDown(measure.n, cent);
  const [whole = '', fraction = ''] = jsonUnits(cents, CENTS).source.split('.');
  return `${grouped(whole)}.${fraction.padEnd(CENTS, '0')} ${name}`;
}

/** Commas between thousands of the whole part. */
function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}
