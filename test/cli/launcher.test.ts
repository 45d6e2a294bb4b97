// bin/agio starts from any folder, by any name, for a user who cannot write to the checkout, and
// reads nothing of the present folder.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { Place } from '../support/cli.ts';
import { ROOT, run } from '../support/program.ts';

const PROGRAM = join(ROOT, 'bin/agio');
const IS_ROOT = process.getuid?.() === 0;
const NOBODY = IS_ROOT ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'] : [];
const VERSION = { code: 0, stdout: `${packageJson.version}\n`, stderr: '' };
/** No npm, no home, no name of the runtime. */
const BARE = { PATH: '/usr/bin:/bin' };

const place = new Place();
beforeAll(() => {
  for (const name of ['a b', '-c', 'd']) mkdirSync(place.path(name));
  symlinkSync(PROGRAM, place.path('a b/agio'));
  symlinkSync('../a b/agio', place.path('-c/agio'));
  for (const name of ['.', 'a b', '-c', 'd']) chmodSync(place.path(name), 0o755);
});
afterAll(() => place[Symbol.dispose]());

test('package.json names it', () => expect(packageJson.bin).toEqual({ agio: 'bin/agio' }));

test('by its path and through links, with and without a shell', async () => {
  const cwd = place.path('d');
  for (const program of [PROGRAM, place.path('a b/agio'), place.path('-c/agio'), '../-c/agio']) {
    expect(await run([...NOBODY, program, '--version'], { cwd, env: BARE })).toEqual(VERSION);
  }
  for (const shell of ['sh', 'bash', 'dash'].filter((name) => Bun.which(name) !== null)) {
    const options = { cwd: join(ROOT, 'bin'), env: BARE };
    expect(await run([shell, 'agio', '--version'], options)).toEqual(VERSION);
  }
  const env = { PATH: `${place.path('-c')}:/usr/bin:/bin`, CDPATH: '/tmp' };
  expect(await run(['sh', '-c', 'agio --version'], { cwd, env })).toEqual(VERSION);
});

test('no file of the current folder configures it', async () => {
  const cwd = place.path('d');
  writeFileSync(join(cwd, 'bunfig.toml'), 'preload = ["./evil.ts"]\n');
  writeFileSync(join(cwd, 'evil.ts'), 'console.log("evil")\n');
  writeFileSync(join(cwd, '.env'), 'AGIO_DATA=/evil\n');
  expect(await run([PROGRAM, '--version'], { cwd, env: BARE })).toEqual(VERSION);
  const config = await run([PROGRAM, 'config', '--json'], {
    cwd,
    env: { ...BARE, AGIO_ENV_FILE: '' },
  });
  expect(JSON.parse(config.stdout).data).toBe(join(cwd, 'data'));
});

test('without its runtime it says what to do', async () => {
  mkdirSync(place.path('copy/bin'), { recursive: true });
  cpSync(PROGRAM, place.path('copy/bin/agio'));
  const { code, stderr } = await run([place.path('copy/bin/agio'), '--version'], { env: BARE });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^agio: .*bun\.exe is missing, .*: run "npm ci" in \S+copy, and let/);
  rmSync(place.path('copy'), { recursive: true });
});

test('npx finds it in a checkout without a build', async () => {
  const { code, stdout } = await run(['npx', '--no', '--', 'agio', '--version'], {
    env: { ...process.env, npm_config_offline: 'true' },
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: VERSION.stdout });
});
