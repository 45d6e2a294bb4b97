// Parses docs/earn.md: its sections, and its examples between markers. An example is a list of the
// set-up, tables of steps and results, and sometimes a fenced answer. The author writes the list,
// the steps, and the first column of some tables; the core computes the rest (earn-venue.ts).

/** It is rendered again from its own words, so that a test sees each difference. */
export interface Example {
  readonly name: string;
  /** The text between the markers. */
  readonly text: string;
}

export type Part =
  | { readonly kind: 'prose' | 'setup'; readonly lines: readonly string[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: Cells[] }
  | { readonly kind: 'fence'; readonly info: string };
export type Cells = readonly string[];

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

export const examplesOf = (document: string): Example[] =>
  [...document.matchAll(EXAMPLE)].map(([, name, text]) => ({ name: name!, text: text! }));

/** The document with the rendered examples. */
export const withExamples = (document: string, rendered: ReadonlyMap<string, string>): string =>
  document.replace(
    EXAMPLE,
    (_, name: string) => `<!-- example: ${name} -->\n\n${rendered.get(name)}\n\n<!-- end -->`,
  );

/** The rows of a table that has its own marker and test. */
export function tableNamed(document: string, name: string): Cells[] {
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

export function partsOf(text: string): Part[] {
  return text.split(/\n\n+/).map((block): Part => {
    const lines = block.split('\n');
    if (lines[0]!.startsWith('|')) {
      const [head, , ...rows] = lines.map(cellsOf);
      return { kind: 'table', head: head!, rows };
    }
    if (lines[0]!.startsWith('```')) return { kind: 'fence', info: lines[0]!.slice(3) };
    return { kind: lines[0]!.startsWith('- ') ? 'setup' : 'prose', lines };
  });
}

const cellsOf = (line: string): Cells =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
