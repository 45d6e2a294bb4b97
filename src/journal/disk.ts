// The port of the file journal to a disk: the simulated disk crashes at any operation. Operations
// throw what the medium reports; the journal wraps it in a JournalError.

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
