// The runbook pages of docs/operating.md work as printed: every command of a block marked `runbook`
// is run against a sandbox, with the user, the key and the folders of this test in place of the
// page's.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agio, Place, readSandbox, Server } from '../support/cli.ts';

const document = readFileSync(join(import.meta.dir, '../../docs/operating.md'), 'utf8');

let place: Place;
let data: string;
let server: Server;

beforeAll(async () => {
  place = new Place();
  data = place.path('data');
  server = await Server.start(['--data', data]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  place[Symbol.dispose]();
});

/** The commands that the page prints, as words; quotes are not a part of a word. */
function commandsOf(title: string): string[][] {
  const page = document.split(`\n## ${title}\n`)[1]!.split('\n## ')[0]!;
  const blocks = [...page.matchAll(/```sh runbook\n([\s\S]*?)```/g)];
  const lines = blocks.flatMap(([, block]) => block!.trim().split('\n'));
  return lines.map((line) =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].slice(1).map(([, quoted, word]) => quoted ?? word!),
  );
}

/** Runs the page's commands; each has to succeed. Returns what each printed. */
async function follow(title: string, words: Readonly<Record<string, string>>): Promise<string[]> {
  const printed: string[] = [];
  for (const command of commandsOf(title)) {
    const args = command.map((word) => words[word] ?? word);
    const own = args.includes('--data') ? [] : ['--data', data];
    const env = { AGIO_MASTER_KEY: readFileSync(join(data, 'master.key'), 'utf8').trim() };
    const { code, stdout, stderr } = await agio([...args, ...own], { env });
    expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
    printed.push(stdout);
  }
  return printed;
}

test('someone is in a customer’s account', async () => {
  const demo = readSandbox(data).demo!;
  const csv = place.path('case-4711.csv');
  const backup = place.path('case-4711');
  const printed = await follow("Someone is in a customer's account", {
    '7': String(demo.uid),
    KEY: demo.apiKey,
    'ada@example.com': demo.email,
    '/mnt/backup/case-4711': backup,
    'case-4711.csv': csv,
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
