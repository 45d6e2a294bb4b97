// Identity as one thing: users, how they prove themselves, API keys, audit log and mails over one
// database handle. It is kept apart from the journal because it is not money, needs deletion, and must never be replayed.
// DATA/identity.db is written by this process only; the data directory's lock sees to that.
import { Database } from 'bun:sqlite';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ApiKeys } from './api-keys.ts';
import { AuditLog } from './audit.ts';
import { EmailCodes } from './email-codes.ts';
import { Endings } from './endings.ts';
import { KnownNetworks } from './known-networks.ts';
import { Lockout } from './lockout.ts';
import { type Mailer, type MailOptions, openMailer } from './mailer.ts';
import type { MasterKey } from './master-key.ts';
import { Outbox } from './outbox.ts';
import { PendingRegistrations } from './pending-registrations.ts';
import { PersonAudit } from './person-audit.ts';
import { PRIVATE_DIRECTORY, PRIVATE_FILE, syncDirectory } from './private-file.ts';
import { Proofs } from './proofs.ts';
import { IdentityError } from './refusal.ts';
import { migrate } from './schema.ts';
import { Sealer } from './sealing.ts';
import { Sessions } from './sessions.ts';
import { Totp } from './totp.ts';
import { Users } from './users.ts';

export interface IdentityOptions {
  readonly dataDir: string;
  /** The first seals, all of them open (master-key.ts). */
  readonly masterKeys: readonly MasterKey[];
  /** How mails go out; without it they are files of the outbox. */
  readonly mail?: MailOptions;
  /** The wall clock, ms; identity never uses business time. */
  readonly now?: () => number;
}

export interface Identity {
  readonly users: Users;
  readonly registrations: PendingRegistrations;
  readonly apiKeys: ApiKeys;
  readonly sessions: Sessions;
  readonly totp: Totp;
  readonly emailCodes: EmailCodes;
  readonly lockout: Lockout;
  readonly proofs: Proofs;
  readonly audit: AuditLog;
  readonly personAudit: PersonAudit;
  readonly outbox: Outbox;
  /** Of keys, sessions and users, as they happen. */
  readonly endings: Endings;
  /** Closed by itself, before the rest, because it may wait for a server. */
  readonly mailer: Mailer;
  /**
   * Writes a consistent copy of the database to a new file, 0600. Secrets in it are sealed; the
   * master key is not in it and is kept elsewhere. Blocks for the time of the copy.
   */
  backupTo(path: string): void;
  /** Writes what is pending and closes the database. Safe to call twice. */
  close(): void;
}

const OUTBOX_ONLY: MailOptions = { smtpUrl: null, from: null, onFailure: () => {} };

/** How old `lastUsedAt` in the file may be; a list always shows the current one. */
const FLUSH_EVERY_MS = 60_000;

export const identityPath = (dataDir: string): string => join(dataDir, 'identity.db');

/** Opens, and creates or migrates, the identity of a data directory. */
export function openIdentity(options: IdentityOptions): Identity {
  const { dataDir, now = Date.now } = options;
  const sealer = new Sealer(options.masterKeys);
  mkdirSync(dataDir, { recursive: true, mode: PRIVATE_DIRECTORY });
  const database = openDatabase(identityPath(dataDir));
  try {
    migrate(database, now());
    return identityOver(database, sealer, { ...options, now });
  } catch (error) {
    database.close();
    throw error;
  }
}

function identityOver(
  database: Database,
  sealer: Sealer,
  { dataDir, mail = OUTBOX_ONLY, now }: IdentityOptions & { readonly now: () => number },
): Identity {
  const endings = new Endings();
  const apiKeys = new ApiKeys(database, sealer, now, endings);
  const sessions = new Sessions(database, now, endings);
  const totp = new Totp(database, sealer, now);
  const emailCodes = new EmailCodes(database, sealer, now);
  const lockout = new Lockout(now, new KnownNetworks(database, sealer, now));
  const audit = new AuditLog(database, now);
  const outbox = new Outbox(dataDir, now);
  const personAudit = new PersonAudit(audit, now);
  const flush = () => {
    apiKeys.flushLastUsed();
    sessions.flush();
    personAudit.flush();
  };
  const timer = setInterval(() => {
    try {
      flush();
    } catch {
      // Not worth a stop: what was not written is kept and tried again, and close() reports it.
    }
  }, FLUSH_EVERY_MS);
  timer.unref();
  let open = true;
  return {
    users: new Users(database, now),
    registrations: new PendingRegistrations(),
    apiKeys,
    sessions,
    totp,
    emailCodes,
    lockout,
    proofs: new Proofs({ database, totp, emailCodes, lockout }),
    audit,
    personAudit,
    outbox,
    endings,
    mailer: openMailer(mail, outbox),
    backupTo: (path) => backup(database, path),
    close: () => {
      if (!open) return;
      open = false;
      clearInterval(timer);
      flush();
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
