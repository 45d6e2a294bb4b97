// The port of the file journal to a disk: the simulated disk crashes at any operation. Operations
// throw what the medium reports; the journal wraps it in a JournalError.
import { ioError } from './rules.ts';

/** An open file. Callers pass offsets, so that a reader and a writer cannot disturb each other. */
export interface DiskFile {
  size(): Promise<number>;
  /** Fills `into` from `offset`; resolves to the bytes read, fewer only at the end. */
  read(into: Uint8Array, offset: number): Promise<number>;
  /**
   * Resolves when `bytes` and the size of the file are durable. After a rejection nobody knows what
   * is durable, and a repetition proves nothing: the system may have dropped the pages.
   */
  write(bytes: Uint8Array, offset: number): Promise<void>;
  close(): Promise<void>;
}

/** `read` and `write` need an existing file; `create` rejects if it exists. */
export type OpenMode = 'read' | 'write' | 'create';

/** One directory. Names are durable only after `syncDirectory`. */
export interface Disk {
  /** The directory's path, for messages to operators. */
  readonly directory: string;
  /** The names in the directory, in no particular order. */
  list(): Promise<string[]>;
  open(name: string, mode: OpenMode): Promise<DiskFile>;
  /** Replaces `to` if it exists; at a crash either the old or the new state remains. */
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  syncDirectory(): Promise<void>;
}

export function pathOf(disk: Disk, name: string): string {
  return `${disk.directory}/${name}`;
}

/** Reads `length` bytes at `offset`, fewer only where the file ends before. */
export async function readBytes(
  file: DiskFile,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  const read = await file.read(bytes, offset);
  return read === length ? bytes : bytes.subarray(0, read);
}

/** Bytes of a window of a file. */
export const WINDOW_BYTES = 4 * 1024 * 1024;

/** The bytes of a file from `offset` to `end` in windows, each with `overlap` bytes of the next. */
export async function* readWindows(
  file: DiskFile,
  offset: number,
  end: number,
  overlap = 0,
): AsyncGenerator<{ readonly at: number; readonly bytes: Uint8Array }> {
  for (let at = offset; at < end; at += WINDOW_BYTES) {
    const length = Math.min(WINDOW_BYTES + overlap, end - at);
    yield { at, bytes: await readBytes(file, at, length) };
  }
}

/** The bytes of a small file; undefined where there is none. Throws JournalError `io`. */
export async function readFile(disk: Disk, name: string): Promise<Uint8Array | undefined> {
  try {
    const file = await disk.open(name, 'read');
    try {
      return await readBytes(file, 0, await file.size());
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw ioError('Reading', error, { file: pathOf(disk, name) });
  }
}

export const temporaryName = (name: string): string => `${name}.tmp`;

/** Replaces a small file durably. Rejects as the disk does. */
export async function replaceFile(disk: Disk, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = temporaryName(name);
  if ((await disk.list()).includes(temporary)) await disk.remove(temporary);
  const file = await disk.open(temporary, 'create');
  try {
    await file.write(bytes, 0);
  } finally {
    await file.close();
  }
  await disk.rename(temporary, name);
  await disk.syncDirectory();
}
