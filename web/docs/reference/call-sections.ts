// The calls of customers as sections for the search of the documents.
import type { Section } from '../search.ts';
import { calls } from './spec.ts';

/** createOrderV2 → create order v2. */
const inWords = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

/** The words of other exchanges for a call. */
const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [/^(enter|create)/, 'place send submit create'],
  [/^amend/, 'change edit modify replace'],
];

export function callSections(document: string): readonly Section[] {
  return calls
    .filter(({ access, operation }) => access !== 'operator' && operation.deprecated !== true)
    .map(({ id, method, path, operation }) => {
      const sdk = operation['x-agio-sdk'].split('.').at(-1)!;
      const words = inWords(`${id} ${sdk}`);
      const others = SYNONYMS.flatMap(([verb, more]) => (verb.test(words) ? [more] : []));
      return {
        slug: `api/${id}`,
        document,
        id: '',
        heading: `${sdk}: ${method} ${path}`,
        text: operation.summary.replaceAll('`', ''),
        call: [id, sdk, words, ...others].join(' '),
      };
    });
}
