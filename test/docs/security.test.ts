// docs/security.md names a test in each of its rows: every one of them exists, under that name, in
// that file; and the requirements are named once each.
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');

/** Rows that name at least one test, with the tests that they name. */
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => ({
    requirement: line.split('|')[1]!.trim(),
    tests: [...line.matchAll(/`([^`]+)` › “([^”]+)”/g)].map(([, file, name]) => ({
      file: file!,
      name: name!,
    })),
  }))
  .filter(({ tests }) => tests.length > 0);

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** True if a test, a check of the contract or the pattern of a table is declared by this name. */
function declares(source: string, name: string): boolean {
  const literal = escaped(name);
  return new RegExp(`[(,]\\s*(['"])${literal}\\1,\\s*(async )?\\(`).test(source);
}

test('every test that docs/security.md names exists', () => {
  const missing = rows
    .flatMap(({ tests }) => tests)
    .filter(({ file, name }) => {
      const path = join(ROOT, file);
      return !(existsSync(path) && declares(readFileSync(path, 'utf8'), name));
    });
  expect(missing).toEqual([]);
});

test('a name that no test has is noticed', () => {
  const source = readFileSync(join(ROOT, rows[0]!.tests[0]!.file), 'utf8');
  expect(declares(source, rows[0]!.tests[0]!.name)).toBe(true);
  expect(declares(source, `${rows[0]!.tests[0]!.name} not`)).toBe(false);
});

test('at least 120 requirements name their test, and none is there twice', () => {
  const names = rows.map(({ requirement }) => requirement);
  expect(names.length).toBeGreaterThanOrEqual(120);
  expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
});
