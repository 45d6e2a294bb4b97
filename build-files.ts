// Puts the output of a build in its place. A reader sees the earlier output or the new one, never
// half of one, however many builds run in a checkout.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Fills a new folder and puts it in the place of `target`, unless both have the same files. */
export async function replaceFolder(
  target: string,
  fill: (folder: string) => void | Promise<void>,
): Promise<void> {
  mkdirSync(dirname(target), { recursive: true });
  const work = mkdtempSync(`${target}-`);
  try {
    const folder = join(work, 'new');
    mkdirSync(folder);
    await fill(folder);
    if (digestOf(folder) !== digestOf(target)) swap(folder, target, join(work, 'old'));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** No rename replaces a folder with files, so for a moment there is none. */
function swap(folder: string, target: string, old: string): void {
  do {
    rmSync(old, { recursive: true, force: true });
    rename(target, old, 'ENOENT');
  } while (!rename(folder, target, 'ENOTEMPTY'));
}

/** False if it failed with the code that is expected of a build at the same time. */
function rename(from: string, to: string, expected: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== expected) throw error;
    return false;
  }
}

/** Of the names and bytes of all files; null for a folder that does not exist or is replaced. */
function digestOf(folder: string): string | null {
  try {
    const hash = new Bun.CryptoHasher('sha256');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort();
    for (const path of files) {
      const bytes = readFileSync(path);
      hash.update(JSON.stringify([path.slice(folder.length), bytes.length])).update(bytes);
    }
    return hash.digest('hex');
  } catch {
    return null;
  }
}

/** Leaves a file alone that has the right text, so that no watcher or incremental build starts. */
export function replaceFile(path: string, text: string): void {
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    mkdirSync(dirname(path), { recursive: true });
  }
  const made = `${path}.${process.pid}`;
  writeFileSync(made, text);
  renameSync(made, path);
}
