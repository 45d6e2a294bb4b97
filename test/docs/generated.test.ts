// The documents agree with the program: generated parts are what the code says today, and every
// call has its place in the API's document.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { generatedDocuments } from '../../docs/generate.ts';
import { routes } from '../../src/gateway/routes/routes.ts';

for (const [path, text] of generatedDocuments()) {
  test(`docs/${basename(path)} is up to date; "npm run gen" writes it`, () => {
    expect(readFileSync(path, 'utf8') === text).toBe(true);
  });
}

test('docs/rest.md describes every call', () => {
  const text = readFileSync(join(import.meta.dir, '../../docs/rest.md'), 'utf8');
  const missing = routes
    .map(({ method, path }) => `${method} ${path}`)
    .filter((call) => !text.includes(call));
  expect(missing).toEqual([]);
});
