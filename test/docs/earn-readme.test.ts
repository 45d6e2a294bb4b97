// examples/earn.ts prints on a sandbox what the README shows, and `agio verify` then prints what
// docs/earn.md shows of its interest.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { difference } from '../scenario/scenario-file.ts';
import { agio, Place, Server } from '../support/cli.ts';
import { outputOf, ROOT } from '../support/program.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const runExample = (data: string): Promise<string> =>
  outputOf([process.execPath, 'examples/earn.ts', data]);

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
