// The verification finds every kind of difference, names it, and leaves the views as they are.
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { SimulatedDisk } from '../../test/sim/simulated-disk.ts';
import { Prng } from '../../test/support/prng.ts';
import { tradeAtRandom, tradedVenue } from '../../test/support/trading-workload.ts';
import { openFollower, TemporaryDirectory, writeLog } from '../../test/support/view-files.ts';
import { BinaryWriter } from '../core/binary.ts';
import type { Fields, RecordOf } from '../core/codec.ts';
import { lots } from '../core/units.ts';
import { FileJournalReader } from '../journal/file-journal-reader.ts';
import { FILLS } from '../views/fills.ts';
import type { PackedTable } from '../views/packed-table.ts';
import { viewsPath } from '../views/view-store.ts';
import { checkpointOf } from './follower.ts';
import { verifyViews } from './verify-views.ts';

let directory: TemporaryDirectory;
let path: string;
const disk = new SimulatedDisk({ seed: 1 });
const venue = tradedVenue(1, 800);

beforeAll(async () => {
  directory = new TemporaryDirectory();
  path = viewsPath(directory.path);
  await writeLog(disk, venue.log);
  const follower = await openFollower(disk, directory.path);
  await follower.stop(checkpointOf(venue.exchange));
  // Commands after the views were written are no difference.
  tradeAtRandom(venue, new Prng(2), 50);
  await writeLog(disk, venue.log);
});
afterAll(() => directory[Symbol.dispose]());

async function verifyAfter(spoil: string | ((db: Database) => void)) {
  const spoiled = join(directory.path, 'spoiled.db');
  copyFileSync(path, spoiled);
  const db = new Database(spoiled);
  if (typeof spoil === 'string') db.run(spoil);
  else spoil(db);
  db.close();
  return verifyViews({ viewsPath: spoiled, journal: new FileJournalReader(disk.mount()) });
}

/** Replaces what a packed row has of the record with tradeId 3. */
function changeTrade<F extends Fields>(
  db: Database,
  table: PackedTable<F>,
  change: (record: RecordOf<F>) => RecordOf<F>,
): void {
  type StoredBlock = { readonly first: number; readonly data: Uint8Array };
  const rows = db
    .query<StoredBlock & Record<string, number>, []>(`SELECT * FROM ${table.name}`)
    .all();
  for (const row of rows) {
    const group = table.group.map((name) => row[name]!);
    const records = table.unpack(group, row.data);
    const at = records.findIndex((record) => record[table.id] === 3);
    if (at < 0) continue;
    records[at] = change(records[at]!);
    const [out, before] = [new BinaryWriter(), table.zeros()];
    for (const record of records) table.pack(out, record, before);
    const where = [...table.group, 'first'].map((name) => `${name} = ${row[name]}`).join(' AND ');
    db.run(`UPDATE ${table.name} SET data = ? WHERE ${where}`, [out.view()]);
    return;
  }
}

describe('views', () => {
  test('that match the journal have no differences', async () => {
    const result = await verifyAfter('SELECT 1');
    expect(result.differences).toEqual([]);
    expect(result.rows).toBeGreaterThan(1000);
  });

  test('with a changed row differ in it', async () => {
    const { differences } = await verifyAfter((db) =>
      changeTrade(db, FILLS, (fill) => ({ ...fill, quantity: lots(fill.quantity + 1) })),
    );
    expect(differences).toHaveLength(1);
    const [{ table, key, stored, expected }] = differences;
    expect(table).toBe('fills');
    expect(key.tradeId).toBe(3);
    expect(stored?.quantity).toBe((expected?.quantity as number) + 1);
  });

  test('with a row too few and a row too many differ in both', async () => {
    const { differences } = await verifyAfter(
      'UPDATE entries SET entryId = 999999 WHERE entryId = 3',
    );
    expect(differences).toMatchObject([
      { table: 'entries', key: { entryId: 3 }, stored: null },
      { table: 'entries', key: { entryId: 999999 }, expected: null },
    ]);
  });

  test('with many differences are reported by the first of them', async () => {
    const { differences } = await verifyAfter('DELETE FROM orders');
    expect(differences).toHaveLength(10);
    const chain = await verifyAfter('UPDATE meta SET chainHash = zeroblob(32)');
    expect(chain.differences).toMatchObject([{ table: 'meta', key: { id: 1 } }]);
  });
});
