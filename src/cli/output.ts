// What commands print: lines, tables for people, JSON for programs, and a line that moves while
// long work goes on.

import { writeSync } from 'node:fs';

const STDOUT = 1;
const STDERR = 2;

export function print(line = ''): void {
  tell(STDOUT, line);
}

/** For what is no result: problems, and hints that would be in the way of a pipe. */
export function printError(line: string): void {
  tell(STDERR, line);
}

/** A reader that is gone ends nothing: what is done goes on, and its exit code tells the rest. */
function tell(descriptor: number, line: string): void {
  try {
    writeText(descriptor, `${line}\n`);
  } catch {
    // Nobody is there to be told.
  }
}

/**
 * At once, so that the last word of a process that ends is not lost, and to the last byte: a pipe whose reader is slow refuses for a
 * moment. Throws what the system says otherwise, such as EPIPE.
 */
export function writeText(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Bun.sleepSync(1);
    }
  }
}

/** A column whose cells are all numbers is set to the right. */
const NUMBER = /^[-–]?[\d,.]*%?$/;

/** Rows under headings, in columns as wide as their widest cell. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = headings.map((heading, at) => {
    const cells = rows.map((row) => row[at] ?? '');
    return {
      width: Math.max(...[heading, ...cells].map((cell) => Bun.stringWidth(cell))),
      right: cells.length > 0 && cells.every((cell) => NUMBER.test(cell)),
    };
  });
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => {
        const { width, right } = columns[at]!;
        const space = ' '.repeat(width - Bun.stringWidth(cell));
        return right ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd();
  return [line(headings), ...rows.map(line)].join('\n');
}

/** The widest terminal that nobody has to widen for. */
const LINE_WIDTH = 96;

/** Words in lines that begin with `indent`. */
export function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length > indent.length && line.length + word.length >= LINE_WIDTH) {
      lines.push(line);
      line = indent;
    }
    line += line.length > indent.length ? ` ${word}` : word;
  }
  return [...lines, line].join('\n');
}

/** 1234567 as 1,234,567. */
export const grouped = (n: number): string => n.toLocaleString('en-US');

/** How often a progress line is drawn: smooth enough to watch, and no cost. */
const DRAW_EVERY_MS = 100;

/**
 * One line on the terminal that says how far long work is; nothing where errors are not read by a
 * person.
 */
export class Progress {
  readonly #shown = process.stderr.isTTY === true;
  #drawnAt = 0;
  #drawn = false;

  update(text: () => string): void {
    if (!this.#shown) return;
    const now = performance.now();
    if (now - this.#drawnAt < DRAW_EVERY_MS) return;
    this.#drawnAt = now;
    this.#drawn = true;
    process.stderr.write(`\r\x1b[K  ${text()}`);
  }

  clear(): void {
    if (this.#drawn) process.stderr.write('\r\x1b[K');
    this.#drawn = false;
  }
}
