// Identity as one thing: users, API keys, audit log and outbox over one database handle. It is kept
// apart from the journal because it is not money, needs deletion, and must never be replayed.
// DATA/identity.db is written by this process only; the data directory's lock sees to that.
import { Database } from 'bun:sqlite';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ApiKeys } from './api-keys.ts';
import { AuditLog } from './audit.ts';
import type { MasterKey } from './master-key.ts';
import { Outbox } from './outbox.ts';
import { PRIVATE_DIRECTORY, PRIVATE_FILE, syncDirectory } from './private-file.ts';
import { IdentityError } from './refusal.ts';
import { migrate } from './schema.ts';
import { Sealer } from './sealing.ts';
import { Users } from './users.ts';

export interface IdentityOptions {
  readonly dataDir: string;
  /** The first seals, all of them open (master-key.ts). */
  readonly masterKeys: readonly MasterKey[];
  /** The wall clock, ms; identity never uses business time. */
  readonly now?: () => number;
}

export interface Identity {
  readonly users: Users;
  readonly apiKeys: ApiKeys;
  readonly audit: AuditLog;
  readonly outbox: Outbox;
  /**
   * Writes a consistent copy of the database to a new file, 0600. Secrets in it are sealed; the
   * master key is not in it and is kept elsewhere. Blocks for the time of the copy.
   */
  backupTo(path: string): void;
  /** Writes what is pending and closes the database. Safe to call twice. */
  close(): void;
}

/** How old `lastUsedAt` in the file may be; a list always shows the current one. */
const FLUSH_EVERY_MS = 60_000;

/** Opens, and creates or migrates, the identity of a data directory. */
export function openIdentity(options: IdentityOptions): Identity {
  const { dataDir, now = Date.now } = options;
  const sealer = new Sealer(options.masterKeys);
  mkdirSync(dataDir, { recursive: true, mode: PRIVATE_DIRECTORY });
  const database = openDatabase(join(dataDir, 'identity.db'));
  try {
    migrate(database, now());
    return identityOver(database, new ApiKeys(database, sealer, now), dataDir, now);
  } catch (error) {
    database.close();
    throw error;
  }
}

function identityOver(
  database: Database,
  apiKeys: ApiKeys,
  dataDir: string,
  now: () => number,
): Identity {
  const timer = setInterval(() => {
    try {
      apiKeys.flushLastUsed();
    } catch {
      // Not worth a stop: what was not written is kept and tried again, and close() reports it.
    }
  }, FLUSH_EVERY_MS);
  timer.unref();
  let open = true;
  return {
    users: new Users(database, now),
    apiKeys,
    audit: new AuditLog(database, now),
    outbox: new Outbox(dataDir, now),
    backupTo: (path) => backup(database, path),
    close: () => {
      if (!open) return;
      open = false;
      clearInterval(timer);
      apiKeys.flushLastUsed();
      database.close();
    },
  };
}

function openDatabase(path: string): Database {
  createEmpty(path);
  const database = new Database(path, { readwrite: true, create: true, strict: true });
  database.run('PRAGMA journal_mode = WAL');
  // An acknowledged key, revocation or audit entry survives a power cut.
  database.run('PRAGMA synchronous = FULL');
  database.run('PRAGMA foreign_keys = ON');
  // Someone may look at the file with the sqlite3 tool; waiting briefly is better than failing.
  database.run('PRAGMA busy_timeout = 1000');
  // What is deleted is overwritten: a destroyed secret leaves no trace in free pages.
  database.run('PRAGMA secure_delete = ON');
  return database;
}

/** SQLite takes an empty file for a new database and gives its side files the same mode. */
function createEmpty(path: string): void {
  if (existsSync(path)) return;
  closeSync(openSync(path, 'wx', PRIVATE_FILE));
  syncDirectory(dirname(path));
}

function backup(database: Database, target: string): void {
  const path = resolve(target);
  if (existsSync(path)) throw new IdentityError(`${path} exists already: a backup is a new file.`);
  createEmpty(path);
  try {
    database.query('VACUUM INTO ?').run(path);
    const handle = openSync(path, 'r+');
    fsyncSync(handle);
    closeSync(handle);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}
