// The tables of identity.db and how an older file becomes a current one. Migrations only go forward
// and are never edited once released; each runs in one transaction with its version row, so a crash
// leaves the file at one version or the next.
import { Database } from 'bun:sqlite';
import { AlteredError, IdentityError } from '../result.ts';

export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/**
 * AUTOINCREMENT on api_keys because the core's replay guard is kept by key id: an id that came back
 * would inherit the signatures of another key. An email address is ASCII (users.ts), so NOCASE is
 * exact. A revoked key keeps its row for the audit log and loses its secret.
 *
 * `person` is the user of an audit entry, who can read it: own acts, anonymous acts on the account,
 * and keys that the operator created or revoked. It is computed from columns in the hash.
 */
const USERS_AND_AUDIT = `
  CREATE TABLE users (
    uid           INTEGER PRIMARY KEY,
    email         TEXT NOT NULL COLLATE NOCASE UNIQUE,
    password_hash TEXT CHECK (password_hash LIKE '$argon2id$%'),
    created_at    INTEGER NOT NULL,
    mac           BLOB
  ) STRICT;

  CREATE TABLE api_keys (
    key_id           INTEGER PRIMARY KEY AUTOINCREMENT,
    api_key          TEXT NOT NULL UNIQUE,
    sealed_secret    TEXT CHECK (sealed_secret IS NOT NULL OR revoked_at IS NOT NULL),
    uid              INTEGER NOT NULL REFERENCES users (uid),
    alias            TEXT NOT NULL,
    module_ids       TEXT NOT NULL,
    ip_allow_list    TEXT,
    expires_at       INTEGER,
    strict_cl_ord_id INTEGER NOT NULL CHECK (strict_cl_ord_id IN (0, 1)),
    replay_guard     INTEGER NOT NULL CHECK (replay_guard IN (0, 1)),
    created_at       INTEGER NOT NULL,
    revoked_at       INTEGER,
    last_used_at     INTEGER,
    mac              BLOB
  ) STRICT;
  CREATE INDEX api_keys_of_user ON api_keys (uid);

  CREATE TABLE audit_log (
    id         INTEGER PRIMARY KEY,
    time       INTEGER NOT NULL,
    actor      TEXT NOT NULL,
    ip         TEXT,
    action     TEXT NOT NULL,
    object     TEXT,
    result     TEXT NOT NULL,
    request_id TEXT,
    details    TEXT NOT NULL,
    hash       TEXT NOT NULL,
    person     TEXT GENERATED ALWAYS AS (
      CASE
        WHEN substr(actor, 1, 4) = 'uid:' THEN actor
        WHEN substr(object, 1, 4) = 'uid:' AND (actor = 'anonymous'
          OR (actor = 'operator' AND action IN ('key.create', 'key.revoke')))
          THEN substr(object, 1, instr(object || '/', '/') - 1)
      END
    ) VIRTUAL
  ) STRICT;
  CREATE INDEX audit_log_of_person ON audit_log (person, id) WHERE person IS NOT NULL;
  CREATE TRIGGER audit_log_is_not_edited BEFORE UPDATE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
  CREATE TRIGGER audit_log_is_not_deleted BEFORE DELETE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
`;

/**
 * Sessions, authenticators and codes. A reader of the file can use none of them: tokens and
 * recovery codes are random and stored as SHA-256, email codes as HMAC under a key of the master
 * key, and TOTP secrets sealed. `totp.last_step` is the newest accepted time step, -1 before the
 * first. The HMAC of its scope is the key of an email code; `email_sends` has the last hour, for
 * the limits. `known_networks` has the networks of recent successes (lockout.ts), as HMACs of user
 * and network.
 */
const PROOFS = `
  CREATE TABLE sessions (
    session_id    INTEGER PRIMARY KEY AUTOINCREMENT,
    token_hash    BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    uid           INTEGER NOT NULL REFERENCES users (uid),
    created_at    INTEGER NOT NULL,
    last_used_at  INTEGER NOT NULL,
    stepped_up_at INTEGER,
    ip            TEXT,
    user_agent    TEXT,
    mac           BLOB
  ) STRICT;
  CREATE INDEX sessions_of_user ON sessions (uid);

  CREATE TABLE totp (
    uid           INTEGER PRIMARY KEY REFERENCES users (uid),
    sealed_secret TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    activated_at  INTEGER,
    last_step     INTEGER NOT NULL,
    mac           BLOB
  ) STRICT;

  CREATE TABLE recovery_codes (
    uid       INTEGER NOT NULL REFERENCES users (uid),
    code_hash BLOB NOT NULL CHECK (length(code_hash) = 32),
    mac       BLOB,
    PRIMARY KEY (uid, code_hash)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE email_codes (
    scope_hash BLOB PRIMARY KEY CHECK (length(scope_hash) = 32),
    code_hash  BLOB NOT NULL CHECK (length(code_hash) = 32),
    expires_at INTEGER NOT NULL,
    tries      INTEGER NOT NULL,
    mac        BLOB
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX email_codes_by_expiry ON email_codes (expires_at);

  CREATE TABLE email_sends (
    send_id   INTEGER PRIMARY KEY,
    limit_key TEXT NOT NULL,
    sent_at   INTEGER NOT NULL,
    mac       BLOB
  ) STRICT;
  CREATE INDEX email_sends_of_key ON email_sends (limit_key, sent_at);
  CREATE INDEX email_sends_by_time ON email_sends (sent_at);

  CREATE TABLE known_networks (
    user_hash    BLOB NOT NULL CHECK (length(user_hash) = 32),
    network_hash BLOB NOT NULL CHECK (length(network_hash) = 32),
    since        INTEGER NOT NULL,
    mac          BLOB,
    PRIMARY KEY (user_hash, network_hash)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE integrity (
    part TEXT PRIMARY KEY,
    kid  TEXT NOT NULL,
    mac  BLOB NOT NULL CHECK (length(mac) = 32)
  ) STRICT, WITHOUT ROWID;
`;

/** In order; a file has all of them up to its version. The MACs are in row-macs.ts. */
export const MIGRATIONS: readonly Migration[] = [{ version: 1, sql: USERS_AND_AUDIT + PROOFS }];

/**
 * Migrates the database to the newest version in `migrations` and returns that version. Throws
 * IdentityError where a newer agio wrote the file.
 */
export function migrate(
  database: Database,
  now: number,
  migrations: readonly Migration[] = MIGRATIONS,
): number {
  database.run(
    `CREATE TABLE IF NOT EXISTS schema_version
       (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT`,
  );
  const found = schemaVersion(database);
  requireKnownVersion(found, database.filename, migrations);
  const apply = database.transaction((migration: Migration) => {
    database.run(migration.sql);
    database.run('INSERT INTO schema_version (version, applied_at) VALUES (?, ?)', [
      migration.version,
      now,
    ]);
  });
  for (const migration of migrations) {
    if (migration.version > found) apply.immediate(migration);
  }
  return newestOf(migrations);
}

/** Throws IdentityError for a schema of a newer agio; `what` has that schema. */
export function requireKnownVersion(
  version: number,
  what: string,
  migrations: readonly Migration[],
): void {
  const newest = newestOf(migrations);
  if (version <= newest) return;
  throw new IdentityError(
    `${what} has schema ${version}, and this version of agio knows up to ${newest}: start a ` +
      'newer agio, or restore a backup made by this one.',
  );
}

export const newestOf = (migrations: readonly Migration[]): number =>
  migrations.at(-1)?.version ?? 0;

/**
 * Throws AlteredError unless tables, indexes and triggers are exactly those of the file's version:
 * a foreign trigger could change the writes of agio.
 */
export function requireSchema(database: Database, migrations: readonly Migration[]): void {
  const version = schemaVersion(database);
  const expected = new Database(':memory:', { strict: true });
  try {
    if (version > 0) migrate(expected, 0, migrations.slice(0, version));
    const [wanted, found] = [objectsOf(expected), objectsOf(database)];
    for (const object of wanted.symmetricDifference(found)) {
      const [type, name] = object.split(' ');
      throw new AlteredError(`${type} ${name} is not that of schema version ${version}`);
    }
  } finally {
    expected.close();
  }
}

const objectsOf = (database: Database): ReadonlySet<string> =>
  new Set(
    database
      .query<{ object: string }, []>(
        `SELECT type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, '') AS object
         FROM sqlite_schema ORDER BY type, name`,
      )
      .all()
      .map(({ object }) => object),
  );

/** The schema version of a database, 0 where it has none. */
export function schemaVersion(database: Database): number {
  const table = database.query("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'").get();
  if (table === null) return 0;
  const row = database
    .query<{ version: number | null }, []>('SELECT max(version) AS version FROM schema_version')
    .get();
  return row?.version ?? 0;
}
