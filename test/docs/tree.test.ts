// The sizes in docs/architecture.md are those of the tree, about.
import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
const ROW = /^\| `((?:src|web|test|bench)[^`]*)` \|.*\| ([\d.]+) \|$/gm;
/** A size that is this much off is corrected with the change that made it so. */
const TOLERANCE = 0.15;

const rows = [...readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').matchAll(ROW)].map(
  ([, folder, size]) => [folder!, Number(size)] as const,
);

function thousandsOf(folder: string): number {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('generated/'))
    .filter((name) => folder === 'test' || !/\.test\.tsx?$/.test(name));
  const linesOf = (name: string) =>
    readFileSync(join(ROOT, folder, name), 'utf8').split('\n').length;
  return files.reduce((sum, name) => sum + linesOf(name) - 1, 0) / 1000;
}

test.each(rows)('%s has its size', (folder, size) => {
  const actual = thousandsOf(folder);
  expect(actual).toBeWithin(size * (1 - TOLERANCE), size * (1 + TOLERANCE) + 0.1);
});

test('every folder of more than a thousand lines has a row', () => {
  const folders = ['src', 'web'].flatMap((parent) =>
    readdirSync(join(ROOT, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${parent}/${name}`),
  );
  const large = folders.filter(
    (folder) => existsSync(join(ROOT, folder)) && thousandsOf(folder) > 1,
  );
  expect(rows.map(([folder]) => folder)).toEqual(expect.arrayContaining(large));
});
