// The real disk. Files are readable by their owner only. O_DSYNC returns from a write when the
// device has it, which saves the trip for a sync. A file that is open for writing is locked.
import * as fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { withDescriptor } from './descriptor-reserve.ts';
import type { Disk, DiskFile, OpenMode } from './disk.ts';
import { lockExclusively } from './flock.ts';
import { JournalError } from './journal.ts';

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL } = fs.constants;
/** Systems without it, which are not POSIX, get a sync after each write. */
const O_DSYNC: number | undefined = fs.constants.O_DSYNC;
const FLAGS = {
  read: O_RDONLY,
  write: O_RDWR,
  create: O_RDWR | O_CREAT | O_EXCL,
} as const satisfies Record<OpenMode, number>;
const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_DIRECTORY = 0o700;

const open = promisify(fs.open);
const stat = promisify(fs.fstat);
const readAt = promisify(fs.read);
const writeAt = promisify(fs.write);
const sync = promisify(fs.fdatasync);
const close = promisify(fs.close);

class NodeDiskFile implements DiskFile {
  readonly #fd: number;
  readonly #isDurable: boolean;

  constructor(fd: number, isDurable: boolean) {
    this.#fd = fd;
    this.#isDurable = isDurable;
  }

  async size(): Promise<number> {
    return (await stat(this.#fd)).size;
  }

  async read(into: Uint8Array, offset: number): Promise<number> {
    let done = 0;
    while (done < into.length) {
      const { bytesRead } = await readAt(this.#fd, into, done, into.length - done, offset + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return done;
  }

  async write(bytes: Uint8Array, offset: number): Promise<void> {
    let done = 0;
    // Without a sync it is a copy in memory, far shorter than the way to another thread and back.
    while (!this.#isDurable && done < bytes.length) {
      done += accepted(fs.writeSync(this.#fd, bytes, done, bytes.length - done, offset + done));
    }
    while (done < bytes.length) {
      const rest = bytes.length - done;
      const { bytesWritten } = await writeAt(this.#fd, bytes, done, rest, offset + done);
      done += accepted(bytesWritten);
    }
    if (this.#isDurable && O_DSYNC === undefined) await sync(this.#fd);
  }

  close(): Promise<void> {
    return close(this.#fd);
  }
}

/** A short write is possible; a write of nothing would repeat forever. */
function accepted(count: number): number {
  if (count === 0) throw new Error('the disk accepts no bytes');
  return count;
}

export class NodeDisk implements Disk {
  readonly directory: string;
  /** Device and inode of the directory that `create` found; undefined for a reader. */
  #identity: string | undefined;

  /** True if writes are durable; a copy of what is durable elsewhere need not be. */
  readonly #isDurable: boolean;

  /** The directory need not exist yet, but every operation fails until it does. */
  constructor(directory: string, isDurable = true) {
    this.directory = resolve(directory);
    this.#isDurable = isDurable;
  }

  /** Like the constructor, and makes the directory, durably, if it is not there. */
  static async create(directory: string, isDurable = true): Promise<NodeDisk> {
    const disk = new NodeDisk(directory, isDurable);
    const options = { recursive: true, mode: OWNER_ONLY_DIRECTORY } as const;
    const firstMade = await fs.promises.mkdir(disk.directory, options);
    if (firstMade !== undefined) await syncParents(resolve(firstMade), disk.directory);
    disk.#identity = await identityOf(disk.directory);
    return disk;
  }

  list(): Promise<string[]> {
    return withDescriptor(() => fs.promises.readdir(this.directory));
  }

  async open(name: string, mode: OpenMode): Promise<DiskFile> {
    if (mode !== 'read') await this.#requireSameDirectory();
    const path = join(this.directory, name);
    const flags = FLAGS[mode] | (mode !== 'read' && this.#isDurable ? (O_DSYNC ?? 0) : 0);
    const fd = await withDescriptor(() => open(path, flags, OWNER_ONLY_FILE));
    if (mode !== 'read') lockOrClose(fd, path);
    return new NodeDiskFile(fd, this.#isDurable);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#requireSameDirectory();
    await fs.promises.rename(join(this.directory, from), join(this.directory, to));
  }

  async remove(name: string): Promise<void> {
    await this.#requireSameDirectory();
    await fs.promises.unlink(join(this.directory, name));
  }

  async syncDirectory(): Promise<void> {
    await this.#requireSameDirectory();
    await syncPath(this.directory);
  }

  /** A replaced directory may be another process's, and the open files are not in it. */
  async #requireSameDirectory(): Promise<void> {
    if (this.#identity === undefined || this.#identity === (await identityOf(this.directory)))
      return;
    throw new Error(`${this.directory} was replaced by another directory`);
  }
}

function lockOrClose(fd: number, path: string): void {
  try {
    if (lockExclusively(fd)) return;
    const message = `Another process writes ${path}; stop it, or use another data directory.`;
    throw new JournalError('locked', message, { file: path });
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

async function identityOf(directory: string): Promise<string> {
  const { dev, ino } = await fs.promises.stat(directory, { bigint: true });
  return `${dev}:${ino}`;
}

/** Makes the names of the directories from `firstMade` down to `last` durable in their parents. */
async function syncParents(firstMade: string, last: string): Promise<void> {
  for (let made = last; made.length >= firstMade.length; made = dirname(made)) {
    await syncPath(dirname(made));
  }
}

async function syncPath(directory: string): Promise<void> {
  await using handle = await withDescriptor(() => fs.promises.open(directory, 'r'));
  await handle.sync();
}
