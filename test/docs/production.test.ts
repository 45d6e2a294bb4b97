// The pages of docs/operating.md work as printed, in their order, on one installation: a checkout
// that its user cannot write to, the settings in a file, and commands of root, of the user and of
// cron. The test has its own folders and ports in place of the page's, and stands in for the parts
// of the machine that it must not change (users and systemd).
import { afterAll, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Place } from '../support/cli.ts';
import { freePort } from '../support/postgres.ts';
import { type ProgramEnd, ROOT, run } from '../support/program.ts';

const IS_ROOT = process.getuid?.() === 0;
/** Runs a program as a user without rights; as the present one where the test is not root. */
const AS_USER = IS_ROOT ? 'setpriv --reuid=65534 --regid=65534 --clear-groups --' : 'env';
const SHELLS = ['dash', 'bash', 'zsh', 'busybox'].filter((name) => Bun.which(name) !== null);

const place = new Place();
const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh (root|user|stopped|cron)\n([\s\S]*?)^```$/gm)].map(
  ([, kind, text]) => ({ kind: kind!, text: text! }),
);
const [, execStart] = /^ExecStart=(.*)$/m.exec(page)!;

const SUBSTITUTES: readonly (readonly [printed: string, own: string])[] = [
  ['/opt/agio', ROOT],
  ['/etc/agio', place.path('etc')],
  ['/var/lib/agio', place.path('lib')],
  ['/mnt/backup', place.path('backup')],
  ['/mnt/archive', place.path('archive')],
  ['/tmp/drill', place.path('drill')],
  ['/usr/local/bin', place.path('bin')],
  ['8080', String(freePort())],
  ['9999', String(freePort())],
];
const own = (text: string): string =>
  SUBSTITUTES.reduce((changed, [printed, mine]) => changed.replaceAll(printed, mine), text);

const env = {
  PATH: `${place.path('stubs')}:${place.path('bin')}:/usr/local/bin:/usr/bin:/bin:/usr/sbin`,
  AGIO_ENV_FILE: own('/etc/agio/secrets.env'),
};

/** Programs in place of those that would change the machine; `agio` there is the test's user. */
const STUBS: Readonly<Record<string, string>> = {
  useradd: 'exit 0',
  runuser: `shift 3; exec ${AS_USER} "$@"`,
  install: IS_ROOT
    ? 'exec /usr/bin/install $(echo "$@" | sed "s/ agio / 65534 /g")'
    : 'exec /usr/bin/install $(echo "$@" | sed "s/-[og] agio//g")',
  chgrp: IS_ROOT ? 'shift; exec /usr/bin/chgrp 65534 "$@"' : 'exit 0',
  systemctl: `
pid=${place.path('pid')}
case $1 in
  stop) kill "$(cat $pid)"; while kill -0 "$(cat $pid)" 2>/dev/null; do sleep 0.1; done ;;
  *)
    cd ${own('/var/lib/agio')}
    setsid ${AS_USER} env -i PATH=/usr/bin:/bin AGIO_ENV_FILE=$AGIO_ENV_FILE \\
      ${own(execStart!)} >> ${place.path('log')} 2>&1 < /dev/null &
    echo $! > $pid ;;
esac`,
};

for (const folder of ['stubs', 'bin', 'archive']) {
  mkdirSync(place.path(folder));
  chmodSync(place.path(folder), 0o777);
}
chmodSync(place.path('.'), 0o777);
for (const [name, text] of Object.entries(STUBS)) {
  writeFileSync(join(place.path('stubs'), name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

const shellOf = (name: string): string[] => (name === 'busybox' ? [name, 'sh'] : [name]);

async function type(kind: string, text: string, shell: string): Promise<ProgramEnd> {
  const command = [...shellOf(shell), '-e', '-c', own(text)];
  const { PATH, AGIO_ENV_FILE } = env;
  const user = [...AS_USER.split(' '), 'env', '-i'];
  if (kind === 'root') return run(command, { env, cwd: '/' });
  if (kind === 'cron') {
    const [, job] = /^(?:\S+ ){5}agio (.*)$/m.exec(own(text))!;
    const minimal = ['HOME=/', 'LOGNAME=agio', 'SHELL=/bin/sh', 'PATH=/usr/bin:/bin'];
    const settings = [...minimal, `AGIO_ENV_FILE=${AGIO_ENV_FILE}`];
    // cron replaces the escaped percent signs.
    return run([...user, ...settings, '/bin/sh', '-c', job!.replaceAll('\\%', '%')], { cwd: '/' });
  }
  return run([...user, `PATH=${PATH}`, `AGIO_ENV_FILE=${AGIO_ENV_FILE}`, ...command], { cwd: '/' });
}

async function succeed(kind: string, text: string, shell: string): Promise<string> {
  const { code, stdout, stderr } = await type(kind, text, shell);
  const log = code === 0 ? '' : Bun.spawnSync(['cat', place.path('log')]).stdout.toString();
  expect({ text, code, stderr: code === 0 ? '' : stderr, log }).toMatchObject({ code: 0 });
  return stdout;
}

const systemctl = (verb: string) => succeed('root', `systemctl ${verb} agio`, 'sh');
const isReady = () =>
  succeed(
    'root',
    'curl -sf --retry 60 --retry-delay 1 --retry-all-errors http://127.0.0.1:8080/ready',
    'sh',
  );

afterAll(async () => {
  await type('root', 'systemctl stop agio', 'sh');
  place[Symbol.dispose]();
});

test('an installation, from the first command to a restored backup', async () => {
  expect(blocks.map(({ kind }) => kind)).toContain('cron');
  const printed: string[] = [];
  for (const [at, { kind, text }] of blocks.entries()) {
    if (kind === 'stopped') await systemctl('stop');
    // The shells take turns.
    printed.push(await succeed(kind, text, SHELLS[at % SHELLS.length]!));
    if (kind === 'stopped') await systemctl('start');
    if (kind === 'stopped' || text.includes('systemctl start')) await isReady();
  }
  const all = printed.join('\n');
  for (const line of [
    /^symbol +BTC-USDT$/m,
    /^symbol +ETH-USDT$/m,
    / is a backup of /,
    / is as it should be\.$/m,
    /^✓ noted head +the journal up to seq \d+ is the one that was noted$/m,
    /"status":"ready"/,
  ]) {
    expect(all).toMatch(line);
  }
  const backups = readdirSync(place.path('backup')).sort();
  expect(backups.filter((name) => /^\d{4}-\d\d-\d\d-\d\d$/.test(name))).toHaveLength(1);
  expect(backups).toEqual(expect.arrayContaining(['drill', 'monday']));
}, 180_000);
