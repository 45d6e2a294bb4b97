// The lock on a data directory: flock(2) on the directory itself, so there is no lock file to
// remove. Open journal files are locked as well (node-disk.ts), for directories that share them.
// DATA/lock.pid serves the message alone.
import * as fs from 'node:fs';
import { join, resolve } from 'node:path';
import { requireOwner } from './data-owner.ts';
import { lockExclusively } from './flock.ts';
import { JournalError } from './journal.ts';

const PID_NAME = 'lock.pid';

/**
 * Locks an archive until the lock is disposed of. Throws `locked` when another process has the
 * lock.
 */
export function lockArchive(directory: string): Disposable {
  const fd = openDirectory(resolve(directory));
  if (fd !== undefined) return { [Symbol.dispose]: () => fs.closeSync(fd) };
  const message = `The archive ${directory} is in use by another process; wait until it has ended.`;
  throw new JournalError('locked', message, { file: directory });
}

export class DataLock {
  readonly dataDirectory: string;
  #fd: number | undefined;

  /** For `lockDataDirectory`, which has taken the lock that `fd` holds. */
  constructor(dataDirectory: string, fd: number) {
    this.dataDirectory = dataDirectory;
    this.#fd = fd;
  }

  get held(): boolean {
    return this.#fd !== undefined;
  }

  /** May be called more than once. */
  release(): void {
    if (this.#fd === undefined) return;
    // While the lock is still held, so that the next holder's pid is not removed.
    withoutPid(() => fs.rmSync(join(this.dataDirectory, PID_NAME), { force: true }));
    fs.closeSync(this.#fd);
    this.#fd = undefined;
  }

  [Symbol.dispose](): void {
    this.release();
  }
}

/**
 * Locks a data directory for this process, which has to be its owner's, and creates it if it is
 * missing. Throws `locked` with its holder, or `io`.
 */
export function lockDataDirectory(dataDirectory: string): DataLock {
  const directory = resolve(dataDirectory);
  requireOwner(directory);
  const fd = openDirectory(directory);
  if (fd === undefined) {
    const message =
      `The data directory ${directory} is in use by ${holder(directory)}; ` +
      'stop that process, or start with another data directory (--data).';
    throw new JournalError('locked', message, { file: directory });
  }
  withoutPid(() =>
    fs.writeFileSync(join(directory, PID_NAME), `${process.pid}\n`, { mode: 0o600 }),
  );
  return new DataLock(directory, fd);
}

/** The locked directory; undefined when another process has locked it. */
function openDirectory(directory: string): number | undefined {
  let fd: number | undefined;
  try {
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
    fd = fs.openSync(directory, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
    if (lockExclusively(fd)) return fd;
    fs.closeSync(fd);
    return undefined;
  } catch (error) {
    if (fd !== undefined) fs.closeSync(fd);
    const why = error instanceof Error ? error.message : String(error);
    const isDenied = (error as NodeJS.ErrnoException).code === 'EACCES';
    const remedy = isDenied ? 'run agio as its owner' : 'make it a directory on a local disk';
    const message = `The directory ${directory} cannot be locked (${why}); ${remedy}.`;
    throw new JournalError('io', message, { file: directory, cause: error });
  }
}

/** The pid is only for the message: a full or read-only disk does not stop a start. */
function withoutPid(change: () => void): void {
  try {
    change();
  } catch {
    // The message of a second process says less.
  }
}

/** The holder of the lock, as far as it is known: it may be about to write its pid. */
function holder(directory: string): string {
  try {
    const pid = fs.readFileSync(join(directory, PID_NAME), 'utf8').trim();
    if (/^\d+$/.test(pid)) return `another agio process (pid ${pid})`;
  } catch {
    // Without a pid file the sentence is less exact, and as true.
  }
  return 'another agio process';
}
