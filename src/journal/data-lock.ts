// The lock on a data directory: two processes that append to one journal would destroy it. The lock
// is an exclusive transaction on DATA/lock.db, because the kernel gives up SQLite's lock when the
// process ends, however it ends; a pid file alone would outlive a crash. DATA/lock.pid only
// serves the message. The system drops such a lock as soon as the process that holds it closes any
// other handle on lock.db, so nothing in agio may open that file, a backup included.
import { Database, SQLiteError } from 'bun:sqlite';
import * as fs from 'node:fs';
import { join, resolve } from 'node:path';
import { JournalError } from './journal.ts';

const LOCK_NAME = 'lock.db';
const PID_NAME = 'lock.pid';

/** Held from `lockDataDirectory` until `release` or the end of the process. */
export class DataLock {
  readonly dataDirectory: string;
  #database: Database | undefined;

  /** For `lockDataDirectory`, which has taken the lock that `database` holds. */
  constructor(dataDirectory: string, database: Database) {
    this.dataDirectory = dataDirectory;
    this.#database = database;
  }

  get held(): boolean {
    return this.#database !== undefined;
  }

  /** May be called more than once. */
  release(): void {
    if (this.#database === undefined) return;
    // While the lock is still held, so that the next holder's pid is not removed.
    fs.rmSync(join(this.dataDirectory, PID_NAME), { force: true });
    this.#database.run('ROLLBACK');
    this.#database.close();
    this.#database = undefined;
  }
}

/**
 * Locks a data directory for this process, making the directory if it is missing. Throws a
 * JournalError of kind `locked`, which names the directory and the holder, or `io`.
 */
export function lockDataDirectory(dataDirectory: string): DataLock {
  const directory = resolve(dataDirectory);
  const file = join(directory, LOCK_NAME);
  let database: Database | undefined;
  try {
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
    database = new Database(file, { create: true, readwrite: true });
    database.run('PRAGMA busy_timeout = 0');
    database.run('PRAGMA locking_mode = EXCLUSIVE');
    database.run('BEGIN EXCLUSIVE');
    fs.writeFileSync(join(directory, PID_NAME), `${process.pid}\n`, { mode: 0o600 });
    return new DataLock(directory, database);
  } catch (error) {
    database?.close();
    if (error instanceof SQLiteError && error.code === 'SQLITE_BUSY') {
      throw new JournalError(
        'locked',
        `The data directory ${directory} is in use by ${holder(directory)}; ` +
          'stop that process, or start with another data directory (--data).',
        { file, cause: error },
      );
    }
    const why = error instanceof Error ? error.message : String(error);
    throw new JournalError(
      'io',
      `The data directory ${directory} cannot be locked (${why}); ` +
        'make it a writable directory on a local disk.',
      { file, cause: error },
    );
  }
}

/** Who holds the lock, as far as that is known: a holder may be about to write its pid. */
function holder(directory: string): string {
  try {
    const pid = fs.readFileSync(join(directory, PID_NAME), 'utf8').trim();
    if (/^\d+$/.test(pid)) return `another agio process (pid ${pid})`;
  } catch {
    // Without a pid file the sentence is less exact, and as true.
  }
  return 'another agio process';
}
