// The few file operations that the file journal needs, on one directory of plain names. The port
// exists so that the journal runs unchanged on the simulated disk, which crashes at any of them.
// Operations throw whatever the medium reports; the journal turns that into a JournalError.

/**
 * An open file. Offsets are given, never kept, so that a reader and a writer cannot disturb each
 * other.
 */
export interface DiskFile {
  /** The size in bytes at this moment. */
  size(): Promise<number>;
  /**
   * Reads from `offset` into the whole of `into`; resolves to the bytes read, fewer only at the
   * end.
   */
  read(into: Uint8Array, offset: number): Promise<number>;
  /**
   * Writes all of `bytes` at `offset` and resolves when they, and the size of the file, are
   * durable. `bytes` belong to the disk until then. After a rejection it is unknown what is
   * durable, and a second call proves nothing: the system may have dropped the pages it could not
   * write.
   */
  write(bytes: Uint8Array, offset: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * `read` and `write` need an existing file; `create` makes an empty one and rejects if it exists.
 */
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

/** The path of a name, as an operator would type it. */
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
