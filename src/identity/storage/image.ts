// A database made from an image of identity: a node's copy in memory, or the identity.db of a data
// directory. Nothing here checks the MAC (authentic-rows.ts).
import { Database } from 'bun:sqlite';
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { IdentityImage } from './change.ts';
import { PRIVATE_FILE, syncDirectory } from './private-file.ts';
import { changeRow, formsOf } from './row-text.ts';
import { createSchema, storeMac } from './schema.ts';

/** A database with exactly these rows; without a schema for the image before the first write. */
export function databaseOf(image: IdentityImage, filename = ':memory:'): Database {
  const database = new Database(filename, { strict: true });
  try {
    // Memory that is free again has no secret in it.
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
  databaseOf(image, partial).close();
  renameSync(partial, path);
  syncDirectory(dirname(path));
}
