// Properties of the source and the lock file: only names of fields are evaluated, only known
// processes and connections exist, and randomness and algorithms are those of docs/security.md.
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFields } from '../../src/core/compiled-fields.ts';

const ROOT = join(import.meta.dir, '../..');

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.ts$/.test(name) && !/\.(test|d)\.ts$/.test(name))
  .map((name) => ({ path: `src/${name}`, text: readFileSync(join(ROOT, 'src', name), 'utf8') }));

/** Paths of the files in which the pattern is found. */
const filesWith = (pattern: RegExp, below = 'src/'): string[] =>
  sources
    .filter(({ path, text }) => path.startsWith(below) && pattern.test(text))
    .map(({ path }) => path)
    .sort();

const findsOf = (pattern: RegExp): string[] =>
  sources.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, found]) => found!));

describe('the source', () => {
  test('evaluates only the names of fields, and makes no pattern from input', () => {
    expect(sources.length).toBeGreaterThan(150);
    expect(filesWith(/\beval\(|\bvm\.|new RegExp\(/)).toEqual([]);
    expect(filesWith(/\bFunction\(/)).toEqual(['src/core/compiled-fields.ts']);
    const evaluate = () => compileFields({ 'a(1)': {} }, (each) => each((name) => name));
    expect(evaluate).toThrow('a field has a plain name');
  });

  test('starts no process but by fixed arguments', () => {
    // The command line and the builds are tools of an operator on the machine.
    const ofServer = (path: string) => !/^src\/(cli|sdk|ccxt)\//.test(path);
    const unbounded = /\bchild_process\b|Bun\.\$|\bexecSync\b/;
    expect(filesWith(unbounded).filter(ofServer)).toEqual([]);
    expect(filesWith(/Bun\.spawn/).filter(ofServer)).toEqual(['src/identity/proofs/passwords.ts']);
  });

  test('connects only to the mail server; only clients connect to this server', () => {
    const outgoing = /\bfetch\(|from 'node:(net|tls|https?|dgram)'|Bun\.connect|new WebSocket\(/;
    const inServer = ['gateway', 'engine', 'core', 'journal', 'views', 'contract'];
    for (const folder of inServer) {
      const found = filesWith(outgoing, `src/${folder}/`);
      // isIP and isIPv6 read addresses and connect to none.
      const connecting = found.filter((path) => {
        const { text } = sources.find((source) => source.path === path)!;
        return !/import \{ isIP(v6)? \} from 'node:net'/.test(text) || /\bfetch\(/.test(text);
      });
      expect(connecting.filter((path) => !/fetch: \(request/.test(textOf(path)))).toEqual([]);
    }
    expect(filesWith(/from 'nodemailer'/)).toEqual(['src/identity/mail/mailer.ts']);
  });

  test('takes what must not be guessed from the system', () => {
    for (const folder of ['identity', 'gateway', 'contract', 'engine', 'journal']) {
      expect(filesWith(/Math\.random|randomUUID/, `src/${folder}/`)).toEqual([]);
    }
  });

  test('lowers the cost of a password hash by no setting and no command', () => {
    expect(filesWith(/passwordCost/)).toEqual([
      'src/identity/identity.ts',
      'src/node-identity.ts',
      'src/node.ts',
    ]);
  });

  test('uses the algorithms of the inventory and no others', () => {
    const hashes = findsOf(/(?:createHash|createHmac|CryptoHasher)\(\s*'([\w-]+)'/g);
    expect([...new Set(hashes)].sort()).toEqual(['sha1', 'sha256']);
    // RFC 6238: what authenticator apps speak.
    expect(filesWith(/'sha1'/)).toEqual(['src/identity/proofs/totp-code.ts']);
    expect([...new Set(findsOf(/'(aes-[\w-]+)'/g))]).toEqual(['aes-256-gcm']);
    expect(findsOf(/algorithm: '(\w+)'/g)).toEqual(['argon2id']);
    expect(filesWith(/\b(md5|des-ede|rc4|ecb)\b/i)).toEqual([]);
  });

  test('makes SQL from constants: input is always a parameter', () => {
    const interpolated = sources
      .filter(({ path }) => path.startsWith('src/identity/') && !OF_SCHEMA.includes(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/`\s*(?:SELECT|INSERT|UPDATE|DELETE|PRAGMA)[^`]*`/g)].flatMap(([sql]) =>
          [...sql.matchAll(/\$\{([^}]*)\}/g)].map(([, what]) => `${path} ${what}`),
        ),
      );
    // Constants, one of three conditions that its type lists, and texts that stand above their use.
    // The files of OF_SCHEMA make their SQL of the schema, and pass nothing else to it.
    expect([...new Set(interpolated)].sort()).toEqual([
      'src/identity/audit.ts COLUMNS',
      'src/identity/audit.ts ended',
      'src/identity/proofs/known-networks.ts MAX_OF_USER',
      'src/identity/sessions.ts COLUMNS',
      'src/identity/sessions.ts condition',
      'src/identity/storage/identity-store.ts lockingMode',
      'src/identity/users.ts COLUMNS',
      'src/identity/users.ts where',
    ]);
  });
});

describe('an index whose keys a client chooses', () => {
  test('is ordered, or has a secret: nobody can compute which keys share a place', () => {
    // Checksums of records and of books.
    expect(filesWith(/Bun\.hash/)).toEqual([
      'src/journal/point-header.ts',
      'src/journal/record.ts',
      'src/streams/book-topics.ts',
    ]);
    expect(filesWith(/randomInt\(2 \*\* 32\), b: randomInt/)).toEqual([
      'src/engine/snapshot-store.ts',
    ]);
    expect(filesWith(/new KeyedHash\(/)).toEqual([
      'src/core/matching/order-store.ts',
      'src/core/state.ts',
    ]);
  });

  test('is a map of texts only where the reason is known', () => {
    const found = filesWith(/new (?:Map|Set|BoundedMap)<(?:string|Key)\b|BoundedMap<string/);
    const server = found.filter((path) => !/^src\/(cli|sdk|ccxt|conformance|sandbox)\//.test(path));
    expect(server.filter((path) => !(path in MAPS_OF_TEXTS))).toEqual([]);
    expect(Object.keys(MAPS_OF_TEXTS).filter((path) => !server.includes(path))).toEqual([]);
  });
});

/**
 * The files with maps or sets of texts, and who chooses the texts: the server, or the operator; a
 * client that has `few` of them, or those of one `request`; or strangers, who pay for each by a
 * `limited` request, a password hash or an address, and whose texts stay for seconds or minutes.
 * The runtime hashes texts without a secret, so texts can be chosen for one bucket: with 4,000 of
 * them a lookup costs 6 µs in place of 0.2 µs.
 */
const MAPS_OF_TEXTS: Readonly<
  Record<string, 'server' | 'operator' | 'few' | 'request' | 'limited'>
> = {
  'src/cluster/own-membership.ts': 'server',
  'src/cluster/postgres/known-database.ts': 'server',
  'src/contract/fields.ts': 'server',
  'src/contract/json.ts': 'server',
  'src/contract/query.ts': 'request',
  'src/core/earn/earn-invariants.ts': 'server',
  'src/core/ledger/references.ts': 'operator',
  'src/core/outcome-form.ts': 'server',
  'src/core/state.ts': 'operator',
  'src/core/trading/sweeps.ts': 'server',
  'src/dialects/binance/endpoints.ts': 'server',
  'src/dialects/binance/listen-keys.ts': 'server',
  'src/dialects/binance/stream-hub.ts': 'operator',
  'src/dialects/binance/symbols.ts': 'operator',
  'src/engine/follower-restarts.ts': 'server',
  'src/engine/thread-cpu.ts': 'server',
  // Digests of valid signatures: a client has to find texts of one bucket by HMACs of its key.
  'src/gateway/auth/rejected-logins.ts': 'limited',
  'src/gateway/http/response.ts': 'server',
  'src/gateway/http/router.ts': 'server',
  'src/gateway/http/shared-answers.ts': 'few',
  'src/gateway/http/web-pages.ts': 'server',
  'src/gateway/limits/rate-limit.ts': 'limited',
  'src/identity/api-keys.ts': 'server',
  'src/identity/decaying-counter.ts': 'limited',
  'src/identity/mail/outbox.ts': 'server',
  'src/identity/sealing.ts': 'server',
  'src/identity/users.ts': 'limited',
  'src/streams/budget.ts': 'limited',
  'src/streams/connection.ts': 'few',
  'src/streams/hub.ts': 'operator',
};

const OF_SCHEMA = [
  'src/identity/storage/authentic-rows.ts',
  'src/identity/storage/row-text.ts',
  'src/identity/storage/sealed-secrets.ts',
];

const textOf = (wanted: string): string => sources.find(({ path }) => path === wanted)!.text;

test('the lock file pins every package by its hash, and only bun runs a script', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; integrity?: string; link?: boolean }>;
  };
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
  expect(packages.length).toBeGreaterThan(50);
  const loose = packages.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''));
  expect(loose.map(([path]) => path)).toEqual([]);
  const { allowScripts, dependencies, devDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>;
  const allowed = Object.entries(allowScripts!).filter(([, may]) => Boolean(may));
  expect(allowed.map(([name]) => name)).toEqual(['bun']);
  for (const version of Object.values({ ...dependencies, ...devDependencies })) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  }
});
