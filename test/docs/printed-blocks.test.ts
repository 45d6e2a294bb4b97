// Every block of a shell that the documents print is typed by a test, or is here with the reason
// why no test can type it.
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/program.ts';

/** By the words after `sh` at the beginning of a block: the test that types these blocks. */
const TYPED: Readonly<Record<string, string>> = {
  laptop: 'test/docs/cluster.test.ts',
  terminal: 'test/docs/cluster.test.ts',
  'laptop stop': 'test/docs/cluster.test.ts',
  certificates: 'test/faults/production.ts',
  '/etc/default/etcd': 'test/faults/production.ts',
  migrate: 'test/faults/production.ts',
  '/etc/agio/secrets.env': 'test/faults/production.ts',
  'stop the old primary': 'test/faults/old-primary.test.ts',
  'promote the standby': 'test/faults/old-primary.test.ts',
  'copy the new primary': 'test/faults/old-primary.test.ts',
  'start the new standby': 'test/faults/old-primary.test.ts',
  'synchronous again': 'test/faults/old-primary.test.ts',
  'next role rights': 'test/faults/production.test.ts',
  'next role on a node': 'test/faults/production.test.ts',
  runbook: 'test/cli/runbook.test.ts',
  root: 'test/docs/production.test.ts',
  user: 'test/docs/production.test.ts',
  owner: 'test/docs/production.test.ts',
  stopped: 'test/docs/production.test.ts',
  cron: 'test/docs/production.test.ts',
};

/** By the beginning of a block without such words: the test that types it, or why none does. */
const OTHERS: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'the tests run in a checkout after npm ci',
  "curl -s 'http://127.0.0.1:8080/market-data-server": 'test/docs/first-run.test.ts',
  'sandbox() {': 'test/docs/first-run.test.ts',
  'npx bun -e "const s = new WebSocket': 'test/docs/first-run.test.ts',
  'npx bun examples/earn.ts': 'test/docs/first-run.test.ts',
  'npx agio instrument amend BTC-USDT --status HALTED\nnpx': 'test/docs/first-run.test.ts',
  'npm run gen': 'rewrites the checkout',
  "{ printf '\\060\\056": 'test/docs/first-run.test.ts',
  'npm pack ../agio/dist/ccxt': 'npm install asks a registry for ccxt',
  'npx bun examples/bot-first.ts': 'test/ccxt/examples.test.ts',
  'agio cluster status  ': 'needs the three machines that the page describes',
  'agio cluster migrate --role agio_node ': 'needs two releases',
  'agio cluster forget agio-3': 'needs a node that was lost',
  'runuser -u agio -- agio backup /mnt/backup/monday --data': 'test/cli/cluster.test.ts',
  'systemctl stop agio\nrunuser -u agio -- agio journal copy': 'test/cli/journal-copy.test.ts',
  'AGIO_MASTER_KEY=… runuser -u agio -- agio journal copy': 'test/cli/journal-copy.test.ts',
  'npm ci\nnpm start': 'the tests run in a checkout after npm ci',
  'agio income': 'needs income of months; test/cli/operating.test.ts runs each command',
  'agio enterprise create': 'the numbers are those of an example; test/cli/operating.test.ts',
  'runuser -u agio -- agio start --production --accept-unowned': 'test/cli/start.test.ts',
  'agio verify  ': 'the heads are those of an example; test/cli/offline.test.ts',
  'AGIO_KEY=…': 'needs the server of a reader; test/conformance/conformance.test.ts',
  'AGIO_MASTER_KEY=$NEW,$OLD': 'test/security/tampering.test.ts changes the key',
  'agio bench': 'loads the machine for 20 seconds; test/cli/bench.test.ts',
  'runuser -u agio -- agio backup /mnt/backup/before-upgrade': 'needs another release',
  'URL=http://127.0.0.1:8080': 'test/docs/first-run.test.ts',
  'curl -s -X POST http://127.0.0.1:8080/operator': 'test/docs/first-run.test.ts',
  'npm pack ../agio/dist/sdk': 'test/sdk/built.test.ts',
};

interface Block {
  readonly file: string;
  readonly kind: string;
  /** The first line. */
  readonly title: string;
  readonly text: string;
}

const FILES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const blocks = FILES.flatMap((file): Block[] =>
  [
    ...readFileSync(join(ROOT, file), 'utf8').matchAll(/^ *```sh *([^\n]*)\n([\s\S]*?)^ *```$/gm),
  ].map(([, kind, text]) => {
    const [title = ''] = text!.trim().split('\n');
    return { file, kind: kind!, title, text: text!.trim() };
  }),
);

const entryOf = ({ text }: Block): string | undefined =>
  Object.keys(OTHERS).find((start) => text.startsWith(start));

test('the documents print blocks', () => expect(blocks.length).toBeGreaterThan(60));

test.each(blocks)('$file: $title', (block) => {
  if (block.kind !== '') expect(Object.keys(TYPED)).toContain(block.kind);
  else expect(entryOf(block)).toBeString();
});

test('no entry is without its block or its test', () => {
  const kinds = new Set(blocks.map(({ kind }) => kind));
  expect(Object.keys(TYPED).filter((kind) => !kinds.has(kind))).toEqual([]);
  const starts = new Set(blocks.filter(({ kind }) => kind === '').map(entryOf));
  expect(Object.keys(OTHERS).filter((start) => !starts.has(start))).toEqual([]);
  const named = [...Object.values(TYPED), ...Object.values(OTHERS)].flatMap(
    (text) => /test\/\S+\.ts/.exec(text) ?? [],
  );
  for (const file of new Set(named)) expect(readFileSync(join(ROOT, file), 'utf8')).not.toBe('');
});
