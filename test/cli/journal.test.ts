// The journal as an operator sees it: the lock against a second process, and starts with missing
// files or with a journal that is older than the rest.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { copyFileSync, cpSync, readdirSync, rmSync } from 'node:fs';
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

let place: Place;
/** A venue with several segments, stopped in good order. */
let venue: string;
/** The same at an earlier time. */
let earlier: string;

beforeAll(async () => {
  place = new Place();
  venue = place.path('venue');
  await (await Server.start(['--data', venue])).end('SIGTERM');
  await cutIntoSmallFiles(venue);
  earlier = place.copy(venue, 'earlier');
  await appendCredits(venue, 'later', 1500);
  expect(segmentsOf(venue).length).toBeGreaterThan(2);
  await (await Server.start(['--data', venue])).end('SIGTERM');
});
afterAll(() => place[Symbol.dispose]());

let copies = 0;
const copy = (): string => place.copy(venue, `copy-${++copies}`);

const start = (data: string): Promise<ProgramEnd> => agio(['start', '--port', '0', '--data', data]);

test('a second server is rejected whatever file was removed; the journal is whole', async () => {
  const data = copy();
  const server = await Server.start(['--data', data]);
  const sandbox = readSandbox(data);
  for (const name of ['lock.db', 'lock.db-journal', 'lock.pid', 'sandbox.json', 'master.key']) {
    rmSync(join(data, name), { force: true });
  }
  expectRejected(
    await start(data),
    `agio: The data directory ${data} is in use by another agio process; ` +
      'stop that process, or start with another data directory (--data).\n',
  );
  const body = { uid: 1, asset: 'BTC', amount: '1', reference: 'after the second start' };
  await operate(sandbox, 'POST', 'ledger/credit', body);
  await server.end('SIGTERM');
  const { stdout } = await agio(['verify', '--data', data]);
  expect(stdout).toMatch(/^✓ journal/m);
});

test.each([
  ['as it is', () => undefined],
  ['without views', loseViews],
  ['without snapshots', (data) => rmSync(join(data, 'snapshots'), { recursive: true })],
] as [string, (data: string) => void][])(
  'a missing first segment is rejected and named, %s',
  async (_, lose) => {
    const data = copy();
    const [first] = segmentsOf(data);
    rmSync(first!);
    lose(data);
    expectRejected(await start(data), `agio: ${first} is missing, and the journal begins with it;`);
    expect((await agio(['verify', '--data', data])).stdout).toContain(`✗ journal     ${first} is`);
  },
);

test('a journal that is older than the rest was restored from an older backup', async () => {
  const data = copy();
  rmSync(join(data, 'journal'), { recursive: true });
  cpSync(join(earlier, 'journal'), join(data, 'journal'), { recursive: true });
  const newer = readdirSync(join(data, 'snapshots')).filter(
    (name) => !readdirSync(join(earlier, 'snapshots')).includes(name),
  );
  const { code, stdout, stderr } = await start(data);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('the journal was restored from an older backup');
  expect(stderr).not.toContain('damaged');
  for (const name of newer) expect(stderr).toContain(join(data, 'snapshots', name));
  expect(stderr).toContain(`${join(data, 'views.db')}*`);
  const verified = await agio(['verify', '--data', data]);
  expect(verified.stdout).toMatch(/^✗ journal .*restored from an older backup/m);

  // The remedy of the message, to keep the older journal.
  for (const name of newer) rmSync(join(data, 'snapshots', name));
  loseViews(data);
  copyFileSync(join(earlier, 'identity.db'), join(data, 'identity.db'));
  await using server = await Server.start(['--data', data]);
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
});
