// The lock between real processes, since that is where it has to hold.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendAll, rejection } from '../../test/support/journal-contract.ts';
import { lockDataDirectory } from './data-lock.ts';
import { JournalError } from './journal.ts';
import { journalDirectory, openFileJournal } from './open-journal.ts';

const PROCESS = join(import.meta.dir, '../../test/support/journal-process.ts');

/** Reads until `count` more lines came; the last of them is a number. */
async function lastLine(
  reader: { read(): Promise<{ readonly value?: Uint8Array }> },
  count: number,
): Promise<number> {
  let text = '';
  while (text.split('\n').length <= count) {
    text += new TextDecoder().decode((await reader.read()).value);
  }
  return Number(text.split('\n').at(-2));
}

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

  test('another process is rejected until the holder dies, however it dies', async () => {
    const holder = Bun.spawn([process.execPath, PROCESS, 'lock', data], { stdout: 'pipe' });
    await holder.stdout.getReader().read();
    const error = await rejection('locked', openFileJournal(data));
    expect(error.message).toContain(data);
    expect(error.message).toContain(`pid ${holder.pid}`);
    holder.kill('SIGKILL');
    await holder.exited;
    const journal = await openFileJournal(data, { segmentBytes: 512 });
    expect(fs.readFileSync(join(data, 'lock.pid'), 'utf8')).toBe(`${process.pid}\n`);
    await journal.close();
  });

  test('removing every file beside the journal lets no second process in', async () => {
    const holder = Bun.spawn([process.execPath, PROCESS, 'append', data], { stdout: 'pipe' });
    const reader = holder.stdout.getReader();
    await reader.read();
    for (const name of fs.readdirSync(data)) {
      if (name !== 'journal') fs.rmSync(join(data, name), { recursive: true });
    }
    const second = Bun.spawn([process.execPath, PROCESS, 'append', data], { stderr: 'pipe' });
    expect(await new Response(second.stderr).text()).toContain('in use by another agio process');
    expect(await second.exited).not.toBe(0);
    const appended = await lastLine(reader, 200);
    holder.kill('SIGKILL');
    await holder.exited;
    const journal = await openFileJournal(data);
    expect(journal.head.seq).toBeGreaterThanOrEqual(appended);
    await journal.close();
  });

  test('two directories that share the files of one journal lock each other out', async () => {
    const journal = await openFileJournal(data, { segmentBytes: 4096 });
    await appendAll(journal, [100]);
    const other = fs.mkdtempSync(join(tmpdir(), 'agio-linked-'));
    fs.mkdirSync(join(other, 'journal'));
    for (const name of fs.readdirSync(journalDirectory(data))) {
      fs.linkSync(join(journalDirectory(data), name), join(other, 'journal', name));
    }
    const error = await rejection('locked', openFileJournal(other));
    expect(error.message).toContain('Another process writes');
    await appendAll(journal, [100]);
    await journal.close();
    fs.rmSync(other, { recursive: true });
  });

  test('a journal whose directory was replaced makes no file in the new one', async () => {
    const journal = await openFileJournal(data, { segmentBytes: 512 });
    await appendAll(journal, [100]);
    fs.renameSync(journalDirectory(data), join(data, 'moved'));
    fs.mkdirSync(journalDirectory(data));
    const error = await rejection('io', appendAll(journal, [400, 400]));
    expect(error.message).toContain('was replaced by another directory');
    expect(fs.readdirSync(journalDirectory(data))).toEqual([]);
    await journal.close().catch(() => undefined);
  });

  test('a child process keeps no lock after its parent was killed', async () => {
    const holder = Bun.spawn([process.execPath, PROCESS, 'lock-and-spawn', data], {
      stdout: 'pipe',
    });
    const { value } = await holder.stdout.getReader().read();
    const child = Number(/child (\d+)/.exec(new TextDecoder().decode(value))![1]);
    holder.kill('SIGKILL');
    await holder.exited;
    try {
      process.kill(child, 0);
      lockDataDirectory(data).release();
    } finally {
      process.kill(child, 'SIGKILL');
    }
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
    await rejection('corrupt', openFileJournal(data));
    lockDataDirectory(data).release();
  });

  test('a place that cannot hold a lock is an io error', () => {
    const file = join(data, 'file');
    fs.writeFileSync(file, '');
    expect(() => lockDataDirectory(file)).toThrow(JournalError);
    expect(() => lockDataDirectory(file)).toThrow(/cannot be locked/);
  });
});
