// The runbook pages of docs/operating.md work as printed: the test runs every command of a block
// marked `runbook` against a sandbox, with its own user, key and folders in place of the page's.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agio, Sandbox, wordsOf } from '../support/cli.ts';

const document = readFileSync(join(import.meta.dir, '../../docs/operating.md'), 'utf8');
const sandbox = Sandbox.forFile();

/** The commands that the page prints, as words. */
function commandsOf(title: string): string[][] {
  const page = document.split(`\n## ${title}\n`)[1]!.split('\n## ')[0]!;
  const blocks = [...page.matchAll(/```sh runbook\n([\s\S]*?)```/g)];
  return blocks
    .flatMap(([, block]) => block!.trim().split('\n'))
    .map((line) => wordsOf(line.replace(/^runuser -u agio -- /, '')).slice(1));
}

/** Runs the page's commands; each has to succeed. Returns the output of each. */
async function follow(title: string, words: Readonly<Record<string, string>>): Promise<string[]> {
  const printed: string[] = [];
  for (const command of commandsOf(title)) {
    const args = command.map((word) => words[word] ?? word);
    const own = args.includes('--data') ? [] : ['--data', sandbox.data];
    const env = { AGIO_MASTER_KEY: readFileSync(join(sandbox.data, 'master.key'), 'utf8').trim() };
    const { code, stdout, stderr } = await agio([...args, ...own], { env });
    expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
    printed.push(stdout);
  }
  return printed;
}

test('an attacker in a customer’s account', async () => {
  const demo = sandbox.access.demo!;
  const csv = sandbox.place.path('case-4711.csv');
  const backup = sandbox.place.path('case-4711');
  const printed = await follow("Someone is in a customer's account", {
    '7': String(demo.uid),
    KEY: demo.apiKey,
    'ada@example.com': demo.email,
    '/mnt/backup/case-4711': backup,
    '/mnt/backup/case-4711.csv': csv,
  });
  const all = printed.join('\n');
  expect(printed[0]).toContain(demo.email);
  expect(printed[1]).toMatch(/^status +suspended$/m);
  expect(printed[3]).toMatch(/^BTC +\d+ +0 /m);
  expect(printed[5]).toContain(demo.apiKey);
  expect(all).toContain('is a backup of');
  expect(readFileSync(csv, 'utf8')).toContain('credit,BTC,10');
  expect(printed.at(-1)).toMatch(/^status +active$/m);
});

test('stop or delist a pair', async () => {
  const [halted, canceled] = await follow('Stop or delist a pair', {});
  expect(halted).toMatch(/^instrumentStatus +HALTED$/m);
  expect(canceled).toMatch(/^remaining +0$/m);
});
