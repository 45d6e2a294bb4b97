// A database made from an image of identity: a node's copy, or the identity.db of a data directory.
// Nothing here checks the MAC (authentic-rows.ts).
import { Database } from 'bun:sqlite';
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IdentityImage } from './change.ts';
import { PRIVATE_FILE, syncDirectory } from './private-file.ts';
import { changeRow, formsOf } from './row-text.ts';
import { createSchema, storeMac } from './schema.ts';

/**
 * An empty database for a copy of what a cluster stores: in a file without a name, which ends with
 * the process, so that the audit log takes no memory; or in memory.
 */
export function emptyCopy(dataDir: string | undefined): Database {
  if (dataDir === undefined) return new Database(':memory:', { strict: true });
  const path = join(dataDir, 'identity-copy.db');
  rmSync(path, { force: true });
  closeSync(openSync(path, 'wx', PRIVATE_FILE));
  const database = new Database(path, { strict: true });
  rmSync(path);
  // The cluster makes a write durable, and nobody reads this file after a crash.
  database.run('PRAGMA journal_mode = MEMORY');
  database.run('PRAGMA synchronous = OFF');
  return database;
}

/** Fills a database with the rows; the image before the first write has not even tables. */
export function databaseOf(image: IdentityImage, database: Database): Database {
  try {
    // Space that is free again has no secret in it.
    database.run('PRAGMA secure_delete = ON');
    database.run('PRAGMA foreign_keys = ON');
    if (image.version > 0) database.transaction(() => insertAll(database, image)).immediate();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function insertAll(database: Database, { rows, mac }: IdentityImage): void {
  createSchema(database);
  // Rows come in any order.
  database.run('PRAGMA defer_foreign_keys = ON');
  const forms = formsOf(database);
  for (const row of rows) changeRow(database, forms, 'insert', row);
  storeMac(database, mac);
}

/** Writes a new file, which has its name only once it is durable. */
export function saveImage(image: IdentityImage, path: string): void {
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  closeSync(openSync(partial, 'wx', PRIVATE_FILE));
  databaseOf(image, new Database(partial, { strict: true })).close();
  renameSync(partial, path);
  syncDirectory(dirname(path));
}
