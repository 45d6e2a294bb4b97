// agio journal archive as an operator uses it: beside a running server and without one, the
// commands that then need the archive, and the way back.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  agio,
  appendCredits,
  cutIntoSmallFiles,
  expectRejected,
  loseViews,
  operate,
  Place,
  type ProgramEnd,
  readSandbox,
  Server,
  segmentsOf,
} from '../support/cli.ts';
import { until } from '../support/waiting.ts';

let place: Place;
/** A stopped venue of many segments, with two snapshots and views at its end. */
let venue: string;
/** The same after its journal was archived. */
let archived: string;
let archive: string;
let archiving: ProgramEnd;
let head: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  place = new Place();
  venue = place.path('venue');
  await (await Server.start(['--data', venue])).end('SIGTERM');
  await cutIntoSmallFiles(venue);
  for (let round = 0; round < 3; round++) {
    await appendCredits(venue, `round-${round}`, 1500);
    const server = await Server.start(['--data', venue]);
    head = await operate(readSandbox(venue), 'GET', 'journal/head');
    expect((await server.end('SIGTERM')).code).toBe(0);
  }
  archived = place.copy(venue, 'archived');
  archive = place.path('archive');
  archiving = await agio(['journal', 'archive', '--to', archive, '--data', archived]);
});
afterAll(() => place[Symbol.dispose]());

let copies = 0;
const copy = (directory: string): string => place.copy(directory, `copy-${++copies}`);
const start = (data: string): Promise<ProgramEnd> =>
  agio(['start', '--no-demo', '--port', '0', '--data', data]);
const firstSeqOf = (data: string): number => Number(/(\d+)\.seg$/.exec(segmentsOf(data)[0]!)![1]);
const snapshotSeqs = (data: string): number[] =>
  readdirSync(join(data, 'snapshots'))
    .map((name) => Number.parseInt(name, 10))
    .sort((a, b) => a - b);

async function stateHashOf(server: Server, data: string): Promise<unknown> {
  const { stateHash } = await operate(
    { ...readSandbox(data), url: server.url },
    'GET',
    'journal/head',
  );
  return stateHash;
}

test('archives closed files, keeps those that snapshots need, and adds only new ones', async () => {
  expect(archiving).toMatchObject({ code: 0, stderr: '' });
  const all = segmentsOf(venue);
  const kept = segmentsOf(archived);
  expect(kept.length).toBeLessThan(all.length / 2);
  expect(readdirSync(archive).filter((name) => name.endsWith('.seg'))).toHaveLength(all.length - 1);
  const [older] = snapshotSeqs(archived);
  expect(firstSeqOf(archived)).toBeLessThanOrEqual(older!);
  expect(archiving.stdout).toContain(`${all.length - 1} files were added.`);
  expect(archiving.stdout).toMatch(/^The journal begins at command [\d,]+\.$/m);

  const again = await agio(['journal', 'archive', '--to', archive, '--data', archived, '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ copied: 0, firstSeq: firstSeqOf(archived) });
});

test('verify proves everything with the archive, and names the gaps without it', async () => {
  const whole = await agio(['verify', '--data', archived, '--archive', archive]);
  expect(whole).toMatchObject({ code: 0, stderr: '' });
  expect(whole.stdout).toContain(`state hash ${head.stateHash}`);
  expect(whole.stdout).toMatch(/^✓ journal +[\d,]+ commands, every checksum/m);
  expect(whole.stdout).toMatch(/^✓ views +[\d,]+ rows up to seq/m);

  const alone = await agio(['verify', '--data', archived]);
  expect(alone).toMatchObject({ code: 0, stderr: '' });
  const [older] = snapshotSeqs(archived);
  expect(alone.stdout).toContain(
    `from the snapshot at seq ${older} to state hash ${head.stateHash}`,
  );
  expect(alone.stdout).toMatch(/^✓ journal .*What came before was archived: name the archive/m);
  expect(alone.stdout).toMatch(/^✓ interest +not proved/m);
  expect(alone.stdout).toMatch(/^✓ views +not compared/m);
  // The environment names it as well.
  const env = { AGIO_ARCHIVE: archive };
  expect((await agio(['verify', '--data', archived], { env })).stdout).toBe(whole.stdout);
});

test('verify finds a bit that was changed in the archive', async () => {
  const damaged = place.copy(archive, 'damaged-archive');
  // The oldest files are only in the archive; the newest are also in the journal.
  const names = readdirSync(damaged).filter((each) => each.endsWith('.seg'));
  const name = names.sort()[1]!;
  const bytes = readFileSync(join(damaged, name));
  bytes[500]! ^= 1;
  writeFileSync(join(damaged, name), bytes);
  const { code, stdout } = await agio(['verify', '--data', archived, '--archive', damaged]);
  expect(code).toBe(1);
  expect(stdout).toContain(`✗ journal     ${join(damaged, name)}`);
});

test('a server starts without the archive, and its history is whole', async () => {
  const data = copy(archived);
  await using server = await Server.start(['--data', data]);
  expect(await stateHashOf(server, data)).toBe(head.stateHash);
  await server.end('SIGTERM');
  const before = await agio(['export', 'statement', '1', '--data', venue]);
  expect(await agio(['export', 'statement', '1', '--data', data])).toEqual(before);
});

test('lost views are rebuilt from the archive; without it history answers 503', async () => {
  const data = copy(archived);
  const before = await agio(['export', 'statement', '1', '--data', data]);
  loseViews(data);
  const alone = await Server.start(['--data', data]);
  const sandbox = readSandbox(data);
  const ready = async () =>
    (await (await fetch(`${alone.url}/ready`)).json()) as { history?: { views?: unknown } };
  await until(async () => JSON.stringify(await ready()).includes('archived'));
  const body = { uid: 1, asset: 'BTC', amount: '1', reference: 'without history' };
  await operate(sandbox, 'POST', 'ledger/credit', body);
  const { stderr } = await alone.end('SIGTERM');
  expect(stderr).toContain(
    `begins at command ${firstSeqOf(data)}; the commands from 1 on were archived: ` +
      'name their archive with --archive DIR or AGIO_ARCHIVE.',
  );
  const unarchived = await agio(`export statement 1 --data ${data}`);
  expectRejected(unarchived, 'name their archive with --archive DIR');

  const server = await Server.start(['--data', data, '--archive', archive]);
  await server.end('SIGTERM');
  const verified = await agio(['verify', '--data', data, '--archive', archive]);
  expect(verified.stdout).toMatch(/^✓ views +[\d,]+ rows up to seq/m);
  const after = await agio(['export', 'statement', '1', '--data', data]);
  expect(after.stdout).toStartWith(before.stdout);
});

test('without a usable snapshot the state comes from the archive, or not at all', async () => {
  const data = copy(archived);
  rmSync(join(data, 'snapshots'), { recursive: true });
  expectRejected(await start(data), 'name their archive with --archive DIR');
  await using server = await Server.start(['--data', data, '--archive', archive]);
  expect(await stateHashOf(server, data)).toBe(head.stateHash);
});

test('replay and export begin with the archive, or where the journal does', async () => {
  const [older, newer] = snapshotSeqs(archived);
  const whole = await agio(['replay', '--data', archived, '--archive', archive, '--json']);
  const alone = await agio(['replay', '--data', archived, '--json']);
  for (const { stdout } of [whole, alone]) {
    expect(JSON.parse(stdout)).toMatchObject({ seq: head.seq, stateHash: head.stateHash });
  }
  const early = await agio(['replay', '--data', archived, '--to', '5']);
  expectRejected(early, `begins at the snapshot of command ${older}`);
  expect((await agio(['replay', '--data', archived, '--to', `${newer}`])).code).toBe(0);
  expect(
    await agio(['replay', '--data', archived, '--archive', archive, '--to', '5']),
  ).toMatchObject({ code: 0 });

  const lines = await agio(['export', 'journal', '--data', venue]);
  expect(await agio(['export', 'journal', '--data', archived, '--archive', archive])).toEqual(
    lines,
  );
  const kept = await agio(['export', 'journal', '--data', archived]);
  expect(JSON.parse(kept.stdout.split('\n')[0]!)).toMatchObject({ seq: firstSeqOf(archived) });
  const missing = await agio(['export', 'journal', '--data', archived, '--from', '1']);
  expectRejected(missing, 'name their archive with --archive DIR');
});

test('a backup of it verifies and starts', async () => {
  const target = place.path('backup');
  const backup = await agio(['backup', target, '--data', archived, '--include-key']);
  expect(backup).toMatchObject({ code: 0, stderr: '' });
  expect(backup.stdout).toContain('✓ views       none; a start with --archive DIR builds them');
  expect(segmentsOf(target).length).toBe(segmentsOf(archived).length);
  await using server = await Server.start(['--data', target, '--archive', archive]);
  expect(await stateHashOf(server, target)).toBe(head.stateHash);
});

test('a first file that is removed by hand is missing, not archived', async () => {
  const data = copy(archived);
  const [first] = segmentsOf(data);
  rmSync(first!);
  expectRejected(await start(data), `agio: ${first} is missing, and the journal begins with it;`);
});

test('a restored journal is whole again', async () => {
  const data = copy(archived);
  const { code, stdout } = await agio(['journal', 'restore', '--from', archive, '--data', data]);
  expect(code).toBe(0);
  expect(stdout).toContain('files were restored; the journal begins at command 1.');
  expect(segmentsOf(data).map((path) => readFileSync(path))).toEqual(
    segmentsOf(venue).map((path) => readFileSync(path)),
  );
  const verified = await agio(['verify', '--data', data]);
  expect(verified.stdout).toMatch(/^✓ views +[\d,]+ rows up to seq/m);
  expect(verified.code).toBe(0);
});

test('beside a running server: the server removes segments and continues', async () => {
  const data = copy(venue);
  const target = place.path('beside');
  // The journal keeps what the views still need.
  const server = await (await Server.start(['--data', data])).caughtUp();
  const sandbox = readSandbox(data);
  const credit = (reference: string) =>
    operate(sandbox, 'POST', 'ledger/credit', { uid: 1, asset: 'BTC', amount: '1', reference });
  await credit('before');
  const { code, stdout, stderr } = await agio(`journal archive --to ${target} --data ${data}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^The journal begins at command [\d,]+\.$/m);
  expect(segmentsOf(data).length).toBeLessThan(segmentsOf(venue).length / 2);
  await credit('after');
  const wrong = { seq: firstSeqOf(data) - 1, chainHash: 'f'.repeat(64) };
  const rejection = operate(sandbox, 'POST', 'journal/truncate', wrong);
  await expect(rejection).rejects.toThrow('100701');
  const audit = await operate(sandbox, 'GET', 'audit?pageSize=5');
  expect(JSON.stringify(audit)).toContain('journal.truncate');
  await server.end('SIGKILL');
  await using again = await Server.start(['--data', data]);
  await again.end('SIGTERM');
  expect(await agio(['verify', '--data', data, '--archive', target])).toMatchObject({ code: 0 });
});

test('without a token the copies are made, and the journal stays as it is', async () => {
  const data = copy(venue);
  const target = place.path('without-token');
  await using server = await Server.start(['--data', data]);
  rmSync(join(data, 'sandbox.json'));
  const url = ['--url', server.url];
  const archived = await agio(['journal', 'archive', '--to', target, '--data', data, ...url]);
  expect(archived.code).toBe(0);
  expect(archived.stdout).toContain('Nothing was removed from the journal: No operator token');
  expect(segmentsOf(data)).toHaveLength(segmentsOf(venue).length);
});

test('with one snapshot, or a damaged one, the journal stays as it is', async () => {
  for (const spoil of [
    (path: string) => rmSync(path),
    (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 500)),
  ]) {
    const data = copy(venue);
    const [, newest] = readdirSync(join(data, 'snapshots')).sort();
    spoil(join(data, 'snapshots', newest!));
    const target = place.path(`kept-${copies}`);
    const { code, stdout } = await agio(['journal', 'archive', '--to', target, '--data', data]);
    expect(code).toBe(0);
    expect(stdout).toContain('Nothing was removed from the journal:');
    expect(segmentsOf(data)).toHaveLength(segmentsOf(venue).length);
  }
});

test('an archive in the data directory, or of another journal, is rejected', async () => {
  const data = copy(venue);
  const inside = await agio(['journal', 'archive', '--to', join(data, 'x'), '--data', data]);
  expectRejected(inside, 'choose a directory on another disk');
  const other = place.path('other');
  await (await Server.start(['--data', other])).end('SIGTERM');
  await cutIntoSmallFiles(other);
  await appendCredits(other, 'other', 1500);
  const foreign = await agio(['journal', 'archive', '--to', archive, '--data', other]);
  expectRejected(foreign, /hold different histories|does not continue this journal/);
  expect((await agio(['verify', '--data', archived, '--archive', archive])).code).toBe(0);
});
