// Parts of generated TypeScript: the head of a file, doc comments, literals and imports.

const MAX_COLUMNS = 100;

export const head = (about: string): string => `// ${about}
// Generated from the descriptions in src/contract; edit those, not this file.
`;

/** A doc comment, wrapped; nothing for an empty text. */
export function comment(text: string, indent = ''): string {
  if (text === '') return '';
  const line = `${indent}/** ${text} */`;
  if (line.length <= MAX_COLUMNS) return `${line}\n`;
  const lines = wrap(text, MAX_COLUMNS - indent.length - ' * '.length);
  return `${indent}/**\n${lines.map((each) => `${indent} * ${each}\n`).join('')}${indent} */\n`;
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    const longer = last === '' ? word : `${last} ${word}`;
    if (last !== '' && longer.length > columns) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

export const literal = (value: string | number | boolean | null): string =>
  typeof value === 'string' ? `'${value}'` : String(value);

export const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

/** An item type that is a union has to stand in brackets. */
export const arrayOf = (item: string): string => (item.includes(' ') ? `(${item})[]` : `${item}[]`);

/** Imports of types by the module that declares them, as the generated files name it. */
export class Imports {
  readonly #names = new Map<string, Set<string>>();

  add(file: string, name: string): void {
    this.#names.set(file, (this.#names.get(file) ?? new Set()).add(name));
  }

  /** `own`: the module that imports. */
  text(own: string): string {
    return [...this.#names]
      .filter(([file]) => file !== own)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([file, names]) => `import type { ${[...names].sort().join(', ')} } from '${file}';\n`)
      .join('');
  }
}
