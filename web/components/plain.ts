// The API speaks of fields by their names on the wire; people read their labels, and numbers with their units.
import type { RefusalDetails } from '../../src/sdk/errors.ts';
import { grouped, percent } from '../exact/format.ts';

const LABELS: Readonly<Record<string, string>> = {
  orderQty: 'the quantity',
  quoteOrderQty: 'the amount',
  price: 'the price',
  emailAuthCode: 'the code from the e-mail',
  googleAuthCode: 'the authenticator code',
  newPassword: 'the new password',
  password: 'the password',
  email: 'the e-mail address',
  applyAmount: 'the amount',
  amount: 'the amount',
  lockDay: 'the number of days',
  alias: 'the name',
  moduleIds: 'the privileges',
  ipAllowList: 'the addresses',
  expiresAt: 'the end',
};

/** Numbers of things, which a page sends and nobody has typed. */
const isIdentifier = (field: string): boolean => /(^id|Id)$/.test(field);

/** minLockDay → the min lock day, where there is no better word. */
const inWords = (field: string): string =>
  `the ${field.replace(/.*\./, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;

/** A sentence that names the whole problem: no single field is wrong. */
const SAYS_ALL = /^Insufficient balance:/;

/** Invalid field: orderQty. It must be … → Check the quantity. It must be … */
export function plain(sentence: string): string {
  const match = /^Invalid field: ([A-Za-z.]+)\.\s*/.exec(sentence);
  if (match === null) return sentence;
  const [lead, field = ''] = match;
  const rest = sentence.slice(lead.length);
  if (isIdentifier(field) || SAYS_ALL.test(rest)) return rest;
  return `Check ${LABELS[field] ?? inWords(field)}. ${rest}`;
}

const DECIMAL = /^\d+(\.\d+)?$/;

/** The value that would have been accepted, as a person reads it: 0.9 BTC, 5.00%. `percents` are the fields that are rates. */
export function nearestText(
  { nearest = '', nearestUnit, field = '' }: RefusalDetails,
  percents: readonly string[] = [],
): string {
  if (!DECIMAL.test(nearest)) return nearest;
  if (percents.includes(field)) return percent(nearest);
  return nearestUnit === undefined ? grouped(nearest) : `${grouped(nearest)} ${nearestUnit}`;
}
