// The lock between real processes, since that is where it has to hold.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataDirectory } from './data-lock.ts';
import { JournalError } from './journal.ts';
import { refusal } from './journal-contract.ts';
import { openFileJournal } from './open-journal.ts';

const PROCESS = join(import.meta.dir, 'journal-process.ts');

describe('the lock on a data directory', () => {
  let data: string;

  beforeEach(() => {
    data = fs.mkdtempSync(join(tmpdir(), 'agio-lock-'));
  });
  afterEach(() => fs.rmSync(data, { recursive: true, force: true }));

  function lockError(): JournalError {
    try {
      lockDataDirectory(data).release();
    } catch (error) {
      if (error instanceof JournalError) return error;
    }
    throw new Error('the directory could be locked');
  }

  test('another process is refused until the holder dies, however it dies', async () => {
    const holder = Bun.spawn([process.execPath, PROCESS, 'lock', data], { stdout: 'pipe' });
    await holder.stdout.getReader().read();
    const error = await refusal('locked', openFileJournal(data));
    expect(error.message).toContain(data);
    expect(error.message).toContain(`pid ${holder.pid}`);
    holder.kill('SIGKILL');
    await holder.exited;
    const journal = await openFileJournal(data, { segmentBytes: 512 });
    expect(fs.readFileSync(join(data, 'lock.pid'), 'utf8')).toBe(`${process.pid}\n`);
    await journal.close();
  });

  test('the same process cannot lock twice, and can again after a release', () => {
    const lock = lockDataDirectory(data);
    expect(lockError().kind).toBe('locked');
    lock.release();
    lock.release();
    expect(fs.existsSync(join(data, 'lock.pid'))).toBe(false);
    lockDataDirectory(data).release();
  });

  test('a journal holds the lock until it is closed', async () => {
    const journal = await openFileJournal(data, { segmentBytes: 512 });
    expect(lockError().kind).toBe('locked');
    await journal.close();
    lockDataDirectory(data).release();
  });

  test("a journal under the caller's lock leaves it to the caller", async () => {
    const lock = lockDataDirectory(data);
    const journal = await openFileJournal(data, { segmentBytes: 512, lock });
    await journal.close();
    expect(lock.held).toBe(true);
    expect(lockError().kind).toBe('locked');
    lock.release();
  });

  test('a journal that cannot be opened leaves nothing locked', async () => {
    fs.mkdirSync(join(data, 'journal'));
    fs.writeFileSync(join(data, 'journal', '0000000000000001.seg'), 'not a segment');
    await refusal('corrupt', openFileJournal(data));
    lockDataDirectory(data).release();
  });

  test('a place that cannot hold a lock is an io error', () => {
    const file = join(data, 'file');
    fs.writeFileSync(file, '');
    expect(() => lockDataDirectory(file)).toThrow(JournalError);
    expect(() => lockDataDirectory(file)).toThrow(/cannot be locked/);
  });
});
