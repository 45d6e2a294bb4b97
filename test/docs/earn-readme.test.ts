// examples/earn.ts prints on a sandbox what the README shows, and `agio verify` then prints what
// docs/earn.md shows of its interest.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { difference } from '../scenario/scenario-file.ts';
import { agio, Place, Server } from '../support/cli.ts';

const ROOT = join(import.meta.dir, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

async function runExample(data: string): Promise<string> {
  const child = Bun.spawn([process.execPath, 'examples/earn.ts', data], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect({ code: await child.exited, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Dates follow the calendar, and milliseconds the machine. */
const withoutTimes = (text: string): string =>
  text.replace(/\b\d{4}-\d\d-\d\d\b/g, 'DATE').replace(/\b\d+ ms\b/g, 'TIME');

test('examples/earn.ts and verify print what the documents show', async () => {
  using place = new Place();
  const data = place.path('data');
  await using server = await Server.start(['--data', data]);
  const text = /npx bun examples\/earn\.ts\n```\n```\n([\s\S]*?)```/.exec(read('README.md'))?.[1];
  const printed = await runExample(data);
  expect(difference(withoutTimes(text ?? ''), withoutTimes(printed))).toBe('');
  expect(await runExample(data)).toContain('subscription 2: to its end');

  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
  const verified = await agio(['verify', '--data', data]);
  expect(verified.code).toBe(0);
  const proof = /^✓ interest .*$/m.exec(read('docs/earn.md'))?.[0];
  expect(verified.stdout.split('\n')).toContain(proof!);
});
