// Help, and what the command line does not know: every command explains itself with examples, and
// nothing is ignored.
import { expect, test } from 'bun:test';
import packageJson from '../../package.json' with { type: 'json' };
import type { About } from '../../src/cli/command.ts';
import { root } from '../../src/cli/root.ts';
import { agio } from '../support/cli.ts';

interface Definition {
  readonly meta?: unknown;
  readonly subCommands?: unknown;
}

/** Every command by the words that name it. */
function* commands(definition: Definition, words: readonly string[]): Generator<[string[], About]> {
  yield [[...words], definition.meta as About];
  const children = (definition.subCommands ?? {}) as Readonly<Record<string, Definition>>;
  for (const [name, child] of Object.entries(children)) yield* commands(child, [...words, name]);
}

const ALL = [...commands(root as Definition, [])];

const GROUPS = new Set(
  Object.entries(root.subCommands as Readonly<Record<string, Definition>>)
    .filter(([, { subCommands }]) => subCommands !== undefined)
    .map(([name]) => name),
);

test('the commands of the design are there', () => {
  const names = new Set(ALL.map(([words]) => words[0]));
  for (const name of [
    'start',
    'verify',
    'conformance',
    'replay',
    'snapshot',
    'bench',
    'user',
    'key',
    'credit',
    'debit',
    'plan',
  ]) {
    expect(names).toContain(name);
  }
  for (const name of [
    'asset',
    'instrument',
    'enterprise',
    'export',
    'backup',
    'audit',
    'head',
    'clock',
    'config',
  ]) {
    expect(names).toContain(name);
  }
});

test('every command has a sentence, and every one that does something an example', () => {
  for (const [words, about] of ALL) {
    expect({ words, description: about.description }).toMatchObject({
      words,
      description: expect.stringMatching(/^[A-Z].{10,}/),
    });
    // A group does nothing itself.
    if (words.length === 1 && GROUPS.has(words[0]!)) continue;
    expect({ words, examples: about.examples.length }).not.toMatchObject({ examples: 0 });
    for (const example of about.examples) expect(example).toContain(`agio ${words[0] ?? ''}`);
  }
});

test.each([
  [['--help']],
  [['user', '--help']],
  [['user', 'create', '--help']],
  [['plan', 'create', '--help']],
  [['plan', 'edit', '--help']],
  [['enterprise', '--help']],
  [['start', '-h']],
  [['config', '--help']],
])('agio %j explains and ends with 0', async (args) => {
  const { code, stdout, stderr } = await agio(args, { env: { FORCE_COLOR: '1' } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('USAGE');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escapes of colours are looked for.
  expect(stdout).not.toMatch(/\u001b/);
  for (const line of stdout.split('\n')) expect(line.trimEnd().length).toBeLessThanOrEqual(120);
});

test('help of start and config names every setting', async () => {
  const { stdout } = await agio(['start', '--help']);
  for (const name of ['--port PORT, AGIO_PORT', 'AGIO_MASTER_KEY', '--no-demo, AGIO_DEMO']) {
    expect(stdout).toContain(name);
  }
});

test('without a command, help and an exit code that is not 0', async () => {
  const { code, stdout } = await agio([]);
  expect(code).toBe(1);
  expect(stdout).toContain('COMMANDS');
  expect(await agio(['--version'])).toEqual({
    code: 0,
    stdout: `${packageJson.version}\n`,
    stderr: '',
  });
});

test.each([
  [['strat'], /^agio: agio has no command "strat"\. Known: start, verify/],
  [['user', 'mk'], /^agio: agio user has no command "mk"\. Known: list, show/],
  [['--json'], /^agio: Unknown flag --json\. See agio --help\./],
  [['user', '--jsn'], /^agio: Unknown flag --jsn\. Known: --query, --page/],
  [['head', '--url'], /^agio: --url needs a value\./],
  [['head', '--json=yes'], /^agio: --json stands alone/],
  [['head', 'now'], /^agio: Unexpected argument "now"\./],
  [['verify', '--dtaa', '/tmp'], /^agio: Unknown flag --dtaa\./],
  [['verify', '--journal-head', '12'], /^agio: --journal-head is a number and 64 hex digits/],
  [['config', '--port', 'x'], /^agio: --port is "x"; accepted: a whole number from 0 to 65535/],
])('agio %j is refused, naming what is wrong', async (args, sentence) => {
  const { code, stdout, stderr } = await agio(args, { env: { AGIO_DATA: '/tmp' } });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(sentence);
});

test('config shows what the sources come to, without secrets', async () => {
  const env = {
    AGIO_PORT: '9001',
    AGIO_OPERATOR_TOKEN: 'secret-token',
    AGIO_RATE_LIMITS: 'order=5/1/5',
  };
  const { code, stdout } = await agio(['config', '--port', '9002', '--json'], { env });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    port: '9002',
    operatorToken: '(set)',
    masterKey: 'none',
    mode: 'sandbox',
  });
  expect(stdout).toContain('order=5/1/5');
  expect(stdout).not.toContain('secret-token');
  expect((await agio(['config'], { env })).stdout).toMatch(/^port +9001 +--port PORT +AGIO_PORT$/m);
});
