// docs/earn.md agrees with the core: every example runs here and is compared cell by cell, and each
// figure in the text belongs to an example of its section. AGIO_UPDATE_EXAMPLES=1 writes the
// results into the examples; read the change before you commit it.
import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { difference } from '../scenario/scenario-file.ts';
import { examplesOf, sectionsOf, withExamples } from './earn-document.ts';
import { renderExample } from './earn-tables.ts';

const PATH = join(import.meta.dir, '../../docs/earn.md');
const document = readFileSync(PATH, 'utf8');
const examples = examplesOf(document);

/** A decimal, a fraction, an error of the list, or a whole number of a coin or of percent. */
const FIGURE = /(?<![\w./])(?:\d+\.\d+|\d+\/\d+|400\d\d|\d+(?= (?:USDT|MMX|%)))/g;
const NUMBER = /\d+\/\d+|\d+(?:\.\d+)?/g;

describe('docs/earn.md', () => {
  const rendered = new Map<string, string>();
  for (const { name, text } of examples) {
    test(`example: ${name}`, () => {
      rendered.set(name, renderExample(text));
      if (process.env.AGIO_UPDATE_EXAMPLES === '1') return;
      expect(difference(text, rendered.get(name)!)).toBe('');
    });
  }

  if (process.env.AGIO_UPDATE_EXAMPLES === '1') {
    test('the examples are written', () => {
      writeFileSync(PATH, withExamples(document, rendered));
    });
  }

  test('every marker has its example', () => {
    const markers = document.match(/<!-- example: /g) ?? [];
    expect(examples.length).toBe(markers.length);
    expect(new Set(examples.map(({ name }) => name)).size).toBe(markers.length);
    expect(markers.length).toBeGreaterThanOrEqual(15);
  });

  test('a figure in the text is one of an example of its section', () => {
    const strange = sectionsOf(document).flatMap(({ title, prose, checked }) => {
      const known = new Set(checked.match(NUMBER));
      const figures = prose.match(FIGURE) ?? [];
      return figures.filter((figure) => !known.has(figure)).map((figure) => `${title}: ${figure}`);
    });
    expect(strange).toEqual([]);
  });
});
