// Tables in Markdown, for the documents that are generated.

/** A cell's text stays in its cell: a bar would end it, a line break the row. */
const cell = (value: string | number): string =>
  String(value).replaceAll('|', '\\|').replaceAll('\n', ' ');

export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
