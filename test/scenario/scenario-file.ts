// A scenario: a rule as a title and prose, what there is at the start as a list, and tables of what
// happens. The author writes the list and who does what; everything else is what the venue makes of
// it. The examples of the documents are scenarios, too.

export interface Step {
  readonly who: string;
  readonly command: string;
}

export interface Scenario {
  /** Title and prose, as written. */
  readonly head: string;
  /** The items of the list, without the dash. */
  readonly setup: readonly string[];
  readonly steps: readonly Step[];
}

export type Table = readonly (readonly string[])[];

/** A part of a text between empty lines. */
export type Part =
  | { readonly kind: 'prose' | 'setup'; readonly lines: readonly string[] }
  | { readonly kind: 'table'; readonly head: Cells; readonly rows: readonly Cells[] }
  | { readonly kind: 'fence'; readonly info: string };
export type Cells = readonly string[];

export function partsOf(text: string): Part[] {
  return text.split(/\n\n+/).map((block): Part => {
    const lines = block.split('\n');
    if (lines[0].startsWith('|')) {
      const [head, , ...rows] = lines.map(cellsOf);
      return { kind: 'table', head, rows };
    }
    if (lines[0].startsWith('```')) return { kind: 'fence', info: lines[0].slice(3) };
    return { kind: lines[0].startsWith('- ') ? 'setup' : 'prose', lines };
  });
}

const cellsOf = (line: string): Cells =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The items of the lists, without the dash. */
export const setupOf = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => (part.kind === 'setup' ? part.lines.map((line) => line.slice(2)) : []));

/** Reads the parts of a file that its author wrote. */
export function parseScenario(text: string): Scenario {
  const parts = partsOf(text.trim());
  const table = parts.find((part) => part.kind === 'table');
  if (table?.head[0] !== 'who') {
    throw new Error('a scenario has a table that starts with: | who | command |');
  }
  return {
    head: parts
      .flatMap((part) => (part.kind === 'prose' ? [part.lines.join('\n')] : []))
      .join('\n\n'),
    setup: setupOf(parts),
    // A row that only goes on with reports belongs to the one above.
    steps: table.rows.filter(([who]) => who !== '').map(([who, command]) => ({ who, command })),
  };
}

/** The whole file, from its parts and what happened. */
export function renderScenario(scenario: Scenario, tables: readonly Table[]): string {
  const setup = scenario.setup.map((item) => `- ${item}`).join('\n');
  return `${[scenario.head, setup, ...tables.map(renderTable)].filter(Boolean).join('\n\n')}\n`;
}

/** The first row is the heading. Cells are padded, so that the source reads as a table too. */
function renderTable(table: Table): string {
  const widths = table[0].map((_, column) =>
    Math.max(3, ...table.map((row) => row[column].length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [line(table[0]), line(rule), ...table.slice(1).map(line)].join('\n');
}

/** The differing lines in order: `-` expected, `+` got. Empty for equal texts. */
export function difference(expected: string, actual: string): string {
  const theirs = expected.split('\n');
  const ours = actual.split('\n');
  const shown: string[] = [];
  for (let i = 0; i < Math.max(theirs.length, ours.length); i++) {
    if (theirs[i] === ours[i]) continue;
    if (theirs[i] !== undefined) shown.push(`- ${theirs[i]}`);
    if (ours[i] !== undefined) shown.push(`+ ${ours[i]}`);
  }
  return shown.join('\n');
}
