// Chooses the language of the pages. Each page has one file of texts here; a second language adds
// its code to LANGUAGES and its texts to each file, and the type check lists what is missing.
import { languageFor, pluralIn, type Translations } from '../../src/messages/language.ts';

/** Chosen once, when the page loads, so that a text can be a constant of a module. */
export const language = languageFor(globalThis.navigator?.languages ?? []);

/** The texts in the reader's language. */
export const inLanguage = <M>(translations: Translations<M>): M => translations[language];

/** The plural form of an English count: `plural(n, { one: '1 order', other: `${n} orders` })`. */
export const plural = pluralIn('en');

/** An English count and its noun: 1 order, 3 orders. */
export const counted = (count: number, noun: string): string =>
  plural(count, { one: `1 ${noun}`, other: `${count} ${noun}s` });

/** An English interval in days: every day, every 7 days. */
export const everyDays = (count: number): string =>
  count === 1 ? 'every day' : `every ${counted(count, 'day')}`;

/** The label and the description of each field of a form. */
export type FieldTexts<Names extends string = string> = Readonly<
  Record<Names, readonly [label: string, description?: string]>
>;
