// Errors of the PostgreSQL client, as the errors of the port that a node acts on.
import { SQL } from 'bun';
import { StoreError } from '../store.ts';

/** The schema or the tables are missing: nobody ran `agio cluster migrate` on this database. */
const NO_SCHEMA = /^(3F000|42P01|42703)$/;
/** Wrong password, unknown role or database, missing privileges. */
const NO_ACCESS = /^(28...|3D000|42501)$/;
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

export function unreachable(what: string, cause?: unknown): StoreError {
  const advice = 'check the database URL, the network and the server; agio tries again';
  return new StoreError('unreachable', `PostgreSQL: ${what}: ${advice}.`, { cause });
}

/** A pooler shares sessions: settings and prepared statements of a node would not be its own. */
export function behindPooler(cause?: unknown): StoreError {
  const message =
    'The database URL leads to a pooler such as PgBouncer, which drops settings of a session: ' +
    'name the PostgreSQL servers themselves in the URL.';
  return new StoreError('refused', message, { cause });
}

/** `error` as a StoreError. Without an answer of the server it is `unreachable`. */
export function storeErrorOf(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const message = error instanceof Error ? error.message : String(error);
  // PgBouncer says so; PostgreSQL has no such message.
  if (/unsupported startup parameter/.test(message)) return behindPooler(error);
  const state = sqlState(error);
  if (state === undefined) return unreachable(message, error);
  const refuse = (advice: string) =>
    new StoreError('refused', `PostgreSQL: ${message} (${state}): ${advice}.`, { cause: error });
  if (NO_SCHEMA.test(state)) return refuse('run `agio cluster migrate`');
  const denied = STATE_FUNCTIONS.exec(message)?.[0];
  if (denied !== undefined) return refuse(`let the role of the nodes execute ${denied}`);
  if (NO_ACCESS.test(state)) {
    return refuse('check user, password and database of the URL, or run `agio cluster migrate`');
  }
  // A fatal error ends the connection, perhaps after the commit. A full disk can be fatal, too.
  const fatal = (error as SQL.PostgresError).severity !== 'ERROR';
  if (fatal || PASSING.test(state)) return unreachable(`${message} (${state})`, error);
  if (NO_ROOM.test(state)) {
    const advice = 'free disk space or memory on its server';
    return new StoreError('full', `PostgreSQL: ${message} (${state}): ${advice}.`, {
      cause: error,
    });
  }
  return refuse('the schema agio is not as `agio cluster migrate` leaves it');
}
