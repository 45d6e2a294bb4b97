// A scenario file: a rule as a title and prose, what there is at the start as a list, and tables of
// what happens. The author writes the first two columns of the first table; everything else is what
// the venue makes of it.

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

/** Reads the parts of a file that its author wrote. */
export function parseScenario(text: string): Scenario {
  const lines = text.split('\n');
  const list = lines.findIndex((line) => line.startsWith('- '));
  const table = lines.findIndex((line) => line.startsWith('| who '));
  if (table < 0) throw new Error('a scenario has a table that starts with: | who | command |');
  const headEnd = list >= 0 && list < table ? list : table;
  const rows: Step[] = [];
  for (const line of lines.slice(table + 2)) {
    if (!line.startsWith('|')) break;
    const [who, command] = line
      .split('|')
      .slice(1, 3)
      .map((cell) => cell.trim());
    // A row that only goes on with reports belongs to the one above.
    if (who !== '') rows.push({ who, command });
  }
  return {
    head: lines.slice(0, headEnd).join('\n').trim(),
    setup: lines
      .slice(headEnd, table)
      .flatMap((line) => (line.startsWith('- ') ? line.slice(2) : [])),
    steps: rows,
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
