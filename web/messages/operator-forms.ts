// Texts of the operator console's forms: faults of fields, previews, questions and outcomes.
import { type FieldTexts, inLanguage } from './catalog.ts';

const en = {
  optional: (label: string) => `${label} (optional)`,
  needed: 'Fill in this field.',
  number: 'Enter a number, such as 12.5.',
  wholeNumber: 'Enter a whole number.',
  aboveZero: 'Enter a number above 0.',
  between: (min: number, max: number) =>
    max === Number.MAX_SAFE_INTEGER
      ? `Enter a whole number of at least ${min}.`
      : `Enter a whole number from ${min} to ${max.toLocaleString('en')}.`,
  notBelow: (label: string, minimum: string) =>
    `Enter at least ${minimum}, the value of “${label}”.`,
  lengths: (min: number, max: number) =>
    min === 0 ? `Enter at most ${max} characters.` : `Enter ${min} to ${max} characters.`,
  none: 'None',
  onePerLine: 'One per line',
  units: { days: 'days', hours: 'h' } as Readonly<Record<string, string>>,
  searchPlaceholder: 'Part of the email address, or the user ID',
  searching: 'Searching…',
  noMatch: 'No match',
  clearUser: 'Clear user',

  preview: 'Preview',
  previewEmpty: 'Complete the form to see what this request does before you send it.',
  request: 'Request',
  requestNote: 'Amounts are decimal strings. Percentages are rates: 0.001 is 0.1 %.',
  password: '(your input)',
  save: 'Save changes',
  undo: 'Undo',
  change: (name: string, from: string, to: string) => `${name}: ${from} → ${to}`,
  immutable: (labels: readonly string[]) =>
    `You cannot change these fields later: ${labels.join(', ')}.`,
  choose: 'Choose…',
  yes: 'Yes',
  no: 'No',

  fields: { amount: ['Amount'], reference: ['Reference'] } satisfies FieldTexts,
  booked: (what: string, transferId: string, seq: string, reference: string) =>
    `Booked ${what}: transfer ${transferId}, journal command ${seq}, reference ${reference}.`,
  bookedBefore: (what: string, transferId: string) =>
    `This reference was already booked as transfer ${transferId} (${what}). Nothing moved now.`,
  permanentReference: (reference: string) =>
    `The reference ${reference} identifies this transfer permanently.`,
  sendMoneyYourself: 'This only books the transfer. Send the money yourself.',
};

export const forms = inLanguage({ en });
