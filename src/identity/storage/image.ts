// A database made from the rows of identity: a node's copy, or the identity.db of a data directory.
// It takes them in portions. Nothing here checks the MAC (authentic-rows.ts).
import { Database } from 'bun:sqlite';
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IdentityHead, IdentityRow, RowTarget } from './change.ts';
import { PRIVATE_FILE, syncPath } from './private-file.ts';
import { changeRow, formsOf, type TableForms } from './row-text.ts';
import { createSchema, requireKnownVersion, storeMac } from './schema.ts';

export const SHARED = 'The identity of the cluster';

/**
 * An empty database for a copy of what a cluster stores: in a file without a name, which ends with
 * the process, so that the audit log takes no memory; or in memory.
 */
export function emptyCopy(dataDir: string | undefined): Database {
  if (dataDir === undefined) return new Database(':memory:', { strict: true });
  const path = join(dataDir, 'identity-copy.db');
  const database = newFile(path);
  rmSync(path);
  // The cluster makes a write durable, and nobody reads this file after a crash.
  database.run('PRAGMA journal_mode = MEMORY');
  database.run('PRAGMA synchronous = OFF');
  return database;
}

function newFile(path: string): Database {
  rmSync(path, { force: true });
  closeSync(openSync(path, 'wx', PRIVATE_FILE));
  return new Database(path, { strict: true });
}

export class IdentityCopy<Head extends IdentityHead = IdentityHead> implements RowTarget {
  readonly head: Head;
  readonly #database: Database;
  readonly #forms: TableForms;

  /** Begins to fill an empty database. The one before the first write has not even tables. */
  constructor(head: Head, database: Database) {
    this.head = head;
    this.#database = database;
    try {
      requireKnownVersion(head.mac, SHARED);
      // Space that is free again has no secret in it.
      database.run('PRAGMA secure_delete = ON');
      database.run('PRAGMA foreign_keys = ON');
      database.run('BEGIN IMMEDIATE');
      if (head.version > 0) createSchema(database);
      // Rows come in any order.
      database.run('PRAGMA defer_foreign_keys = ON');
      this.#forms = formsOf(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Throws AlteredError for what is no row. */
  take(rows: readonly IdentityRow[]): void {
    for (const row of rows) changeRow(this.#database, this.#forms, 'insert', row);
  }

  /** The database with all rows, which the caller closes. */
  finish(): Database {
    const { version, mac } = this.head;
    try {
      if (version > 0) storeMac(this.#database, mac);
      this.#database.run('COMMIT');
      return this.#database;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}

/** A new file, which has its name only once all rows are in it, durably. */
export class IdentityFile<Head extends IdentityHead> extends IdentityCopy<Head> {
  readonly #path: string;

  constructor(head: Head, path: string) {
    super(head, newFile(partOf(path)));
    this.#path = path;
  }

  save(): void {
    this.finish().close();
    renameSync(partOf(this.#path), this.#path);
    syncPath(dirname(this.#path));
  }
}

/** The file without all rows. */
const partOf = (path: string): string => `${path}.partial`;
