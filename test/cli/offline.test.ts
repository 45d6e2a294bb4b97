// The commands that act on a directory: verify finds every kind of damage, and nothing in a sound
// one; replay, snapshot and export agree with the server. A real server fills one venue, and each
// test damages a copy of it.
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markMoved } from '../../src/moved-venue.ts';
import {
  agio,
  expectRejected,
  loseViews,
  operate,
  Place,
  type ProgramEnd,
  readSandbox,
  Server,
  segmentsOf,
} from '../support/cli.ts';

let place: Place;
let venue: string;
let uid: number;
let head: Readonly<Record<string, unknown>>;
let auditHead: { readonly id: number; readonly hash: string };

beforeAll(async () => {
  place = new Place();
  venue = place.path('venue');
  // Two terms of the server, so that there are two snapshots.
  const first = await Server.start(['--data', venue]);
  const user = await operate(readSandbox(venue), 'POST', 'users', { email: 'ada@example.com' });
  uid = Number(user.uid);
  await first.end('SIGTERM');
  const second = await Server.start(['--data', venue]);
  const sandbox = readSandbox(venue);
  for (const [asset, amount] of [
    ['BTC', '0.5'],
    ['USDT', '123456789012345678901.5'],
    ['USDT', '1'],
  ]) {
    const body = { uid, asset, amount, reference: `wire, "${asset}" ${amount}` };
    await operate(sandbox, 'POST', 'ledger/credit', body);
  }
  await operate(sandbox, 'PATCH', 'instruments/BTC-USDT', { makerFee: '0.001' });
  head = await operate(sandbox, 'GET', 'journal/head');
  auditHead = (await operate(sandbox, 'GET', 'audit')).head as typeof auditHead;
  await second.end('SIGTERM');
});
afterAll(() => place[Symbol.dispose]());

let copies = 0;
const copy = (): string => place.copy(venue, `copy-${++copies}`);

const verify = (data: string, ...flags: string[]): Promise<ProgramEnd> =>
  agio(['verify', '--data', data, ...flags]);

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}

test('verify finds nothing wrong in the directory of a stopped server', async () => {
  const { code, stdout, stderr } = await verify(venue);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const checks = stdout.trimEnd().split('\n');
  expect(
    checks.filter((line) => line.startsWith('✓')).map((line) => line.slice(2, 12).trim()),
  ).toEqual([
    'journal',
    'invariants',
    'interest',
    'snapshot',
    'snapshot',
    'views',
    'identity',
    'audit log',
    'people',
  ]);
  expect(checks.at(-1)).toBe(`${venue} is as it should be.`);
  expect(stdout).toContain(`state hash ${head.stateHash}, chain hash ${head.chainHash}`);
  expect(stdout).toMatch(/^✓ identity +\d+ rows fit their MAC, \d+ secrets open$/m);
});

test('verify --json has the same checks', async () => {
  const { code, stdout } = await verify(venue, '--json');
  const verdict = JSON.parse(stdout) as { ok: boolean; checks: { name: string; ok: boolean }[] };
  expect(code).toBe(0);
  expect(verdict.ok).toBe(true);
  expect(verdict.checks.map(({ name }) => name)).toContain('views');
});

test('verify names file and offset of a flipped bit in the journal', async () => {
  const data = copy();
  const segment = segmentsOf(data)[0]!;
  flip(segment, 400);
  const { code, stdout } = await verify(data);
  expect(code).toBe(1);
  const found = /^✗ journal +(\S+) is damaged at byte (\d+): command \d+ /m.exec(stdout)!;
  expect(found[1]).toBe(segment);
  expect(Number(found[2])).toBeLessThanOrEqual(400);
  expect(Number(found[2])).toBeGreaterThan(150);
  expect(stdout).toContain(`${data} is NOT as it should be.`);
});

test('verify does not take a damaged last record for a torn one', async () => {
  const data = copy();
  const segment = segmentsOf(data)[0]!;
  const bytes = readFileSync(segment);
  const last = bytes.findLastIndex((byte) => byte !== 0);
  flip(segment, last);
  const { code, stdout } = await verify(data);
  expect(code).toBe(1);
  expect(stdout).toContain(`✗ journal     ${segment} is damaged at byte`);
});

test('verify finds a cut journal by a noted head, without snapshots and views', async () => {
  const data = copy();
  const noted = ['--journal-head', `${head.seq}:${head.chainHash}`];
  expect(await verify(data, ...noted)).toMatchObject({ code: 0 });
  const segment = segmentsOf(data)[0]!;
  const bytes = readFileSync(segment);
  writeFileSync(segment, bytes.fill(0, 2000));
  rmSync(join(data, 'snapshots'), { recursive: true });
  loseViews(data);
  const { code, stdout } = await verify(data, ...noted);
  expect(code).toBe(1);
  expect(stdout).toMatch(/✗ noted head +no record ends at seq/);
});

test('verify finds damaged snapshots, views, and audit entries', async () => {
  const data = copy();
  const [snapshot] = readdirSync(join(data, 'snapshots'));
  flip(join(data, 'snapshots', snapshot!), 200);
  const views = new Database(join(data, 'views.db'));
  views.run('UPDATE entries SET amount = 77 WHERE entryId = 3');
  views.close();
  const identity = new Database(join(data, 'identity.db'));
  identity.run('DROP TRIGGER audit_log_is_not_edited');
  identity.run(`UPDATE audit_log SET actor = 'system' WHERE id = 2`);
  identity.close();
  const { code, stdout } = await verify(data);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^✓ journal/m);
  expect(stdout).toMatch(new RegExp(`^✗ snapshot +\\S+${snapshot} is damaged`, 'm'));
  expect(stdout).toMatch(/^✗ views +\S+ differs from the journal, first in entries/m);
  expect(stdout).toMatch(/^✗ audit log +Audit entry 2 /m);
});

test('verify finds a cut audit log by a noted head, and users of another venue', async () => {
  const data = copy();
  const noted = ['--audit-head', `${auditHead.id}:${auditHead.hash}`];
  expect(await verify(data, ...noted)).toMatchObject({ code: 0 });
  const identity = new Database(join(data, 'identity.db'));
  identity.run('DROP TRIGGER audit_log_is_not_deleted');
  identity.run(`DELETE FROM audit_log WHERE id >= ${auditHead.id}`);
  identity.run(`INSERT INTO users VALUES (99, 'mallory@example.com', NULL, 1)`);
  identity.close();
  const { code, stdout } = await verify(data, ...noted);
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`^✗ audit log +Audit entry ${auditHead.id} is missing`, 'm'));
  expect(stdout).toMatch(/^✗ identity +identity.db was altered .*audit_log_is_not_deleted/m);
  expect(stdout).toMatch(/^✗ people +identity.db knows uid 99/m);
});

test('verify needs the master key, and reports a missing or wrong one', async () => {
  const data = copy();
  const file = join(data, 'master.key');
  writeFileSync(file, `${'ab'.repeat(32)}\n`);
  const wrong = await verify(data);
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toMatch(/^\? identity +identity.db is authenticated under master key/m);
  expect(wrong.stdout).toMatch(/^\? snapshot +.* was not checked: .* which is not active/m);
  rmSync(file);
  const missing = await verify(data);
  expect(missing.code).toBe(1);
  expect(missing.stdout).toMatch(/^\? master key +No master key was given, .*\(--env-file FILE\)/m);
  expect(missing.stdout).toMatch(
    /^\? identity +.* was not checked: no usable master key was given$/m,
  );
  expect(missing.stdout).toMatch(
    /^\? snapshot +.* was not checked: no usable master key was given: set/m,
  );
  const malformed = await agio(['verify', '--data', data], { env: { AGIO_MASTER_KEY: 'hunter2' } });
  expect(malformed.code).toBe(1);
  expect(malformed.stdout).toMatch(/^\? master key +AGIO_MASTER_KEY is not a master key: give/m);
  expect(malformed.stdout).not.toMatch(/^✗|NOT as it should be/m);
  // Checks without a key still run, and no message calls a file wrong or advises to remove it.
  expect(missing.stdout).toMatch(/^✓ journal +/m);
  expect(missing.stdout).not.toMatch(/^✗|not authentic|remove|NOT as it should be/m);
  expect(missing.stdout.trimEnd()).toEndWith('need the master key. Nothing wrong was found.');
});

test('a file with the settings gives the key, before and after the command’s name', async () => {
  const data = copy();
  const file = join(data, 'master.key');
  const settings = `${data}.env`;
  const key = readFileSync(file, 'utf8').trim();
  rmSync(file);
  writeFileSync(settings, `# settings\nAGIO_DATA="${data}"\n\nAGIO_MASTER_KEY=${key}\n`);
  expect(await agio(['verify', '--env-file', settings])).toMatchObject({ code: 0 });
  expect(await agio(['--env-file', settings, 'verify'])).toMatchObject({ code: 0 });
  const env = { AGIO_ENV_FILE: settings };
  expect(await agio('verify', { env })).toMatchObject({ code: 0 });
  // The environment overrides the file.
  const missing = await agio('verify', { env: { ...env, AGIO_DATA: `${data}.other` } });
  expectRejected(missing, `${data}.other has no journal`);
  const empty = await agio('verify', { env: { ...env, AGIO_MASTER_KEY: '' } });
  expect(empty.stdout).toMatch(/^\? master key +No master key was given/m);
  // It is no setting of a server.
  expect(await agio('config', { env })).toMatchObject({ code: 0 });
  // A quote within an unquoted value is a part of it, as for systemd.
  writeFileSync(settings, `AGIO_SMTP_URL=smtp://u:p'w"x@mail.example.com\nAGIO_PORT=9123\n`);
  expect((await agio('config', { env })).stdout).toContain('9123');
  writeFileSync(settings, `AGIO_DATA=${data}\nsecret\n`);
  expectRejected(await agio('verify', { env }), `agio: Line 2 of ${settings} is not NAME=VALUE.`);
});

test('a backup of a moved venue does not start either, and --quiet prints nothing', async () => {
  const data = copy();
  markMoved(data, 'postgres://db.example.com/agio', 0);
  const target = `${data}-moved`;
  const backup = await agio(['backup', target, '--data', data, '--include-key', '--quiet']);
  expect(backup).toEqual({ code: 0, stdout: '', stderr: '' });
  const start = await agio(['start', '--no-demo', '--port', '0', '--data', target]);
  expectRejected(start, 'was moved into a database (');
});

test('a backup needs the key before it copies anything', async () => {
  const data = copy();
  rmSync(join(data, 'master.key'));
  const target = `${data}-backup`;
  const keyless = await agio(['backup', target, '--data', data]);
  expectRejected(keyless, 'No master key was given');
  const env = { AGIO_MASTER_KEY: 'ab'.repeat(32) };
  const wrong = await agio(['backup', target, '--data', data], { env });
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toMatch(/The copy was not verified and was removed: .* is not active/);
  expect([target, `${target}.partial`].filter((path) => existsSync(path))).toEqual([]);
});

test('views and snapshots of another release are no fault: a downgrade goes on', async () => {
  const data = copy();
  const views = new Database(join(data, 'views.db'));
  views.run('PRAGMA user_version = 999');
  views.close();
  const folder = join(data, 'snapshots');
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    bytes[bytes.indexOf('agio-snapshot') + 'agio-snapshot'.length] = 0;
    writeFileSync(join(folder, name), bytes);
  }
  const { code, stdout } = await verify(data);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^✓ views +not compared, since a newer release wrote it: .* 999, /m);
  expect(stdout).toMatch(
    /^✓ snapshot +seq \d+ was not compared, since the format of its file is 0/m,
  );
  // Such files cost a longer start, and nothing else.
  expect(await agio(['snapshot', '--data', data])).toMatchObject({ code: 0 });
  expect((await verify(data)).stdout).toMatch(/^✓ views +\d+ rows up to seq/m);
});

test('views may be missing: they are rebuilt', async () => {
  const data = copy();
  loseViews(data);
  expect(await verify(data)).toMatchObject({ code: 0 });
  expect(await agio(['snapshot', '--data', data])).toMatchObject({ code: 0 });
  expect(existsSync(join(data, 'views.db'))).toBe(true);
  const { code, stdout } = await verify(data);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^✓ views +\d+ rows up to seq/m);
});

test('replay comes to the state that the server had', async () => {
  const { code, stdout } = await agio(['replay', '--data', venue, '--json']);
  expect(code).toBe(0);
  const { seq, time, stateHash } = head;
  expect(JSON.parse(stdout)).toMatchObject({ seq, time, stateHash });
  const early = await agio(['replay', '--data', venue, '--to', '5']);
  expect(early.stdout).toMatch(/^seq +5$/m);
  expect(early.stdout).toMatch(/commands\/s/);
  const beyond = await agio(`replay --data ${venue} --to 99999`);
  expectRejected(beyond, `The journal ends at seq ${seq}, before 99999.`);
});

test('snapshot writes one at the end of the journal', async () => {
  const data = copy();
  rmSync(join(data, 'snapshots'), { recursive: true });
  const { code, stdout } = await agio(['snapshot', '--data', data, '--json']);
  expect(code).toBe(0);
  const { seq, stateHash } = head;
  expect(JSON.parse(stdout)).toEqual({ seq, stateHash });
  expect(readdirSync(join(data, 'snapshots'))).toHaveLength(1);
  expect(await verify(data)).toMatchObject({ code: 0 });
});

test('export writes every command of the journal once', async () => {
  const out = place.path('journal.jsonl');
  expect(await agio(['export', 'journal', '--data', venue, '--out', out])).toMatchObject({
    code: 0,
  });
  const text = readFileSync(out, 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq: number; chainHash?: string });
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, at) => at + 1));
  expect(lines.at(-1)).toMatchObject({ seq: head.seq, chainHash: head.chainHash });
  expect(text).toContain('"amount":12345678901234567890150000000,');
  const some = await agio(['export', 'journal', '--data', venue, '--from', '3', '--to', '4']);
  expect(some.stdout).toBe(`${text.split('\n').slice(2, 4).join('\n')}\n`);
  const backwards = await agio(`export journal --data ${venue} --from 4 --to 3`);
  expectRejected(backwards, 'agio: --to 3 lies before --from 4.\n');
  expectRejected(await agio(`export journal --data ${venue} --out ${out}`), 'EEXIST');
});

test('export writes the statement of a user, exactly', async () => {
  const { code, stdout } = await agio(['export', 'statement', String(uid), '--data', venue]);
  expect(code).toBe(0);
  const [header, ...rows] = stdout.trimEnd().split('\r\n');
  expect(header).toBe(
    'entryId,time,type,asset,amount,balance,tradeId,orderId,transferId,reference,applyId',
  );
  expect(rows).toHaveLength(3);
  expect(rows[1]).toContain(',credit,USDT,123456789012345678901.5,123456789012345678901.5,,,');
  expect(rows[1]).toContain(',"wire, ""USDT"" 123456789012345678901.5"');
  expect(rows[2]).toContain(',credit,USDT,1,123456789012345678902.5,');
  const lines = `export statement ${uid} --data ${venue} --format jsonl --asset BTC`;
  const json = await agio(lines);
  expect(JSON.parse(json.stdout)).toMatchObject({ asset: 'BTC', type: 'credit', amount: 0.5 });
  const unknown = await agio(`export statement 999 --data ${venue}`);
  expectRejected(unknown, 'agio: There is no user 999.\n');
});
