// The list of commands that were set aside: signed, bound to one journal, and marked on the records
// that readers get.
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { batchAfter } from '../../test/support/journal-contract.ts';
import type { JournalRecord } from './journal.ts';
import { openFileJournal, openHistory } from './open-journal.ts';
import { requireSigned, type SetAside, signSetAside } from './set-aside.ts';

const KEY = { kid: 'one', bytes: new Uint8Array(32).fill(1) };

async function marksIn(source: AsyncIterable<JournalRecord[]>) {
  const marks: unknown[] = [];
  for await (const group of source) marks.push(...group.map(({ setAside }) => setAside));
  return marks;
}

const MARK = { seq: 4, part: 0 };

test('a command is marked on its record, for every reader of its journal only', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agio-journal-'));
  try {
    const journal = await openFileJournal(directory);
    for (let n = 0; n < 3; n++) await journal.append(batchAfter(journal.head, 10, 2, 1));
    const records = (await Array.fromAsync(journal.read(1))).flat();
    const entryOf = (seq: number, index: number): SetAside => {
      const chainHash = Buffer.from(records[index]!.chainHash).toString('hex');
      return signSetAside(KEY, {
        seq,
        part: 0,
        chainHash,
        command: 'placeOrder',
        time: 1,
        reason: 'test',
      });
    };
    const entry = entryOf(4, 1);
    for (let times = 0; times < 2; times++) await journal.addSetAside([entry]);
    expect(await journal.setAside()).toEqual([entry]);
    expect(await marksIn(journal.read(1))).toEqual([undefined, [MARK], undefined]);
    const history = openHistory(directory, null);
    expect(await marksIn(history.read(3))).toEqual([[MARK], undefined]);
    await history.close();
    await journal.addSetAside([entryOf(6, 0)]);
    await expect(marksIn(journal.read(1))).rejects.toThrow('was set aside in another journal');
    await journal.close();
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('an entry that was changed, or is of another key, is not authentic', () => {
  const facts = {
    seq: 4,
    part: 2,
    chainHash: 'ab',
    command: 'placeOrder',
    time: 1,
    reason: 'test',
  };
  const entry = signSetAside(KEY, facts);
  requireSigned([entry], [KEY]);
  for (const changed of [
    { seq: 5 },
    { part: 0 },
    { chainHash: 'ac' },
    { reason: '' },
    { mac: '' },
  ]) {
    expect(() => requireSigned([{ ...entry, ...changed }], [KEY])).toThrow('not authentic');
  }
  expect(() => requireSigned([entry], [{ ...KEY, kid: 'two' }])).toThrow('not authentic');
});
