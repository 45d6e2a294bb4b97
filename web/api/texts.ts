// The answers of the SDK as the pages have them: every number as its text. A page shows ids, times and counts, and uses them as
// keys and in addresses; whoever calculates with one says so where it is used.

/** `T` with texts in the place of its numbers. */
export type Texts<T> = T extends number
  ? number extends T
    ? string
    : `${T}`
  : T extends object
    ? { readonly [K in keyof T]: Texts<T[K]> }
    : T;

export function texts<T>(value: T): Texts<T> {
  return convert(value) as Texts<T>;
}

function convert(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(convert);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(member)]));
}

/** An answer that is on its way. */
export const inTexts = <T>(answer: Promise<T>): Promise<Texts<T>> =>
  answer.then((value) => texts(value));
