// The schema `agio` in PostgreSQL: its migrations, its privileges, and the versions that a node
// accepts. Only `agio cluster migrate` runs migrations, as the owner; a node never does.
//
// A rolling upgrade migrates first. Nodes of the release before then work with a schema that is one
// version newer, so a migration only adds what such a node can ignore.
import type { SQL } from 'bun';
import { StoreError } from '../store.ts';
import { Connection } from './connection.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { KnownDatabase } from './known-database.ts';

/**
 * `journal` has a row for each batch, whose time is that of PostgreSQL. Payloads are not compressed
 * there, as that costs more than it saves at the size of a batch.
 *
 * `set_aside` has the commands without effect: see journal/set-aside.ts.
 *
 * The epoch is a key of `lease`, so that an append and a renewal do not wait for each other: an
 * append locks the row FOR KEY SHARE, which only a new epoch conflicts with.
 *
 * `renewal` of the lease is another text with each renewal: see Lease in cluster/store.ts.
 * `rules` of the lease is the version of the rules that the leader writes; it only rises. A row of
 * `member` is a node: see cluster/members.ts. A change of a member locks the lease first.
 *
 * `identity` keeps the rows of all tables of identity as texts (identity/storage/row-text.ts), by
 * their SHA-256. Columns, keys and checks are those of SQLite (identity/storage/schema.ts).
 */
const FIRST = `
  CREATE TABLE agio.journal (
    first_seq  bigint PRIMARY KEY CHECK (first_seq > 0),
    last_seq   bigint NOT NULL CHECK (last_seq >= first_seq),
    epoch      bigint NOT NULL,
    time       timestamptz NOT NULL DEFAULT clock_timestamp(),
    payload    bytea NOT NULL CHECK (octet_length(payload) > 0),
    chain_hash bytea NOT NULL CHECK (octet_length(chain_hash) = 32)
  );
  ALTER TABLE agio.journal ALTER payload SET STORAGE EXTERNAL;

  CREATE TABLE agio.set_aside (
    seq   bigint PRIMARY KEY,
    entry text NOT NULL
  );

  CREATE TABLE agio.lease (
    epoch      bigint PRIMARY KEY,
    node       text NOT NULL,
    address    text NOT NULL,
    instance   text NOT NULL,
    rules      integer,
    renewal    text NOT NULL
  );
  CREATE UNIQUE INDEX lease_has_one_row ON agio.lease ((true));
  INSERT INTO agio.lease VALUES (0, '', '', '', NULL, '');

  CREATE TABLE agio.member (
    node         text COLLATE "C" PRIMARY KEY,
    address      text NOT NULL,
    instance     text NOT NULL,
    release      text NOT NULL,
    oldest_rules integer NOT NULL,
    newest_rules integer NOT NULL CHECK (newest_rules >= oldest_rules),
    oldest_link  integer NOT NULL,
    newest_link  integer NOT NULL CHECK (newest_link >= oldest_link),
    token        text NOT NULL,
    beats        bigint NOT NULL,
    seen_at      timestamptz NOT NULL,
    is_stopped   boolean NOT NULL
  );

  CREATE TABLE agio.identity (
    id  bytea PRIMARY KEY,
    row text COLLATE "C" NOT NULL
  );

  CREATE TABLE agio.identity_head (
    version bigint NOT NULL,
    epoch   bigint NOT NULL,
    mac     text NOT NULL
  );
  CREATE UNIQUE INDEX identity_head_has_one_row ON agio.identity_head ((true));
  INSERT INTO agio.identity_head VALUES (0, 0, '');

  CREATE FUNCTION agio.reject() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$;
  CREATE TRIGGER journal_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON agio.journal
    EXECUTE FUNCTION agio.reject('the journal is append-only');
  CREATE TRIGGER set_aside_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON agio.set_aside
    EXECUTE FUNCTION agio.reject('the list of commands that were set aside is append-only');
  CREATE TRIGGER epochs_only_rise BEFORE UPDATE OF epoch ON agio.lease
    FOR EACH ROW WHEN (NEW.epoch < OLD.epoch)
    EXECUTE FUNCTION agio.reject('the epoch of the lease only rises');
  CREATE TRIGGER rules_only_rise BEFORE UPDATE OF rules ON agio.lease
    FOR EACH ROW WHEN (NEW.rules < OLD.rules OR NEW.rules IS NULL AND OLD.rules IS NOT NULL)
    EXECUTE FUNCTION agio.reject('the rules only rise');
  CREATE TRIGGER lease_stays BEFORE DELETE OR TRUNCATE ON agio.lease
    EXECUTE FUNCTION agio.reject('the lease has one row');
  CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE ON agio.identity
    FOR EACH ROW WHEN (starts_with(OLD.row, '["audit_log",'))
    EXECUTE FUNCTION agio.reject('the audit log is append-only');
`;

interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** In order. Released ones are never edited. */
export const MIGRATIONS: readonly Migration[] = [{ version: 1, sql: FIRST }];

const SCHEMA_VERSION = MIGRATIONS.at(-1)!.version;

/** The privileges of a node: it can write history, and cannot change it. */
const GRANTS: readonly string[] = [
  'USAGE ON SCHEMA agio',
  'SELECT ON agio.schema_version',
  'SELECT, INSERT ON agio.journal',
  'SELECT, INSERT ON agio.set_aside',
  'SELECT, UPDATE ON agio.lease',
  'SELECT, INSERT, UPDATE, DELETE ON agio.member',
  'SELECT, INSERT, UPDATE, DELETE ON agio.identity',
  'SELECT, UPDATE ON agio.identity_head',
];

/** An arbitrary number that only migrations of agio lock. */
const MIGRATION_LOCK = 4_701_160_001;
const MIGRATE_TIMEOUT_MS = 60_000;

/**
 * Creates or upgrades the schema as the owner of the URL, gives `role` the privileges of a node,
 * and returns the version. Throws a StoreError; then nothing has changed.
 */
export async function migrate(url: string, role: string): Promise<number> {
  const owner = new Connection(parseDatabaseUrl(url), {
    applicationName: 'agio/migrate',
    timeoutMs: MIGRATE_TIMEOUT_MS,
    requireSchema: async () => {},
    known: new KnownDatabase(),
  });
  try {
    return await owner.write((sql) => applyMigrations(sql, role));
  } finally {
    owner.close();
  }
}

/** One transaction. Two at the same time run one after the other. */
export async function applyMigrations(
  owner: SQL,
  role: string,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<number> {
  return owner.begin(async (sql) => {
    await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    const { name, is_owner } = await findRole(sql, role);
    await sql.unsafe(`
      SET LOCAL client_min_messages = warning;
      CREATE SCHEMA IF NOT EXISTS agio;
      CREATE TABLE IF NOT EXISTS agio.schema_version (
        version    integer PRIMARY KEY,
        applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
    const [row] = await sql`SELECT coalesce(max(version), 0) AS found FROM agio.schema_version`;
    const newest = migrations.at(-1)!.version;
    if (row.found > newest) throw newer(row.found, newest);
    for (const { version, sql: statements } of migrations) {
      if (version <= row.found) continue;
      await sql.unsafe(statements);
      await sql`INSERT INTO agio.schema_version (version) VALUES (${version})`;
    }
    const grants = GRANTS.map((grant) => `GRANT ${grant} TO ${name};`);
    const revoke = `REVOKE ALL ON ALL TABLES IN SCHEMA agio FROM PUBLIC, ${name};`;
    // An owner without its own privileges could not migrate again.
    if (!is_owner) await sql.unsafe(revoke + grants.join(''));
    return newest;
  });
}

async function findRole(sql: SQL, role: string): Promise<{ name: string; is_owner: boolean }> {
  const [found] = await sql`
    SELECT quote_ident(rolname) AS name, rolname = current_user AS is_owner
    FROM pg_roles WHERE rolname = ${role}`;
  if (found !== undefined) return found;
  throw new StoreError(
    'rejected',
    `PostgreSQL has no role ${JSON.stringify(role)} for the nodes: create it first ` +
      '(CREATE ROLE … LOGIN PASSWORD …), then run `agio cluster migrate` again.',
  );
}

/** Throws `rejected` unless a node of this release can work with the schema. */
export async function requireSchema(sql: SQL): Promise<void> {
  const [row] = await sql`SELECT max(version) AS version FROM agio.schema_version`;
  const found: number = row.version ?? 0;
  if (found === SCHEMA_VERSION || found === SCHEMA_VERSION + 1) return;
  if (found > SCHEMA_VERSION) throw newer(found, SCHEMA_VERSION);
  throw new StoreError(
    'rejected',
    `PostgreSQL has version ${found} of the schema agio, and this node needs ${SCHEMA_VERSION}: ` +
      'run `agio cluster migrate`.',
  );
}

const newer = (found: number, known: number): StoreError =>
  new StoreError(
    'rejected',
    `PostgreSQL has version ${found} of the schema agio, and this release knows ${known}: ` +
      'upgrade agio on this machine.',
  );
