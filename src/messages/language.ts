// The languages of the texts for people: screens (web/messages) and emails. It owns the choice of a
// language and its plural rules; the texts stand beside the code that shows them.

/** The languages that every text exists in, as BCP 47 names them; the first one is the default. */
export const LANGUAGES = ['en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** One text, or one object of texts, in each language: a missing language is a type error. */
export type Translations<M> = Readonly<Record<Language, M>>;

/** The first language of `preferred` (such as `de-CH`, most preferred first) that exists here. */
export function languageFor(preferred: readonly string[]): Language {
  const primary = preferred.map((tag) => tag.split('-')[0]!.toLowerCase());
  const known = primary.flatMap((tag) => LANGUAGES.filter((language) => language === tag));
  return known[0] ?? LANGUAGES[0];
}

/** A text for each plural form that a language has; English has `one` and `other`. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string;
};

/** Chooses the plural form of a language: `plural(n, { one: '1 order', other: `${n} orders` })`. */
export function pluralIn(language: Language): (n: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(language);
  return (n, forms) => forms[rules.select(n)] ?? forms.other;
}
