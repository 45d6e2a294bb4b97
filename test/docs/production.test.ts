// The pages of docs/operating.md work as printed, in their order, on one installation: a checkout
// that its user cannot write to, the settings in a file, and commands of root, of a member of the
// group agio, of the data's owner and of cron. The test has its own folders and ports in place of
// the page's, and stands in for the parts of the machine that it must not change (users, systemd).
import { afterAll, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Place } from '../support/cli.ts';
import { freePort } from '../support/postgres.ts';
import { type ProgramEnd, ROOT, run } from '../support/program.ts';

const IS_ROOT = process.getuid?.() === 0;
/** Runs a program as the user agio; as the present one where the test is not root. */
const AS_OWNER = IS_ROOT ? 'setpriv --reuid=65534 --regid=65534 --clear-groups --' : 'env';
/** As another user, whose group is agio. */
const AS_MEMBER = AS_OWNER.replace('--reuid=65534', '--reuid=65533');
const SHELLS = ['dash', 'bash', 'zsh', 'busybox'].filter((name) => Bun.which(name) !== null);

const place = new Place();
const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh (root|user|owner|stopped|cron)\n([\s\S]*?)^```$/gm)].map(
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

/** Programs in place of those that would change the machine; `agio` there is 65534. */
const STUBS: Readonly<Record<string, string>> = {
  useradd: 'exit 0',
  runuser: `shift 3; exec ${AS_OWNER} "$@"`,
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
    setsid ${AS_OWNER} env -i PATH=/usr/bin:/bin AGIO_ENV_FILE=$AGIO_ENV_FILE \\
      ${own(execStart!)} >> ${place.path('log')} 2>&1 < /dev/null &
    echo $! > $pid ;;
esac`,
};

for (const folder of ['stubs', 'bin']) {
  mkdirSync(place.path(folder));
  chmodSync(place.path(folder), 0o777);
}
chmodSync(place.path('.'), 0o777);
mkdirSync(place.path('home'), { mode: 0o700 });
for (const [name, text] of Object.entries(STUBS)) {
  writeFileSync(join(place.path('stubs'), name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

const shellOf = (name: string): string[] => (name === 'busybox' ? [name, 'sh'] : [name]);

async function type(kind: string, text: string, shell: string): Promise<ProgramEnd> {
  const command = [...shellOf(shell), '-e', '-c', own(text)];
  const { PATH, AGIO_ENV_FILE } = env;
  const user = [...(kind === 'user' ? AS_MEMBER : AS_OWNER).split(' '), 'env', '-i'];
  // Root starts agio in a folder that agio may not read.
  if (kind === 'root' || kind === 'stopped') return run(command, { env, cwd: place.path('home') });
  if (kind === 'cron') {
    const jobs = [...own(text).matchAll(/^(?:\S+ ){5}agio (.*)$/gm)].map(([, job]) => job!);
    const minimal = ['HOME=/', 'LOGNAME=agio', 'SHELL=/bin/sh', 'PATH=/usr/bin:/bin'];
    const settings = [...minimal, `AGIO_ENV_FILE=${AGIO_ENV_FILE}`];
    // cron replaces the escaped percent signs.
    const script = jobs.join('\n').replaceAll('\\%', '%');
    return run([...user, ...settings, '/bin/sh', '-e', '-c', script], { cwd: '/' });
  }
  return run([...user, `PATH=${PATH}`, `AGIO_ENV_FILE=${AGIO_ENV_FILE}`, ...command], { cwd: '/' });
}

async function succeed(kind: string, text: string, shell: string): Promise<string> {
  const { code, stdout, stderr } = await type(kind, text, shell);
  const log = code === 0 ? '' : Bun.spawnSync(['cat', place.path('log')]).stdout.toString();
  expect({ text, code, stderr: code === 0 ? '' : stderr, log }).toMatchObject({ code: 0 });
  return stdout;
}

/** Directories of long ago; cron removes the one with the name of an hourly backup. */
const OLD_BACKUPS = `
mkdir -p /mnt/backup/2026-01-02-03/journal /mnt/backup/old
touch -d 2026-01-02 /mnt/backup/2026-01-02-03 /mnt/backup/old`;

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
    if (kind === 'cron') await succeed('owner', OLD_BACKUPS, 'sh');
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
  // The next drill uses the same name.
  expect(backups).not.toContain('drill');
  expect(backups.filter((name) => /^\d{4}-\d\d-\d\d-\d\d$/.test(name))).toHaveLength(1);
  expect(backups).toEqual(expect.arrayContaining(['monday', 'old']));
}, 180_000);

test('the block with the secrets, pasted again, keeps the master key', async () => {
  const { text } = blocks.find(({ text }) => text.includes('AGIO_MASTER_KEY=$('))!;
  const before = readFileSync(own('/etc/agio/secrets.env'), 'utf8');
  for (const shell of SHELLS) {
    // A terminal goes on after a line that fails.
    await run([...shellOf(shell), '-c', own(text)], { env, cwd: '/' });
    expect(readFileSync(own('/etc/agio/secrets.env'), 'utf8')).toBe(before);
  }
});
