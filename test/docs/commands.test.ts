// Every command and configuration that the documents print is accepted as printed: each `agio …`
// parses, each `export AGIO_…` passes the configuration check, and HAProxy accepts its block.
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { CommanderError } from 'commander';
import { forEachCommand } from '../../src/cli/command.ts';
import { commandLine } from '../../src/cli/root.ts';
import { parseDatabaseUrl } from '../../src/cluster/postgres/database-url.ts';
import { ConfigError, loadConfig } from '../../src/config.ts';
import { Place } from '../support/cli.ts';

const ROOT = join(import.meta.dir, '../..');
const FILES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const place = new Place();
afterAll(() => place[Symbol.dispose]());

interface Block {
  readonly file: string;
  readonly kind: string;
  readonly text: string;
}

const blocks: readonly Block[] = FILES.flatMap((file) => {
  const document = readFileSync(join(ROOT, file), 'utf8');
  const found = document.matchAll(/^ *```([^\n]*)\n([\s\S]*?)^ *```$/gm);
  return [...found].map(([, kind, text]) => ({ file, kind: kind!, text: text! }));
});

/** A value for a placeholder, as an operator would put it there. */
const VALUES: Readonly<Record<string, string>> = {
  AGIO_MASTER_KEY: '5a'.repeat(32),
  AGIO_OPERATOR_TOKEN: 'token-of-the-operators',
};

/** The words of each simple command of a line, by the quoting of a shell. */
function commandsOf(line: string): string[][] {
  const commands: string[][] = [[]];
  const token =
    /\s+|(#.*)|(&&|\|\||;|\||&|>>|>|<)|((?:'[^']*'|"[^"]*"|\$\([^)]*\)|[^\s;|&<>'"])+)/y;
  for (let at = 0; at < line.length; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(line);
    if (found === null) break;
    const [, comment, operator, word] = found;
    if (comment !== undefined) break;
    if (operator !== undefined) commands.push([]);
    if (word !== undefined) commands.at(-1)!.push(word.replaceAll(/['"]/g, ''));
  }
  return commands;
}

interface PrintedCommand {
  readonly file: string;
  readonly words: readonly string[];
}

/** The commands in blocks of a shell, and those after a prompt. */
const printed: readonly PrintedCommand[] = blocks.flatMap(({ file, kind, text }) => {
  // The reference of the API defines a shell function with the name of the program.
  if (/^agio\(\)/m.test(text)) return [];
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  const typed = kind.startsWith('sh')
    ? lines
    : lines.filter((line) => /^ *\$ /.test(line)).map((line) => line.replace(/^ *\$ /, ''));
  return typed.flatMap(commandsOf).map((words) => ({ file, words }));
});

const isAssignment = (word: string): boolean => /^[A-Z_]+=/.test(word);

/** The arguments of an `agio …`, without the variables and the npx before it. */
function argumentsOf(words: readonly string[]): readonly string[] | null {
  const rest = words.slice(words.findIndex((word) => !isAssignment(word)));
  const [program, ...args] = rest[0] === 'npx' ? rest.slice(1) : rest;
  const isCall = args[0] === 'GET' || args[0] === 'POST';
  return program === 'agio' && !isCall ? args : null;
}

const invocations = printed.flatMap(({ file, words }) => {
  const args = argumentsOf(words);
  return args === null ? [] : [{ file, line: `agio ${args.join(' ')}`, args }];
});

const assigned = printed.flatMap(({ file, words }) =>
  words.filter((word) => word.startsWith('AGIO_')).map((word) => ({ file, word })),
);

const environmentOf = (word: string): Record<string, string> => {
  const [name, ...rest] = word.split('=');
  const value = rest
    .join('=')
    .replaceAll(/\$\([^)]*\)|\$\w+|…|^MASTER_KEY$/g, VALUES[name!] ?? 'secret');
  return { [name!]: value };
};

/** The problems that the check finds in these settings, and not those of settings elsewhere. */
function problemsOf(argv: readonly string[], env: Record<string, string>): readonly string[] {
  try {
    loadConfig({ argv: argv.filter((word) => word !== '…'), env });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.filter(
      (problem) => !/^(Production|A node of a cluster) needs /.test(problem),
    );
  }
}

test('the documents print commands', () => {
  expect(invocations.length).toBeGreaterThan(60);
  expect(assigned.length).toBeGreaterThan(15);
});

const root = await commandLine();

describe('each command is accepted', () => {
  forEachCommand(root, (command) => {
    command.exitOverride().configureOutput({ writeErr: () => {} });
    if (command.commands.length === 0) command.action(() => {});
  });

  test.each(invocations)('$file: $line', async ({ args }) => {
    const [name = '', ...rest] = args;
    if (name === 'start' || name === 'config') {
      expect(
        problemsOf(
          rest.filter((word) => word !== '--json'),
          {},
        ),
      ).toEqual([]);
      return;
    }
    const error = await root.parseAsync([...args], { from: 'user' }).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error instanceof CommanderError ? error.message : error).toBeNull();
  });
});

describe('each variable passes the configuration check', () => {
  test.each(assigned)('$file: $word', ({ word }) => {
    expect(problemsOf([], environmentOf(word))).toEqual([]);
  });

  test.each(assigned.filter(({ word }) => word.startsWith('AGIO_DATABASE_URL=')))(
    '$file: a node can use $word',
    ({ word }) => {
      const certificates = place.path('db-ca.pem');
      writeFileSync(certificates, rootCertificates[0]!);
      const url = environmentOf(word).AGIO_DATABASE_URL!;
      const own = url.replace(/sslrootcert=[^&]*/, `sslrootcert=${certificates}`);
      expect(parseDatabaseUrl(own).database).toBe('agio');
    },
  );
});

const HAPROXY = Bun.which('haproxy', { PATH: `${process.env.PATH}:/usr/sbin` });
if (HAPROXY === null) {
  console.warn('HAProxy was not found (Debian: `haproxy`): its configuration is not checked.');
}

const balancers = blocks.filter(({ text }) => /^backend /m.test(text));

test('the documents print a load balancer', () => expect(balancers).not.toEqual([]));

test.skipIf(HAPROXY === null).each(balancers)('HAProxy accepts its block of $file', ({ text }) => {
  const folder = place.path('haproxy');
  mkdirSync(folder, { recursive: true });
  const [pem, key, file] = ['agio.pem', 'agio.key', 'haproxy.cfg'].map((name) =>
    join(folder, name),
  );
  const subject = ['-subj', '/CN=agio.example.com', '-nodes', '-days', '1'];
  const made = Bun.spawnSync([
    'openssl',
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    ...subject,
    '-keyout',
    key!,
    '-out',
    pem!,
  ]);
  expect(made.exitCode).toBe(0);
  writeFileSync(pem!, readFileSync(pem!, 'utf8') + readFileSync(key!, 'utf8'));
  writeFileSync(file!, text.replaceAll(/crt \S+/g, `crt ${pem}`));
  const checked = Bun.spawnSync([HAPROXY!, '-c', '-f', file!]);
  expect(checked.stderr.toString() + checked.stdout.toString()).not.toMatch(/ALERT|WARNING/);
  expect(checked.exitCode).toBe(0);
});
