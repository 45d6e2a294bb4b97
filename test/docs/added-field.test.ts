// The change that CONTRIBUTING.md shows for a new field of an order, applied to a copy of the
// source: the field goes from the request to the journal, the report, the history and the stream.
import { expect, test } from 'bun:test';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Place } from '../support/cli.ts';
import { ROOT, run } from '../support/program.ts';

/** The source and what it imports. */
const COPIED = ['src', 'docs', 'package.json', 'tsconfig.json', 'test/support'];
const MAX_FILES = 3;

async function ranIn(cwd: string, command: readonly string[], stdin = ''): Promise<string> {
  const { BUN_OPTIONS: _, ...env } = process.env;
  const { stdout, ...ended } = await run(command, { cwd, env, stdin });
  expect(ended).toMatchObject({ code: 0 });
  return stdout;
}

test('a field of an order is added in three files', async () => {
  using place = new Place();
  const copy = place.path('copy');
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const patch = `${/```patch\n(.*?)\n```/s.exec(text)![1]}\n`;
  expect(patch.match(/^diff /gm)!.length).toBeLessThanOrEqual(MAX_FILES);
  await ranIn(copy, ['git', 'apply', '--recount', '-'], patch);
  cpSync(
    join(import.meta.dir, 'added-field-process.ts'),
    join(copy, 'test/docs/added-field-process.ts'),
  );
  const found = JSON.parse(
    await ranIn(copy, [process.execPath, 'test/docs/added-field-process.ts']),
  );
  expect(found).toEqual({ answered: 200, read: 7, restarted: 7, other: null, streamed: 7 });
});
