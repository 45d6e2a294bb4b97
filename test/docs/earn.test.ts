// docs/earn.md agrees with the core and the naive model: every example runs here, and each figure
// in the text belongs to an example of its section.
import { describe, expect, test } from 'bun:test';
import { renderExample } from '../scenario/earn-report.ts';
import { sectionsOf, testExamples } from './examples.ts';

/** A decimal, a fraction, an error of the list, or a whole number of a coin or of percent. */
const FIGURE = /(?<![\w./])(?:\d+\.\d+|\d+\/\d+|400\d\d|\d+(?= (?:USDT|MMX|%)))/g;
const NUMBER = /\d+\/\d+|\d+(?:\.\d+)?/g;

describe('docs/earn.md', () => {
  const document = testExamples('earn.md', renderExample, 15);

  test('a figure in the text is one of an example of its section', () => {
    const strange = sectionsOf(document).flatMap(({ title, prose, checked }) => {
      const known = new Set(checked.match(NUMBER));
      const figures = prose.match(FIGURE) ?? [];
      return figures.filter((figure) => !known.has(figure)).map((figure) => `${title}: ${figure}`);
    });
    expect(strange).toEqual([]);
  });
});
