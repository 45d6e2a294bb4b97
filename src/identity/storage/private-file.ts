// Files that only their owner can read: 0600 from the first byte, complete or absent after a crash.
// Used for the master key and emails.
import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_DIRECTORY = 0o700;

/**
 * Makes a file durable, or the entries of a directory, so that a new or renamed file survives a
 * power cut.
 */
export function syncPath(path: string): void {
  const handle = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function writeDurably(path: string, content: string): void {
  const handle = openSync(path, 'wx', PRIVATE_FILE);
  try {
    const bytes = Buffer.from(content, 'utf8');
    for (let written = 0; written < bytes.length; ) written += writeSync(handle, bytes, written);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Writes a file under a temporary name and renames it into place; replaces an existing file. */
export function writePrivateFile(path: string, content: string): void {
  const temporary = `${path}.tmp`;
  rmSync(temporary, { force: true });
  writeDurably(temporary, content);
  renameSync(temporary, path);
  syncPath(dirname(path));
}

/** Like writePrivateFile, but throws EEXIST for an existing file: a link never overwrites. */
export function createPrivateFile(path: string, content: string): void {
  const temporary = `${path}.tmp`;
  rmSync(temporary, { force: true });
  writeDurably(temporary, content);
  try {
    linkSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
  syncPath(dirname(path));
}
