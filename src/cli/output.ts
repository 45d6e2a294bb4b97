// The output of commands: lines, tables, and a progress line for long work.
import { writeSync } from 'node:fs';
import { Help } from 'commander';

const STDOUT = 1;
const STDERR = 2;

export function print(line = ''): void {
  write(STDOUT, line);
}

/** For problems and hints, which are not part of the result. */
export function printError(line: string): void {
  write(STDERR, line);
}

/** A reader that has closed the pipe does not end the command. */
function write(descriptor: number, line: string): void {
  try {
    writeText(descriptor, `${line}\n`);
  } catch {
    // The exit code still tells the result.
  }
}

/**
 * Writes synchronously and completely, so the last line of a process is not lost. Waits while the
 * pipe of a slow reader is full. Throws other errors of the system, such as EPIPE.
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

/** A column of such cells is aligned to the right. */
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

/** Fits a terminal of usual width. */
const LINE_WIDTH = 96;

/** Words in lines that begin with `indent`. */
export const wrapped = (text: string, indent: string): string =>
  new Help()
    .boxWrap(text, LINE_WIDTH - indent.length)
    .split('\n')
    .map((line) => indent + line)
    .join('\n');

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

  [Symbol.dispose](): void {
    this.clear();
  }
}
