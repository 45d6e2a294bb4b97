// Identity of a cluster as the identity.db of a data directory, and back.
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MasterKey } from '../master-key.ts';
import type { IdentityImage } from './change.ts';
import { IdentityStore } from './identity-store.ts';
import { databaseOf } from './image.ts';
import { PRIVATE_FILE, syncDirectory } from './private-file.ts';
import { MIGRATIONS } from './schema.ts';

/** Writes the rows to a new file, which has its name only once it is durable. */
export function saveImage(image: IdentityImage, path: string): void {
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  closeSync(openSync(partial, 'wx', PRIVATE_FILE));
  const database = databaseOf(image, MIGRATIONS);
  try {
    database.query('VACUUM INTO ?').run(partial);
  } finally {
    database.close();
  }
  const file = openSync(partial, 'r+');
  fsyncSync(file);
  closeSync(file);
  renameSync(partial, path);
  syncDirectory(dirname(path));
}

/** The rows of a file, after a check of all of them. Throws IdentityError. */
export function loadImage(path: string, masterKeys: readonly MasterKey[]): IdentityImage {
  const store = IdentityStore.inspect(path, { masterKeys, now: Date.now });
  try {
    store.verify();
    return store.image();
  } finally {
    store.close();
  }
}
