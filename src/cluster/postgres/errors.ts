// Errors of the PostgreSQL client, as the errors of the port that a node acts on.
import { SQL } from 'bun';
import { StoreError } from '../store.ts';

/** The schema or the tables are missing: nobody ran `agio cluster migrate` on this database. */
const NO_SCHEMA = /^(3F000|42P01|42703)$/;
const NO_PRIVILEGE = '42501';
/** How to mend a connection that is rejected, by SQLSTATE or the code of the client. */
const REMEDIES: readonly (readonly [code: RegExp, remedy: string])[] = [
  [/^28P01$/, 'correct the user and the password in the database URL'],
  [/^28...$/, 'let pg_hba.conf accept this connection, or correct the database URL'],
  [/^3D000$/, 'create the database, or correct its name in the database URL'],
  [/^ERR_POSTGRES_TLS_NOT_AVAILABLE$/, 'turn on ssl at the server, or use sslmode=prefer'],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'name the server in the database URL as in its certificate, or use sslmode=verify-ca',
  ],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'renew the certificate of the server'],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|CERT_)/,
    'name a file with the CA of the server as sslrootcert in the database URL',
  ],
];
/** Out of disk, memory or another resource: the statement was undone. */
const NO_ROOM = /^53...$/;
/** The functions that say which state a server has: see known-database.ts. */
const STATE_FUNCTIONS = /\b(pg_control_system|pg_walfile_name|pg_current_wal_flush_lsn)\b/;
/** Faults of the connection or the server, a standby, and conflicts: another try may succeed. */
const PASSING = /^(08|25|40|54|55|57|58|F0|XX)...$/;

export const UNIQUE_VIOLATION = '23505';

/** The SQLSTATE of an error that the server reported. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof SQL.PostgresError && /^[0-9A-Z]{5}$/.test(error.errno ?? '')
    ? error.errno
    : undefined;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

export function unreachable(what: string, cause?: unknown, server?: string): StoreError {
  const advice = 'check the database URL, the network and the server';
  return new StoreError('unreachable', `${nameOf(server)}: ${what}: ${advice}.`, { cause });
}

/** The server waits with every commit for a synchronous standby that is not there. */
export const withoutStandby = (server: string): StoreError =>
  new StoreError(
    'unreachable',
    `PostgreSQL at ${server} has lost its synchronous standby, and confirms no write without it: ` +
      'start the standby, or let the primary go on alone.',
  );

const nameOf = (server?: string): string =>
  server === undefined ? 'PostgreSQL' : `PostgreSQL at ${server}`;

/** A pooler shares sessions: settings and prepared statements of a node would not be its own. */
export function behindPooler(cause?: unknown): StoreError {
  const message =
    'The database URL leads to a pooler such as PgBouncer, which drops settings of a session: ' +
    'name the PostgreSQL servers themselves in the URL.';
  return new StoreError('rejected', message, { cause });
}

/** `error` as a StoreError, which names the server. Without an answer it is `unreachable`. */
export function storeErrorOf(error: unknown, server?: string): StoreError {
  if (error instanceof StoreError) return error;
  const message = error instanceof Error ? error.message : String(error);
  // PgBouncer says so; PostgreSQL has no such message.
  if (/unsupported startup parameter/.test(message)) return behindPooler(error);
  const state = sqlState(error);
  const code = state ?? codeOf(error);
  const remedy = REMEDIES.find(([pattern]) => pattern.test(code))?.[1];
  if (remedy !== undefined) {
    const sentence = `${nameOf(server)}: ${message} (${code}): ${remedy}.`;
    return new StoreError('unreachable', sentence, { cause: error, isMistake: true });
  }
  if (state === undefined) return unreachable(message, error, server);
  const reject = (advice: string) =>
    new StoreError('rejected', `${nameOf(server)}: ${message} (${state}): ${advice}.`, {
      cause: error,
    });
  if (NO_SCHEMA.test(state)) return reject('run `agio cluster migrate`');
  const denied = STATE_FUNCTIONS.exec(message)?.[0];
  if (denied !== undefined) return reject(`let the role of the nodes execute ${denied}`);
  if (state === NO_PRIVILEGE)
    return reject('run `agio cluster migrate` for this role, as the owner');
  // A fatal error ends the connection, perhaps after the commit. A full disk can be fatal, too.
  const fatal = (error as SQL.PostgresError).severity !== 'ERROR';
  if (fatal || PASSING.test(state)) return unreachable(`${message} (${state})`, error, server);
  if (NO_ROOM.test(state)) {
    const advice = 'free disk space or memory on its server';
    return new StoreError('full', `PostgreSQL: ${message} (${state}): ${advice}.`, {
      cause: error,
    });
  }
  return reject('the schema agio is not as `agio cluster migrate` leaves it');
}
