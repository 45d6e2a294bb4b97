// Turns the API's field names into labels, and its values into numbers with units.
import type { RefusalDetails } from '../../src/sdk/errors.ts';
import { grouped, percent } from '../exact/format.ts';
import { common as t } from '../messages/common.ts';

/** Ids are chosen by the page, not typed by the user. */
const isIdentifier = (field: string): boolean => /(^id|Id)$/.test(field);

/** minLockDay → the min lock day. */
const inWords = (field: string): string =>
  t.fields.other(
    field.replace(/.*\./, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  );

/** A sentence that is complete without a field. */
const SAYS_ALL = /^Insufficient balance:/;

/** Invalid field: orderQty. It must be … → Check the quantity. It must be … */
export function plain(sentence: string): string {
  const match = /^Invalid field: ([A-Za-z.]+)\.\s*/.exec(sentence);
  if (match === null) return sentence;
  const [lead, field = ''] = match;
  const rest = sentence.slice(lead.length);
  if (isIdentifier(field) || SAYS_ALL.test(rest)) return rest;
  return `${t.fields.check(t.fields.labels[field] ?? inWords(field))} ${rest}`;
}

const DECIMAL = /^\d+(\.\d+)?$/;

/** The nearest accepted value: 0.9 BTC, 5.00%. `percents` are the fields that are rates. */
export function nearestText(
  { nearest = '', nearestUnit, field = '' }: RefusalDetails,
  percents: readonly string[] = [],
): string {
  if (!DECIMAL.test(nearest)) return nearest;
  if (percents.includes(field)) return percent(nearest);
  return nearestUnit === undefined ? grouped(nearest) : `${grouped(nearest)} ${nearestUnit}`;
}
