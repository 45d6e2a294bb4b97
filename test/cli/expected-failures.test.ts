// Every failure that an operator can mend, in the real program: it ends with 1 and one sentence
// that says how, without a stack. A node that runs logs the sentence and ends with 70.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { BinaryWriter } from '../../src/core/binary.ts';
import { encodeBatch } from '../../src/journal/codec.ts';
import { openFileJournal } from '../../src/journal/open-journal.ts';
import { agio, Place, type ProgramEnd, Server } from '../support/cli.ts';
import { freePort, NO_POSTGRES, type PostgresServer } from '../support/postgres.ts';
import { createStoreServer, NODE_ROLE } from '../support/postgres-store.ts';
import { until } from '../support/waiting.ts';

const IS_ROOT = process.getuid?.() === 0;
const NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'];
const STACK = /^\s+at |unexpected error|\^\n/m;
/** Nothing listens there. */
const AWAY = 'postgres://agio_node@127.0.0.1:1/agio';

/** The last line is the only one of the program; the log of a start may come before it. */
function expectSentence({ code, stdout, stderr }: ProgramEnd, sentence: string | RegExp): void {
  const lines = stderr.trimEnd().split('\n');
  expect({ code, stdout, stack: STACK.exec(stderr)?.[0] ?? '' }).toEqual({
    code: 1,
    stdout: '',
    stack: '',
  });
  expect(lines.filter((line) => line.startsWith('agio: '))).toEqual(lines.slice(-1));
  if (typeof sentence === 'string') expect(lines.at(-1)).toContain(sentence);
  else expect(lines.at(-1)).toMatch(sentence);
  expect(lines.at(-1)).toEndWith('.');
}

const place = new Place();
/** A stopped venue. */
const venue = place.path('venue');
beforeAll(async () => {
  await (await Server.start(['--data', venue])).end('SIGTERM');
  mkdirSync(place.path('theirs'), { mode: 0o755 });
  writeFileSync(place.path('file'), '');
  mkdirSync(place.path('archive'));
  // Other users get to the directories in it.
  chmodSync(place.path('.'), 0o755);
});
afterAll(() => place[Symbol.dispose]());

/** A copy of the venue with a change. */
function changed(name: string, change: (data: string) => void): string {
  const data = place.copy(venue, name);
  change(data);
  return data;
}

const startOn = (data: string, ...more: string[]) =>
  agio(['start', '--no-demo', '--port', '0', '--data', data, ...more]);

describe('agio start', () => {
  const fresh = () => place.path(`new-${freePort()}`);
  /** A start that is rejected leaves no directory behind. */
  const rejected = async (...args: string[]) => {
    const data = fresh();
    const ended = await startOn(data, ...args);
    expect(existsSync(data)).toBe(false);
    return ended;
  };

  test('on a port in use', async () => {
    await using taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const ended = await rejected('--port', `${taken.port}`);
    expectSentence(ended, `Port ${taken.port} of 127.0.0.1 is in use; choose another one with`);
  });

  test.each(['192.0.2.1', 'no-such-host.invalid'])('on the host %s', async (host) => {
    const ended = await rejected('--host', host);
    expectSentence(ended, `${host} is not an address of this machine; choose another with --host`);
  });

  test.skipIf(!IS_ROOT)('on a port that needs root', async () => {
    const args = ['start', '--port', '80', '--data', fresh()];
    expectSentence(await agio(args, { as: NOBODY }), 'Port 80 is for root only; choose one above');
  });

  test.each(['file', 'file/data'])('with the data directory %s', async (name) => {
    expectSentence(await startOn(place.path(name)), `mkdir '${place.path(name)}': check the path`);
  });

  test.skipIf(!IS_ROOT)('with a data directory of another user', async () => {
    const start = (data: string) => agio(['start', '--port', '0', '--data', data], { as: NOBODY });
    const remedy = 'let this user read and write there';
    expectSentence(await start(place.path('theirs')), remedy);
    expectSentence(
      await start(place.path('theirs/data')),
      `${remedy}, run agio as the owner, or name another directory`,
    );
    expectSentence(await start(venue), remedy);
  });

  test.skipIf(!IS_ROOT)('of another user: every command says whose the directory is', async () => {
    const offline = ['verify', 'replay', 'snapshot', 'export journal', 'export statement 1'];
    const all = [...offline, 'backup /tmp/agio-none', 'journal archive --to /tmp/agio-none'];
    for (const command of all.map((words) => `${words} --data ${venue}`)) {
      const ended = await agio(command, { as: NOBODY });
      expectSentence(
        ended,
        `This user may not read ${venue}: run the command as its owner (sudo -u root agio …)`,
      );
    }
    const head = await agio(`head --data ${venue}`, { as: NOBODY });
    expectSentence(head, /^agio: No operator token: .*permission denied, open '.*sandbox\.json'/);
  });

  test.skipIf(!IS_ROOT)('of another user: root changes nothing in it', async () => {
    const theirs = changed('of-nobody', (data) => {
      const names = readdirSync(data, { recursive: true }) as string[];
      for (const name of ['.', ...names]) chownSync(join(data, name), 65534, 65534);
    });
    const empty = place.path('empty-of-nobody');
    mkdirSync(empty);
    chownSync(empty, 65534, 65534);
    const offline = ['verify', 'replay', 'snapshot', 'export journal', 'export statement 1'];
    const target = place.path('none');
    const journal = [`archive --to ${target}`, `restore --from ${place.path('archive')}`];
    const all = [
      ...offline,
      `backup ${target}`,
      ...journal.map((words) => `journal ${words}`),
      'journal skip 1 --reason x',
      'start --no-demo --port 0',
    ];
    for (const command of all) {
      const ended = await agio(`${command} --data ${theirs}`);
      expectSentence(
        ended,
        `${theirs} belongs to nobody: run the command as its owner (runuser -u`,
      );
    }
    expectSentence(
      await startOn(empty),
      `${empty} belongs to nobody: run the command as its owner`,
    );
    expect(readdirSync(empty)).toEqual([]);
    expect(existsSync(target)).toBe(false);
    for (const name of readdirSync(theirs, { recursive: true }) as string[]) {
      expect({ name, uid: statSync(join(theirs, name)).uid }).toEqual({ name, uid: 65534 });
    }
  });

  test.skipIf(!IS_ROOT)(
    'of another user: a failure names the settings that it could not read',
    async () => {
      const settings = place.path('secrets.env');
      writeFileSync(settings, 'AGIO_OPERATOR_TOKEN=secret\n', { mode: 0o600 });
      const env = { AGIO_ENV_FILE: settings };
      const { code, stderr } = await agio('head', { as: NOBODY, env });
      expect(code).toBe(1);
      expect(stderr).toContain(
        'No operator token: set AGIO_OPERATOR_TOKEN, name a file that sets it',
      );
      expect(stderr).toEndWith(`agio: This user may not read the settings in ${settings}.\n`);
      const named = await agio(`head --env-file ${settings}`, { as: NOBODY });
      expectSentence(named, /permission denied, open .*: check the path of --env-file\.$/);
    },
  );

  test.skipIf(!IS_ROOT)('with a full disk', async () => {
    const disk = place.path('disk');
    mkdirSync(disk);
    // A segment of the journal does not fit into the larger one.
    for (const size of ['64k', '3m']) {
      const mount = ['mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk];
      if (Bun.spawnSync(mount).exitCode !== 0) return;
      try {
        expectSentence(await startOn(disk), /make room on the disk|The disk has no room/);
        Bun.spawnSync(['dd', 'if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=4k']);
        const backup = await agio(['backup', join(disk, 'copy'), '--data', venue]);
        expectSentence(backup, 'make room on the disk');
      } finally {
        Bun.spawnSync(['umount', disk]);
      }
    }
  });

  test('with a data directory in use, as all that change it', async () => {
    await using server = await Server.start(['--data', place.copy(venue, 'used')]);
    const data = place.path('used');
    const owner = `${data} is in use by another agio process (pid ${server.pid})`;
    expectSentence(await startOn(data), `${owner}; stop that process`);
    const offline = ['verify', 'replay', 'snapshot', 'export journal', 'export statement 1'];
    for (const command of [
      ...offline.map((command) => `${command} --data ${data}`),
      `journal copy --to ${AWAY} --data ${data}`,
      `journal restore --from ${place.path('archive')} --data ${data}`,
    ]) {
      expectSentence(await agio(command), owner);
    }
  });

  test.each([
    ['another key', () => {}, 'was not checked: it was written under master key'],
    [
      'another key and no snapshot',
      (data: string) => rmSync(join(data, 'snapshots'), { recursive: true }),
      'set AGIO_MASTER_KEY (or DATA/master.key) to the key that it was written with',
    ],
  ] as const)('with %s', async (name, change, sentence) => {
    const data = changed(name.replaceAll(' ', '-'), change);
    const env = { AGIO_MASTER_KEY: 'cd'.repeat(32) };
    const args = ['start', '--no-demo', '--port', '0', '--data', data];
    expectSentence(await agio(args, { env }), sentence);
  });

  test.each([
    ['no master key', 'master.key', null, 'No master key was given, and the secrets in'],
    ['a damaged master key', 'master.key', 'x', 'does not hold a master key: it takes 32 random'],
    ['no identity', 'identity.db', null, 'but the journal has 6 users: restore it from a backup'],
    ['an empty identity', 'identity.db', '', 'but the journal has 6 users: restore it from a'],
    ['a damaged identity', 'identity.db', 'x'.repeat(9999), '"agio verify" names the damaged file'],
    ['a damaged sandbox.json', 'sandbox.json', '{', 'remove it, and the next start writes it'],
  ])('with %s', async (name, file, content, sentence) => {
    const data = changed(name.replaceAll(' ', '-'), (directory) => {
      const path = join(directory, file);
      if (content === null) rmSync(path);
      else writeFileSync(path, content);
    });
    expectSentence(await startOn(data), sentence);
  });

  test('with a journal of another release, which stays as it is', async () => {
    const data = place.copy(venue, 'newer');
    const journal = await openFileJournal(data);
    const payload = encodeBatch(new BinaryWriter(), { time: Date.now(), commands: [] });
    payload[0] = 250;
    const { seq } = journal.head;
    await journal.append({ firstSeq: seq + 1, count: 1, epoch: 1, payload });
    await journal.close();
    const sentence = /written by a newer release of agio, with version 250 of the rules, .*\./;
    expectSentence(await startOn(data), sentence);
    expectSentence(await agio(`replay --data ${data}`), sentence);
    const { code, stdout } = await agio(`verify --data ${data}`);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ journal +The journal was written by a newer release of agio/m);
  });

  test('with a setting that is not valid', async () => {
    expectSentence(await rejected('--segment-bytes', '1'), 'segment-bytes');
    expectSentence(await rejected('--typo', 'a'), 'typo');
  });
});

describe('a command', () => {
  const missing = place.path('missing');
  const connecting = 'PostgreSQL at 127.0.0.1:1: Failed to connect: check the database URL, the';

  test.each([
    [
      `backup ${place.path('copy')} --data ${missing}`,
      'has no journal: it is not a data directory',
    ],
    [`backup ${place.path('archive')} --data ${venue}`, 'exists already: a backup is a new'],
    [`backup /proc/copy --data ${venue}`, "mkdir '/proc/copy.partial': check the path"],
    [`backup ${place.path('copy')} --data ${venue} --database-url ${AWAY}`, connecting],
    [`verify --data ${missing}`, 'has no journal: it is not a data directory'],
    [`journal copy --to ${AWAY} --data ${venue}`, connecting],
    [`journal copy --from ${AWAY} --data ${place.path('from')}`, connecting],
    [`journal copy --from ${AWAY} --data ${venue}`, 'has a venue: name a new directory with'],
    [`journal copy --to postgres:/agio --data ${venue}`, 'The database URL is not accepted: it'],
    [`journal copy --to ${AWAY}?sslmode=on --data ${venue}`, 'sslmode must be one of disable'],
    [`journal copy --data ${venue}`, 'Name the database: --to URL fills it, --from URL copies'],
    [`journal copy --to ${AWAY} --from ${AWAY} --data ${venue}`, 'Name the database: --to URL'],
    [`journal restore --from ${missing} --data ${venue}`, missing],
    [`cluster migrate --database-url ${AWAY} --role agio_node`, connecting],
    ['cluster migrate --role agio_node', 'No database: name one with --database-url, or set'],
    [`cluster status --data ${missing}`, 'No operator token: set AGIO_OPERATOR_TOKEN, name a'],
    [`cluster status --data ${venue} --url http://127.0.0.1:1`, 'start a server with "agio start"'],
    [`cluster lead a --data ${venue} --url tcp://a`, '"tcp://a" is not a URL such as http://'],
  ])('%s', async (command, sentence) => {
    expectSentence(await agio(command), sentence);
  });
});

describe.skipIf(NO_POSTGRES)('a node', () => {
  /** With TLS, and a password for the role of nodes. */
  let secure: PostgresServer;
  let plain: PostgresServer;

  beforeAll(async () => {
    [plain, secure] = await Promise.all([createStoreServer(), createStoreServer()]);
    await plain.query('CREATE ROLE stranger LOGIN');
    await plain.query('CREATE DATABASE empty');
    await secure.query(`ALTER ROLE ${NODE_ROLE} PASSWORD 'right'`);
    const rules = [
      'host all postgres 127.0.0.1/32 trust',
      `hostssl agio,none ${NODE_ROLE} all scram-sha-256`,
    ];
    writeFileSync(join(secure.directory, 'data', 'pg_hba.conf'), `${rules.join('\n')}\n`);
    const [cert, key] = ['crt', 'key'].map((end) => join(secure.directory, `server.${end}`));
    createCertificate(cert!, key!);
    await secure.stop();
    secure.configure(`ssl = on\nssl_cert_file = '${cert}'\nssl_key_file = '${key}'\n`);
    await secure.start();
  });
  afterAll(async () => {
    await plain?.dispose();
    await secure?.dispose();
  });

  function createCertificate(certificate: string, key: string): void {
    const created = Bun.spawnSync([
      ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
      ...['-nodes', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
      ...['-keyout', key, '-out', certificate],
    ]);
    if (created.exitCode !== 0) throw new Error(`openssl: ${created.stderr}`);
    const { uid, gid } = statSync(secure.directory);
    for (const path of [key, certificate]) chownSync(path, uid, gid);
  }

  const env = (url: string) => ({
    AGIO_DATABASE_URL: url,
    AGIO_MASTER_KEY: 'ab'.repeat(32),
    AGIO_OPERATOR_TOKEN: 'token-of-the-test-operator',
  });
  const nodeArgs = (name: string, link = `127.0.0.1:${freePort()}`) => [
    ...['--data', place.path(`node-${freePort()}`), '--node', name, '--link', link],
  ];
  const startNode = (url: string, ...more: Parameters<typeof nodeArgs>) =>
    agio(['start', '--no-demo', '--port', '0', ...nodeArgs(...more)], { env: env(url) });
  const secureUrl = (user: string, host: string, rest: string) =>
    `postgres://${user}@${host}:${secure.port}/${rest}`;

  const MISTAKES: [string, () => string, string][] = [
    [
      'a wrong password',
      () => secureUrl('agio_node:wrong', '127.0.0.1', 'agio'),
      '(28P01): correct the user and the password in the database URL',
    ],
    [
      'a role that may not connect',
      () => secureUrl('nobody:right', '127.0.0.1', 'agio'),
      '(28000): let pg_hba.conf accept this connection, or correct the database URL',
    ],
    [
      'no TLS where the server wants it',
      () => secureUrl('agio_node:right', '127.0.0.1', 'agio?sslmode=disable'),
      'no encryption (28000): let pg_hba.conf accept this connection',
    ],
    [
      'an unknown database',
      () => secureUrl('agio_node:right', '127.0.0.1', 'none'),
      '(3D000): create the database, or correct its name in the database URL',
    ],
    [
      'a server without TLS',
      () => plain.url(NODE_ROLE, '?sslmode=require'),
      'Server does not support SSL (ERR_POSTGRES_TLS_NOT_AVAILABLE): turn on ssl at the server',
    ],
    [
      'a database without the schema',
      () => plain.url(NODE_ROLE).replace(/agio$/, 'empty'),
      '(42P01): run `agio cluster migrate`',
    ],
    [
      'a role without privileges',
      () => plain.url('stranger'),
      '(42501): run `agio cluster migrate` for this role, as the owner',
    ],
  ];

  test.each(MISTAKES)('does not start with %s', async (_name, url, sentence) => {
    expectSentence(await startNode(url(), 'a'), sentence);
  });

  test('no command works with a wrong password', async () => {
    const [, url, sentence] = MISTAKES[0]!;
    for (const command of [
      `backup ${place.path('copy')} --data ${venue} --database-url ${url()}`,
      `journal copy --to ${url()} --data ${venue}`,
      `journal copy --from ${url()} --data ${place.path('from')}`,
      `cluster migrate --database-url ${url()} --role ${NODE_ROLE}`,
      `verify --data ${venue} --database-url ${url()}`,
    ]) {
      expectSentence(await agio(command), sentence);
    }
  });

  test('migrates only for a role that is there', async () => {
    const ended = await agio(`cluster migrate --database-url ${plain.url()} --role none`);
    expectSentence(ended, 'PostgreSQL has no role "none" for the nodes: create it first');
  });

  test('does not start on a link that it cannot have', async () => {
    using taken = Bun.listen({ port: 0, hostname: '127.0.0.1', socket: { data() {} } });
    const link = `127.0.0.1:${taken.port}`;
    const inUse = `The link address ${link} is in use: choose another with --link or --link-listen`;
    expectSentence(await startNode(plain.url(NODE_ROLE), 'linked', link), inUse);
    expectSentence(
      await startNode(plain.url(NODE_ROLE), 'linked', '192.0.2.1:7400'),
      'The link cannot listen on 192.0.2.1:7400',
    );
  });

  test('does not start with the name of another, and ends once it has lost its own', async () => {
    const server = await Server.start(nodeArgs('one'), env(plain.url(NODE_ROLE)));
    await using node = server;
    const taken = 'Another node named one runs, with the link 127.0.0.1:';
    expectSentence(await startNode(plain.url(NODE_ROLE), 'one'), taken);
    await plain.query("UPDATE agio.member SET instance = 'other' WHERE node = 'one'");
    const { code, stderr } = await node.ended();
    expect({ code, stack: STACK.exec(stderr)?.[0] ?? '' }).toEqual({ code: 70, stack: '' });
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /fatal agio has to stop {2}why=Another node named one runs, .* with --node\. seq=/,
    );
  });

  test('goes on while its password is wrong, and takes the right one again', async () => {
    const url = secureUrl('agio_node:right', '127.0.0.1', 'agio');
    await using node = await Server.start(nodeArgs('two'), env(url));
    const status = async () =>
      ((await (await fetch(`${node.url}/ready`)).json()) as { status: string }).status;
    const rotate = async (password: string) => {
      await secure.query(`ALTER ROLE ${NODE_ROLE} PASSWORD '${password}'`);
      await secure.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'agio/two'`,
      );
    };
    await until(async () => (await status()) === 'ready');
    await rotate('left');
    await until(async () => (await status()) === 'readOnly');
    await rotate('right');
    await until(async () => (await status()) === 'ready');
    expect((await node.end('SIGTERM')).code).toBe(0);
  });
});
