// Texts of the operator console's forms: what a field accepts, previews, questions and outcomes.
import { inLanguage, plural } from './catalog.ts';

const en = {
  number: 'Enter a number, such as 12.5.',
  amountNeeded: 'Enter an amount.',
  aboveZero: 'Enter a number above 0.',
  tooManyDecimals: (decimals: number, asset: string | undefined, nearest: string) => {
    const digits = plural(decimals, { one: '1 decimal', other: `${decimals} decimals` });
    return asset === undefined
      ? `Enter at most ${digits}, such as ${nearest}.`
      : `${asset} has ${digits}. Enter ${nearest}, for example.`;
  },
  percentNeeded: 'Enter a percentage.',
  percentOrZero: 'Enter a percentage; 0 means none.',
  percentAboveZero: 'Enter a percentage above 0 %.',
  percentBelow: (maximum: string) => `Enter less than ${maximum} %.`,
  percentMaximum: (maximum: string) => `Enter at most ${maximum} %.`,
  percentDecimals: (decimals: number) => `Enter at most ${decimals} decimals.`,
  integer: (minimum: number, maximum: string, unit: string) =>
    `Enter a whole number of ${unit} from ${minimum} to ${maximum}.`,
  textNeeded: (name: string) => `Enter ${name}.`,
  tooLong: (maximum: number, length: number) =>
    `Use at most ${maximum} characters; this has ${length}.`,
  referenceNeeded: 'Enter a reference, such as the number of the bank transfer.',
  referenceCharacters: 'Use unaccented letters, digits and common punctuation only.',

  preview: 'Preview',
  previewEmpty: 'Complete the form to see what this request does before you send it.',
  request: 'Request',
  requestNote: 'Amounts are decimal strings. Percentages are rates: 0.001 is 0.1 %.',
  password: '(your input)',
  save: 'Save changes',
  undo: 'Undo',
  cancel: 'Cancel',
  unchanged: 'Nothing changes yet.',
  change: (name: string, from: string, to: string) => `${name}: ${from} → ${to}`,
  choose: 'Choose…',

  reference: 'Reference',
  referenceUse:
    'Identifies this transfer permanently, such as the number of the bank transfer. You can ' +
    'retry safely: the same reference with the same details moves nothing, and the server ' +
    'rejects it with other details.',
  amount: 'Amount',
  booked: (what: string, transferId: string, seq: string, reference: string) =>
    `Booked ${what}: transfer ${transferId}, journal command ${seq}, reference ${reference}.`,
  bookedBefore: (what: string, transferId: string) =>
    `This reference was already booked as transfer ${transferId} (${what}). Nothing moved now.`,
  permanentReference: (reference: string) =>
    `The reference ${reference} identifies this transfer permanently.`,
  sendMoneyYourself: 'This only books the transfer. Send the money yourself.',
};

export const forms = inLanguage({ en });
