// The tables of identity, and their version.
import { Database } from 'bun:sqlite';
import { AlteredError, IdentityError } from '../result.ts';

/** The version of the tables and of the MAC. A change raises it. */
export const SCHEMA_VERSION = 3;

/**
 * A revoked key keeps its row for the audit log and loses its secret. `terms` are the StoredTerms
 * of api-keys.ts as JSON; they never change. An email address is ASCII (users.ts), so NOCASE is
 * exact.
 *
 * `person` is the user of an audit entry, who can read it: own acts, anonymous acts on the account,
 * and keys that the operator created or revoked. It is computed from columns in the hash.
 */
const USERS_AND_AUDIT = `
  CREATE TABLE users (
    uid           INTEGER PRIMARY KEY,
    email         TEXT NOT NULL COLLATE NOCASE UNIQUE,
    password_hash TEXT CHECK (password_hash LIKE '$argon2id$%'),
    created_at    INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE api_keys (
    key_id        INTEGER PRIMARY KEY,
    api_key       TEXT NOT NULL UNIQUE,
    sealed_secret TEXT CHECK (sealed_secret IS NOT NULL OR revoked_at IS NOT NULL),
    uid           INTEGER NOT NULL REFERENCES users (uid),
    terms         TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    revoked_at    INTEGER,
    last_used_at  INTEGER
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
 * Sessions, authenticators and codes. `ended_sessions` has why the newest ones ended (sessions.ts).
 * A reader of the file can use none of them: tokens and recovery codes are random and stored as
 * SHA-256, email codes as HMAC under a key of the master key, and TOTP secrets sealed.
 * `totp.used_steps` has the time steps of used codes as JSON. The HMAC of its scope is the key of
 * an email code; `email_sends` has the last hour, for the limits. `known_networks` has the networks
 * of recent successes (lockout.ts), as HMACs of user and network. `last_ids` has the highest ids of
 * keys and sessions, so none comes back: the core's replay guard is kept by key id, and another key
 * would inherit its signatures. `mac` has the MAC of all rows (authentic-rows.ts).
 */
const PROOFS = `
  CREATE TABLE sessions (
    session_id    INTEGER PRIMARY KEY,
    token_hash    BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    uid           INTEGER NOT NULL REFERENCES users (uid),
    created_at    INTEGER NOT NULL,
    last_used_at  INTEGER NOT NULL,
    stepped_up_at INTEGER,
    ip            TEXT,
    user_agent    TEXT
  ) STRICT;
  CREATE INDEX sessions_of_user ON sessions (uid);

  CREATE TABLE ended_sessions (
    token_hash BLOB PRIMARY KEY CHECK (length(token_hash) = 32),
    reason     TEXT NOT NULL,
    ended_at   INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX ended_sessions_by_time ON ended_sessions (ended_at);

  CREATE TABLE totp (
    uid           INTEGER PRIMARY KEY REFERENCES users (uid),
    sealed_secret TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    activated_at  INTEGER,
    used_steps    TEXT NOT NULL
  ) STRICT;

  CREATE TABLE recovery_codes (
    uid       INTEGER NOT NULL REFERENCES users (uid),
    code_hash BLOB NOT NULL CHECK (length(code_hash) = 32),
    PRIMARY KEY (uid, code_hash)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE email_codes (
    scope_hash BLOB PRIMARY KEY CHECK (length(scope_hash) = 32),
    code_hash  BLOB NOT NULL CHECK (length(code_hash) = 32),
    expires_at INTEGER NOT NULL,
    tries      INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX email_codes_by_expiry ON email_codes (expires_at);

  CREATE TABLE email_sends (
    send_id   INTEGER PRIMARY KEY,
    limit_key TEXT NOT NULL,
    sent_at   INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX email_sends_of_key ON email_sends (limit_key, sent_at);
  CREATE INDEX email_sends_by_time ON email_sends (sent_at);

  CREATE TABLE known_networks (
    user_hash    BLOB NOT NULL CHECK (length(user_hash) = 32),
    network_hash BLOB NOT NULL CHECK (length(network_hash) = 32),
    since        INTEGER NOT NULL,
    PRIMARY KEY (user_hash, network_hash)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE last_ids (
    name TEXT PRIMARY KEY,
    id   INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE mac (text TEXT NOT NULL) STRICT;
`;

export function createSchema(database: Database): void {
  database.run(USERS_AND_AUDIT + PROOFS);
}

/** The MAC in the database; empty where it has none, or several. */
export function storedMac(database: Database): string {
  const exists = "SELECT 1 FROM pragma_table_info('mac') WHERE name = 'text'";
  if (database.query(exists).get() === null) return '';
  const rows = database.query<{ text: string }, []>('SELECT text FROM mac').all();
  return rows.length === 1 ? rows[0]!.text : '';
}

/** Replaces the MAC. */
export function storeMac(database: Database, mac: string): void {
  const { changes } = database.query<null, [string]>('UPDATE mac SET text = ?').run(mac);
  if (changes === 0) database.query<null, [string]>('INSERT INTO mac VALUES (?)').run(mac);
}

/**
 * Throws AlteredError unless tables, indexes and triggers are exactly those of this version: a
 * foreign trigger could change the writes of agio.
 */
export function requireSchema(database: Database): void {
  requireKnownVersion(storedMac(database), database.filename);
  using expected = new Database(':memory:', { strict: true });
  createSchema(expected);
  const [other] = objectsOf(expected).symmetricDifference(objectsOf(database));
  if (other === undefined) return;
  const [type, name] = other.split(' ');
  throw new AlteredError(`${type} ${name} is not that of schema version ${SCHEMA_VERSION}`);
}

/** Throws IdentityError for a MAC of another schema; `what` has it. */
export function requireKnownVersion(mac: string, what: string): void {
  const version = Number(/^\d+/.exec(mac)?.[0]);
  if (version < SCHEMA_VERSION) {
    throw new IdentityError(
      `${what} has schema ${version}, and this version of agio needs ${SCHEMA_VERSION}: ` +
        'a release before 0.2.0 wrote it. Start that release, or a new data directory.',
    );
  }
  if (!(version > SCHEMA_VERSION)) return;
  throw new IdentityError(
    `${what} has schema ${version}, and this version of agio knows up to ${SCHEMA_VERSION}: ` +
      'start a newer agio, or restore a backup made by this one.',
  );
}

/** True if nothing was ever written to the database. */
export const isEmpty = (database: Database): boolean => objectsOf(database).size === 0;

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
