// Configuration: which source wins, and that whatever is wrong is named with what is accepted.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigError, type ConfigSources, loadConfig } from './config.ts';
import { SETTINGS } from './config-settings.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'agio-config-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const MASTER_KEY = 'ab'.repeat(32);

function load(argv: string[] = [], env: ConfigSources['env'] = {}) {
  return loadConfig({ argv, env });
}

function problemsOf(argv: string[] = [], env: ConfigSources['env'] = {}): readonly string[] {
  try {
    load(argv, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

function file(content: unknown): string {
  const path = join(directory, 'agio.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Everything that production asks for, so that a test can leave one thing out. */
const production = {
  AGIO_MODE: 'production',
  AGIO_HOST: '0.0.0.0',
  AGIO_MASTER_KEY: MASTER_KEY,
  AGIO_OPERATOR_TOKEN: 'a-token-of-some-length',
  AGIO_SMTP_URL: 'smtps://user:secret@mail.example.com:465',
};

describe('sources', () => {
  test('the defaults are those of the sandbox', () => {
    const config = load();
    expect(config).toMatchObject({
      mode: 'sandbox',
      port: 8080,
      host: '127.0.0.1',
      data: resolve('./data'),
      demo: true,
      config: null,
      operatorToken: null,
      masterKey: null,
      smtpUrl: null,
      corsOrigins: ['*'],
      logLevel: 'info',
      segmentBytes: 33_554_432,
      snapshotEvery: 250_000,
      reserveAlarmDays: 7,
      maxPauseDays: 7,
    });
    expect(config.trustedProxies.isEmpty).toBe(true);
    expect(config.rateLimits.private?.quota).toBeGreaterThanOrEqual(2_000);
    expect(config.databaseUrl).toBeNull();
  });

  test('flags win over environment, environment over file, file over defaults', () => {
    const path = file({ port: 1, host: 'file.example', logLevel: 'warn', data: '/file' });
    const config = load(['--config', path, '--port', '3'], { AGIO_PORT: '2', AGIO_HOST: '::1' });
    expect(config).toMatchObject({ port: 3, host: '::1', logLevel: 'warn', data: '/file' });
    expect(load([], { AGIO_CONFIG: path }).port).toBe(1);
  });

  test('flags take their value after a space or an equals sign, and the last one holds', () => {
    expect(load(['--port=1', '--port', '2', '--no-demo'])).toMatchObject({ port: 2, demo: false });
  });

  test('an empty variable counts as unset, and other programs have their own', () => {
    expect(load([], { AGIO_PORT: '', AGIO_HOST: undefined, PORT: 'x' }).port).toBe(8080);
  });
});

describe('unknown names', () => {
  test('a flag is named, and the known ones are listed', () => {
    const [problem, ...others] = problemsOf(['--prot', '9000']);
    expect(problem).toStartWith('Unknown flag --prot. Known: --production, --port PORT, --host');
    expect(others).toEqual([]);
    expect(problemsOf(['sandbox'])[0]).toStartWith('Unexpected argument "sandbox". Known: ');
  });

  test('variables of other commands are left alone', () => {
    expect(load([], { AGIO_KEY: 'a', AGIO_SECRET: 'b' }).port).toBe(8080);
  });

  test('a variable is named, and the known ones are listed', () => {
    const [problem] = problemsOf([], { AGIO_PROT: '9000' });
    expect(problem).toStartWith('Unknown environment variable AGIO_PROT. Known: AGIO_MODE, AGIO_P');
  });

  test('a key of the file is named with the file, and the known ones are listed', () => {
    const path = file({ prot: 9000, toString: 1 });
    const [first, second] = problemsOf(['--config', path]);
    expect(first).toStartWith(`Unknown key "prot" in ${path}. Known: mode, port, host, data, demo`);
    expect(second).toStartWith('Unknown key "toString"');
    expect(problemsOf(['--config', file({ config: 'x' })])[0]).toContain('Unknown key "config"');
  });

  test('a secret is no flag, and its value is not repeated', () => {
    for (const argv of [['--master-key', MASTER_KEY], [`--master-key=${MASTER_KEY}`]]) {
      const problems = problemsOf(argv);
      expect(problems).toEqual([
        '--master-key is not a flag, since others can read command lines: ' +
          'set AGIO_MASTER_KEY instead.',
      ]);
    }
  });
});

describe('values', () => {
  test.each([
    ['AGIO_PORT', '65536'],
    ['AGIO_PORT', '80 '],
    ['AGIO_PORT', '1e3'],
    ['AGIO_MODE', 'prod'],
    ['AGIO_HOST', 'http://x'],
    ['AGIO_DEMO', 'yes'],
    ['AGIO_CORS_ORIGINS', 'app.example.com'],
    ['AGIO_CORS_ORIGINS', 'https://app.example.com/'],
    ['AGIO_CORS_ORIGINS', '*,https://app.example.com'],
    ['AGIO_TRUSTED_PROXIES', '10.0.0.0/99'],
    ['AGIO_OPERATOR_NETWORKS', 'any,10.0.0.0/8'],
    ['AGIO_OPERATOR_NETWORKS', 'inside'],
    ['AGIO_LOG_LEVEL', 'verbose'],
    ['AGIO_SEGMENT_BYTES', '1048577'],
    ['AGIO_SNAPSHOT_EVERY', '-1'],
    ['AGIO_RESERVE_ALARM_DAYS', '1.5'],
    ['AGIO_RATE_LIMITS', 'orders=1/1/1'],
    ['AGIO_RATE_LIMITS', 'order=1/1'],
    ['AGIO_RATE_LIMITS', 'order=0/1/1'],
    ['AGIO_RATE_LIMITS', 'order=1/1/1,order=2/1/1'],
  ])('%s=%s is rejected with its name and what is accepted', (key, value) => {
    const row = SETTINGS.find((candidate) => candidate.env === key);
    expect(problemsOf([], { [key]: value })).toEqual([
      `${key} is ${JSON.stringify(value)}; accepted: ${row?.accepts}.`,
    ]);
  });

  test.each([
    ['AGIO_MASTER_KEY', 'hunter2-hunter2'],
    ['AGIO_OPERATOR_TOKEN', 'with space'],
    ['AGIO_SMTP_URL', 'http://hunter2'],
  ])('%s is rejected without repeating it', (key, value) => {
    const [problem] = problemsOf([], { [key]: value });
    expect(problem).toStartWith(`${key} is not valid; accepted: `);
    expect(problem).not.toContain(value);
  });

  test('a flag without its value names the accepted ones', () => {
    expect(problemsOf(['--port'])[0]).toStartWith('--port needs a value: a whole number');
    expect(problemsOf(['--host', '--port', '1'])).toHaveLength(1);
    expect(problemsOf(['--production=yes'])[0]).toContain('stands alone');
  });

  test('one error lists every fault', () => {
    const path = file({ snapshotEvery: 'many' });
    const problems = problemsOf(['--config', path, '--x'], { AGIO_Y: '1', AGIO_PORT: 'z' });
    expect(problems).toHaveLength(4);
    expect(problems.join('\n')).toContain(
      `"snapshotEvery" in ${path} is "many"; accepted: a whole`,
    );
  });

  test('lists and limits, as text and as JSON', () => {
    const text = load([], {
      AGIO_CORS_ORIGINS: 'https://a.example, http://localhost:5173',
      AGIO_TRUSTED_PROXIES: '10.0.0.0/8,::1',
      AGIO_RATE_LIMITS: 'order=50/1/100,public=off',
      AGIO_SMTP_URL: 'smtp://localhost:1025',
    });
    const json = load([
      '--config',
      file({
        corsOrigins: ['https://a.example', 'http://localhost:5173'],
        trustedProxies: ['10.0.0.0/8', '::1'],
        rateLimits: { order: { quota: 50, window: 1, burst: 100 }, public: 'off' },
        smtpUrl: 'smtp://localhost:1025',
        masterKey: null,
      }),
    ]);
    for (const config of [text, json]) {
      expect(config.corsOrigins).toEqual(['https://a.example', 'http://localhost:5173']);
      expect(config.trustedProxies.contains('10.1.1.1')).toBe(true);
      expect(config.rateLimits.order).toEqual({ quota: 50, window: 1, burst: 100 });
      expect(config.rateLimits.public).toBeNull();
      expect(config.rateLimits.private).toEqual(load().rateLimits.private);
      expect(config.smtpUrl).toBe('smtp://localhost:1025');
    }
    expect(load(['--rate-limits', 'off']).rateLimits.failedAuth).toBeNull();
    expect(load(['--cors-origins', 'none']).corsOrigins).toEqual([]);
  });

  test('a file that is missing or not an object is rejected', () => {
    expect(problemsOf(['--config', join(directory, 'none.json')])[0]).toContain('(ENOENT)');
    for (const content of ['{"port": 1,}', '[]', 'null', '']) {
      expect(problemsOf(['--config', file(content)])[0]).toContain('is not a JSON object');
    }
  });

  test('a node of a cluster has an address for the others, and the secrets of all', () => {
    const url = 'postgres://u:hunter2@a:5432,b:5432/agio';
    // The usual directory may have the master key of a sandbox.
    const empty = ['--data', join(import.meta.dir, 'no-such-directory')];
    const [problem] = problemsOf(['--database-url', url, ...empty]);
    expect(problem).toContain('--link or AGIO_LINK');
    expect(problem).toContain('AGIO_MASTER_KEY');
    expect(problem).toContain('AGIO_OPERATOR_TOKEN');
    expect(problem).not.toContain('hunter2');
    const shared = {
      AGIO_MASTER_KEY: '5a'.repeat(32),
      AGIO_OPERATOR_TOKEN: 'a-token-of-operators',
    };
    const config = load(['--link', 'a.internal:7070'], { ...shared, AGIO_DATABASE_URL: url });
    expect(config).toMatchObject({ databaseUrl: url, link: 'a.internal:7070' });
    expect(config.node).not.toBe('');
  });

  test('a wrong database URL is rejected without its password', () => {
    for (const url of ['mysql://u:hunter2@db/agio', 'postgres://u:hunter2@db', 'hunter2']) {
      const [problem] = problemsOf([], { AGIO_DATABASE_URL: url });
      expect(problem).toContain('AGIO_DATABASE_URL is not valid; accepted: postgres://');
      expect(problem).not.toContain('hunter2');
    }
  });
});

describe('production', () => {
  test('starts with the required settings, and is strict by default', () => {
    const config = load([], production);
    expect(config).toMatchObject({ mode: 'production', demo: false, corsOrigins: [] });
    expect(config.rateLimits.public).toEqual({ quota: 20, window: 1, burst: 40 });
    expect(load(['--production'], { ...production, AGIO_MODE: 'sandbox' }).mode).toBe('production');
  });

  test('answers only operators inside by default, and anybody in the sandbox', () => {
    const inside = ['127.0.0.1', '::1', '::ffff:10.1.1.1', '172.31.0.1', '192.168.7.7', 'fd00::1'];
    const outside = ['8.8.8.8', '172.32.0.1', '2001:db8::1', '::ffff:8.8.8.8', 'x', ''];
    const { operatorNetworks } = load([], production);
    expect(inside.filter((ip) => !operatorNetworks.contains(ip))).toEqual([]);
    expect(outside.filter((ip) => operatorNetworks.contains(ip))).toEqual([]);
    const reaching = (value: string) =>
      load([], { ...production, AGIO_OPERATOR_NETWORKS: value }).operatorNetworks;
    expect(outside.every((ip) => reaching('any').contains(ip))).toBe(true);
    expect(reaching('203.0.113.0/24').contains('203.0.113.9')).toBe(true);
    expect(reaching('203.0.113.0/24').contains('127.0.0.1')).toBe(false);
    expect(reaching('none').contains('127.0.0.1')).toBe(false);
    expect(load().operatorNetworks.contains('8.8.8.8')).toBe(true);
  });

  test('limits writes in the user center to a burst of 20, then one in 3 s', () => {
    expect(load([], production).rateLimits.account).toEqual({ quota: 20, window: 60, burst: 20 });
    expect(load(['--rate-limits', 'off']).rateLimits.account).toBeNull();
    expect(load(['--rate-limits', 'account=9/1/9']).rateLimits.account?.burst).toBe(9);
  });

  test('lists all that is missing in one message', () => {
    const problems = problemsOf(['--production', '--data', directory]);
    expect(problems).toHaveLength(1);
    for (const name of ['AGIO_MASTER_KEY', 'AGIO_OPERATOR_TOKEN', 'AGIO_SMTP_URL', '--host']) {
      expect(problems[0]).toContain(name);
    }
  });

  test.each(['AGIO_HOST', 'AGIO_MASTER_KEY', 'AGIO_OPERATOR_TOKEN', 'AGIO_SMTP_URL'] as const)(
    'does not start without %s alone',
    (key) => {
      const problems = problemsOf(['--data', directory], { ...production, [key]: '' });
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(key);
    },
  );

  test('a key file in the data directory is a master key', () => {
    writeFileSync(join(directory, 'master.key'), MASTER_KEY, { mode: 0o600 });
    const config = load(['--data', directory], { ...production, AGIO_MASTER_KEY: '' });
    expect(config.masterKey).toBeNull();
  });

  test('takes neither demo, nor unlimited rates, nor a token that can be guessed', () => {
    const problems = problemsOf([], {
      ...production,
      AGIO_DEMO: 'true',
      AGIO_RATE_LIMITS: 'order=off',
      AGIO_OPERATOR_TOKEN: 'short',
    });
    expect(problems).toHaveLength(3);
    expect(problems.join()).toContain('give values for order.');
  });
});

test('the table describes every setting once, with names that follow from one another', () => {
  expect(new Set(SETTINGS.map((row) => row.env)).size).toBe(SETTINGS.length);
  for (const row of SETTINGS) {
    const snake = row.name.replace(/[A-Z]/g, '_$&').toUpperCase();
    expect(row.env).toBe(`AGIO_${snake}`);
    expect(row.sentence).toMatch(/^[A-Z].*\.$/);
    expect(row.accepts.length).toBeGreaterThan(5);
    expect(row.defaultText).not.toContain('[object');
    // The URL of a database may have no password.
    if (row.name !== 'databaseUrl') expect(row.flag === null).toBe(row.secret);
  }
});

describe('mail', () => {
  test.each([
    ['AGIO_SMTP_URL', 'smtp://ann%40example.com:x@mail.example.com:587?tls=required'],
    ['AGIO_SMTP_URL', 'smtps://mail.example.com/'],
    ['AGIO_MAIL_FROM', 'no-reply@example.com'],
    ['AGIO_MAIL_FROM', 'agio Example <no-reply@example.com>'],
  ])('%s may be %p', (name, value) => {
    const config = load([], { [name]: value });
    expect([config.smtpUrl, config.mailFrom]).toContain(value);
  });

  test.each([
    ['AGIO_SMTP_URL', 'smtp://mail.example.com?tls=requird'],
    ['AGIO_SMTP_URL', 'smtp://mail.example.com/?rejectUnauthorized=false'],
    ['AGIO_SMTP_URL', 'smtp://mail.example.com/path'],
    ['AGIO_SMTP_URL', 'http://mail.example.com'],
    ['AGIO_MAIL_FROM', 'no-reply'],
    ['AGIO_MAIL_FROM', 'a@example.com\r\nBcc: b@example.com'],
    ['AGIO_MAIL_FROM', 'x <a@example.com>, b@example.com'],
    ['AGIO_MAIL_FROM', 'ä@example.com'],
  ])('%s is rejected: %p', (name, value) => {
    const [problem = ''] = problemsOf([], { [name]: value });
    expect(problem).toStartWith(name);
  });
});
