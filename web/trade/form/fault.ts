// A fault of the order form: its field, a sentence, and the nearest value that passes.
import { nextTick } from '../../../src/contract/trading/order-rules.ts';
import * as d from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import type { Pair } from '../pair.ts';
import type { Basis, Draft } from './draft.ts';
import type { OrderKind } from './kinds.ts';

export interface FormFault {
  readonly field:
    | 'price'
    | 'stopPrice'
    | 'stopLimit'
    | 'takeProfit'
    | 'shown'
    | 'expires'
    | Draft['trailBy']
    | Basis;
  /** A sentence for the user. */
  readonly text: string;
  /** The closest value that would pass, if there is one. */
  readonly nearest: d.Decimal | null;
  /** The balance is too small. */
  readonly isShort?: true;
  /** The kind of order that these values make, in place of `nearest`. */
  readonly kind?: OrderKind;
}

/** The nearest value with the unit of its field. */
export function nearestText(
  { field }: FormFault,
  nearest: d.Decimal,
  { base, quote }: Pair,
): string {
  const value = grouped(nearest);
  if (field === 'trailingPercent') return `${value}%`;
  return `${value} ${field === 'quantity' || field === 'shown' ? base : quote}`;
}

/** The change of the form that takes a value into a field. */
export const withValue = (field: FormFault['field'], value: string): Partial<Draft> =>
  field === 'quantity' || field === 'total' ? { basis: field, amount: value } : { [field]: value };

/** The fields of the form by their names in rejections. */
const FIELDS: Readonly<Record<string, FormFault['field']>> = {
  price: 'price',
  orderQty: 'quantity',
  quoteOrderQty: 'total',
  stopPx: 'stopPrice',
  stopLimitPx: 'stopLimit',
  takeProfitPx: 'takeProfit',
  trailingAmount: 'trailingAmount',
  displayQty: 'shown',
  expireTime: 'expires',
};

/** The field that a rejection names, such as bracket.stopPx. */
export const fieldOf = (name: string | undefined): FormFault['field'] | null =>
  FIELDS[(name ?? '').replace(/^bracket\./, '')] ?? null;

export const isOn = (value: d.Decimal, step: d.Decimal): boolean =>
  d.compare(d.floorTo(value, step), value) === 0;

/** A value on its grid, as a number of steps: ticks or lots. */
export const inSteps = (value: d.Decimal, step: d.Decimal): number =>
  Number(d.divideDown(value, step, 0));

export const fromSteps = (steps: number, step: d.Decimal): d.Decimal =>
  d.multiply(`${steps}`, step);

/** One tick above or below a price; null if that is no price. */
export function tickBeside(price: d.Decimal, isUp: boolean, { tick }: Pair): d.Decimal | null {
  const next = nextTick(inSteps(price, tick), isUp);
  return next === null ? null : fromSteps(next, tick);
}

/** The closer of the two steps around a value; the lower one of a tie, but never 0. */
export function nearestOn(value: d.Decimal, step: d.Decimal): d.Decimal {
  const [below, above] = [d.floorTo(value, step), d.ceilTo(value, step)];
  const isLower = d.compare(d.subtract(value, below), d.subtract(above, value)) <= 0;
  return isLower && d.isPositive(below) ? below : above;
}
