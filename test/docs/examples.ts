// The examples and the checked tables of a document, between markers. An example is a scenario; the
// author writes its list, its steps, and the first column of some tables, and the core computes the
// rest.
import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cells, difference, partsOf } from '../scenario/scenario-file.ts';

export interface Section {
  readonly title: string;
  /** Without examples, tables that have their own markers, and code. */
  readonly prose: string;
  /** The rest. */
  readonly checked: string;
}

const EXAMPLE = /<!-- example: (.+) -->\n\n([\s\S]*?)\n\n<!-- end -->/g;
const TABLE = /<!-- table: (.+) -->\n\n([\s\S]*?)\n\n<!-- end -->/g;
const CODE = /```[\s\S]*?```|`[^`\n]*`/g;

const isUpdate = process.env.AGIO_UPDATE_EXAMPLES === '1';

/**
 * Renders each example again from its own words and compares it cell by cell.
 * AGIO_UPDATE_EXAMPLES=1 writes the results into the document instead; read the change before you
 * commit it.
 */
export function testExamples(
  name: string,
  render: (text: string) => string,
  minExamples: number,
): string {
  const path = join(import.meta.dir, '../../docs', name);
  const document = readFileSync(path, 'utf8');
  const examples = [...document.matchAll(EXAMPLE)];
  const rendered = new Map<string, string>();
  for (const [, example, text] of examples) {
    test(`example: ${example}`, () => {
      rendered.set(example, render(text));
      if (!isUpdate) expect(difference(text, rendered.get(example)!)).toBe('');
    });
  }

  if (isUpdate) {
    test('the examples are written', () => {
      const example = (_: string, title: string) =>
        `<!-- example: ${title} -->\n\n${rendered.get(title)}\n\n<!-- end -->`;
      writeFileSync(path, document.replace(EXAMPLE, example));
    });
  }

  test('every marker has its example', () => {
    const markers = document.match(/<!-- example: /g) ?? [];
    expect(new Set(examples.map(([, example]) => example)).size).toBe(markers.length);
    expect(markers.length).toBeGreaterThanOrEqual(minExamples);
  });
  return document;
}

/** The rows of a table that has its own marker and test. */
export function tableNamed(document: string, name: string): readonly Cells[] {
  for (const [, found, text] of document.matchAll(TABLE)) {
    if (found !== name) continue;
    const [part] = partsOf(text!);
    if (part?.kind === 'table') return part.rows;
  }
  throw new Error(`docs/earn.md has no table "${name}"`);
}

/** Split at the headings. */
export function sectionsOf(document: string): Section[] {
  return document.split(/^(?=##)/m).map((text) => {
    const checked = [...text.matchAll(EXAMPLE), ...text.matchAll(TABLE)].map(([, , body]) => body);
    const prose = text.replace(EXAMPLE, '').replace(TABLE, '').replace(CODE, '');
    return { title: text.slice(0, text.indexOf('\n')), prose, checked: checked.join('\n') };
  });
}
