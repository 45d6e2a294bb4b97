// Help with examples for every command, and rejections of unknown words: nothing is ignored.
import { expect, test } from 'bun:test';
import packageJson from '../../package.json' with { type: 'json' };
import { forEachCommand } from '../../src/cli/command.ts';
import { commandLine } from '../../src/cli/root.ts';
import { agio } from '../support/cli.ts';

interface Explanation {
  readonly words: readonly string[];
  readonly description: string;
  readonly help: string;
  readonly isGroup: boolean;
}

const ALL: Explanation[] = [];
forEachCommand(await commandLine(), (command, words) => {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  const isGroup = command.commands.length > 0;
  ALL.push({ words, description: command.description(), help, isGroup });
});

test('the commands of the design are there', () => {
  const names = new Set(ALL.map(({ words }) => words[0]));
  const expected =
    'start verify conformance replay snapshot bench user key credit debit plan asset instrument ' +
    'enterprise export backup audit head clock config journal order income';
  expect([...names].sort()).toEqual(expect.arrayContaining(expected.split(' ').sort()));
});

test('every command has a sentence, and every one that does something an example', () => {
  for (const { words, description, help, isGroup } of ALL) {
    expect({ words, description }).toMatchObject({
      words,
      description: expect.stringMatching(/^[A-Z].{10,}/),
    });
    // A group does nothing itself.
    if (isGroup && words.length > 0) continue;
    const [, examples] = help.split('\nExamples:\n');
    const lines = examples!.trimEnd().split('\n');
    for (const line of lines) expect(line).toContain(`agio ${words[0] ?? ''}`);
  }
});

test('every option of an operator command has a description', () => {
  const lines = ALL.flatMap(({ help }) => help.split('\n'));
  expect(lines.filter((line) => /^ {2}--\S+( <\S+>)?$/.test(line))).toEqual([]);
});

test.each([
  ['plan edit', '--redeem-lock-hours <HOURS>', 'From 0 to 8760.'],
  ['plan edit', '--capacity <AMOUNT|none>', '"none": unlimited.'],
  ['user amend', '--maker-fee <RATE|instrument>', '"instrument": the fee of the pair.'],
  ['plan create', '--type <flexible|fixed|customized>', 'Required.'],
  ['asset create', '--scale <N>', 'From 0 to 18. Required.'],
])('help of agio %s has unit, bounds and empty value of %s', (command, option, end) => {
  const { help } = ALL.find(({ words }) => words.join(' ') === command)!;
  const [, below = ''] = help.split(option);
  const [sentences = ''] = below.split(/\n {2}-/);
  expect(sentences.replaceAll(/\s+/g, ' ').trimEnd()).toEndWith(end);
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
  expect(stdout).toContain('Usage:');
  expect(stdout).not.toContain('\u001b');
  for (const line of stdout.split('\n')) expect(line.trimEnd().length).toBeLessThanOrEqual(120);
});

test('help of start and config names every setting', async () => {
  const { stdout } = await agio(['start', '--help']);
  for (const name of ['--port PORT, AGIO_PORT', 'AGIO_MASTER_KEY', '--no-demo, AGIO_DEMO']) {
    expect(stdout).toContain(name);
  }
});

test('without a command, help and an exit code that is not 0', async () => {
  const { code, stderr } = await agio([]);
  expect(code).toBe(1);
  expect(stderr).toContain('Commands:');
  expect(await agio(['--version'])).toEqual({
    code: 0,
    stdout: `${packageJson.version}\n`,
    stderr: '',
  });
});

test.each([
  [['strat'], /^error: unknown command 'strat'\n\(Did you mean start\?\)/],
  [['user', 'mk'], /^error: too many arguments for 'list'/],
  [['key', 'mk'], /^error: unknown command 'mk'/],
  [['--json'], /^error: unknown option '--json'/],
  [['user', '--jsn'], /^error: unknown option '--jsn'\n\(Did you mean --json\?\)/],
  [['head', '--url'], /^error: option '--url <URL>' argument missing/],
  [['head', '--url', '--json'], /^agio: --url needs a value\./],
  [['head', '--url='], /^agio: --url needs a value\./],
  [['head', '--json=yes'], /^error: unknown option '--json=yes'/],
  [['head', 'now'], /^error: too many arguments for 'head'/],
  [['verify', '--dtaa', '/tmp'], /^error: unknown option '--dtaa'/],
  [['verify', '--journal-head', '12'], /^agio: --journal-head is a number and 64 hex digits/],
  [['config', '--port', 'x'], /^agio: --port is "x"; accepted: a whole number from 0 to 65535/],
])('agio %j is rejected, and the fault is named', async (args, sentence) => {
  const { code, stdout, stderr } = await agio(args, { env: { AGIO_DATA: '/tmp' } });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(sentence);
});

test('config shows the effective settings, without secrets', async () => {
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
