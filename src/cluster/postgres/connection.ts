// One connection to the newest server that accepts writes, found among those of the URL. Each call
// has a time limit. A call without an answer destroys the connection: nothing waits for a server
// that hangs, and the next call looks for the writable server again.
import { SQL } from 'bun';
import { StoreError } from '../store.ts';
import type { DatabaseServer, DatabaseUrl } from './database-url.ts';
import { behindPooler, storeErrorOf, unreachable, withoutStandby } from './errors.ts';
import type { DatabaseState, KnownDatabase, ServerState } from './known-database.ts';

/** Session settings that an operator could have set differently for the role or the database. */
const SESSION = {
  // A commit returns once the synchronous standby has it on its disk.
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
};

/**
 * PostgreSQL answers a canceled wait for the standby with success. Nobody cancels a statement by
 * hand so early: a write that took longer is confirmed by one more commit.
 */
const CONFIRM_AFTER_MS = 500;

/**
 * Writes to the WAL and nothing else. Its commit is durable only after all commits before it, also
 * on the synchronous standby. A visible row alone may be lost in a failover: its transaction did
 * not wait for the standby if the server crashed meanwhile, or a DBA canceled the wait.
 */
const BARRIER = "SELECT pg_logical_emit_message(true, 'agio', '')";

/** How long a connection waits for the other servers once one accepts writes. */
const OTHERS_MS = 300;

interface ConnectionOptions {
  /** In the form that PostgreSQL lists. */
  readonly applicationName: string;
  /** The time limit of one call, connecting included. */
  readonly timeoutMs: number;
  /** Throws unless the schema is one that the caller can work with. */
  readonly requireSchema: (sql: SQL) => Promise<void>;
  /** Shared by all connections of a node. */
  readonly known: KnownDatabase;
}

/** `onProgress` begins the time limit again. */
type Statements<T> = (sql: SQL, onProgress: () => void) => Promise<T>;

export class Connection {
  readonly #url: DatabaseUrl;
  readonly #options: ConnectionOptions;
  #session: Session | undefined;
  #closed = false;

  constructor(url: DatabaseUrl, options: ConnectionOptions) {
    this.#url = url;
    this.#options = options;
  }

  /** The result of `act`, once what it wrote would survive the loss of the server. */
  write<T>(act: Statements<T>): Promise<T> {
    return this.#call((sql, _, onProgress) => confirmed(() => act(sql, onProgress), sql));
  }

  /** The result of `act`, once what it read would survive the loss of the server. */
  read<T>(act: Statements<T>): Promise<T> {
    return this.write(async (sql, onProgress) => {
      const result = await act(sql, onProgress);
      await sql.unsafe(BARRIER);
      return result;
    });
  }

  /** Like `write`, and remembers how far the database is. */
  mark<T>(act: Statements<T>): Promise<T> {
    return this.#call(async (sql, session, onProgress) => {
      const result = await confirmed(() => act(sql, onProgress), sql);
      await session.mark(sql);
      return result;
    });
  }

  /** Calls in progress reject. */
  close(): void {
    this.#closed = true;
    this.#session?.close();
  }

  async #call<T>(
    act: (sql: SQL, session: Session, onProgress: () => void) => Promise<T>,
  ): Promise<T> {
    if (this.#closed) throw unreachable('this node closed its connection');
    if (this.#session?.isOver ?? true) {
      this.#session?.close();
      this.#session = new Session(this.#url, this.#options);
    }
    const session = this.#session!;
    const { timeoutMs } = this.#options;
    const { promise: expired, reject } = Promise.withResolvers<never>();
    const expire = () =>
      reject(session.standbyProblem ?? unreachable(`no answer within ${timeoutMs} ms`));
    const timer = setTimeout(expire, timeoutMs);
    try {
      const done = session.ready.then((sql) => act(sql, session, () => timer.refresh()));
      const result = await Promise.race([done, expired]);
      // The client would connect again between two statements, perhaps to another server.
      if (session.isOver) throw unreachable('the connection was lost');
      return result;
    } catch (error) {
      const reason = storeErrorOf(error);
      if (reason.kind === 'unreachable' || reason.kind === 'rejected') session.close();
      throw reason;
    } finally {
      clearTimeout(timer);
    }
  }
}

async function confirmed<T>(act: () => Promise<T>, sql: SQL): Promise<T> {
  let started = performance.now();
  const result = await act();
  while (performance.now() - started > CONFIRM_AFTER_MS) {
    started = performance.now();
    await sql.unsafe(BARRIER);
  }
  return result;
}

/** A server that accepts writes. */
interface WritableServer extends ServerState {
  readonly client: SQL;
  readonly lacksStandby: boolean;
}

/**
 * Connects to all servers at the same time, and keeps the newest of those that accept writes: an
 * old primary may come back and accept them, too.
 */
class Session {
  readonly ready: Promise<SQL>;
  readonly #options: ConnectionOptions;
  readonly #clients: readonly SQL[];
  /** The newest known state before the servers were asked. */
  readonly #before: DatabaseState | null;
  readonly #writable: WritableServer[] = [];
  #chosen: WritableServer | undefined;
  #isOver = false;

  constructor(url: DatabaseUrl, options: ConnectionOptions) {
    this.#options = options;
    this.#before = options.known.newest;
    this.#clients = url.servers.map((server) => this.#connect(url, server, options));
    this.ready = this.#open(url.servers);
    // A session may be closed while nobody waits for it.
    this.ready.catch(() => {});
  }

  /** True once its connection is lost or closed, or its server is an old primary. */
  get isOver(): boolean {
    if (this.#isOver || this.#chosen === undefined) return this.#isOver;
    return this.#options.known.isOutdated(this.#chosen.state);
  }

  /** Why its server confirms no write, as it was when this session began; null where it does. */
  get standbyProblem(): StoreError | null {
    const { lacksStandby, name } = this.#chosen ?? { lacksStandby: false, name: '' };
    return lacksStandby ? withoutStandby(name) : null;
  }

  /** Ends its connections without waiting for a server. */
  close(): void {
    this.#isOver = true;
    this.#clients.forEach(destroy);
  }

  /** Remembers how far the database is. */
  async mark(sql: SQL): Promise<void> {
    const [row] = await sql.unsafe('SELECT pg_current_wal_flush_lsn()::text AS flushed');
    this.#options.known.learn({ ...this.#chosen!.state, flushed: row.flushed });
  }

  async #open(servers: readonly DatabaseServer[]): Promise<SQL> {
    const { known } = this.#options;
    const asked = this.#clients.map((client, at) => this.#ask(client, servers[at]!));
    await Promise.any(asked).catch(({ errors }: AggregateError) => {
      const reasons = errors.map((error) => storeErrorOf(error));
      const rejected = reasons.find(({ kind }) => kind === 'rejected');
      if (rejected !== undefined) throw rejected;
      // That a server is not used says more than that another one is down.
      if (this.#writable.length > 0) known.newestOf(this.#writable, this.#before);
      throw reasons.find(({ isMistake }) => isMistake) ?? reasons[0];
    });
    await Promise.race([Promise.allSettled(asked), Bun.sleep(OTHERS_MS)]);
    const chosen = known.newestOf(this.#writable, this.#before);
    this.#chosen = chosen;
    for (const [at, client] of this.#clients.entries()) {
      const close = () => destroy(client);
      if (client !== chosen.client) asked[at]!.then(close, close);
    }
    await known.saved;
    return chosen.client;
  }

  /** Rejects where the server accepts no writes, or is not used. */
  async #ask(client: SQL, { hostname, port }: DatabaseServer): Promise<void> {
    const { known } = this.#options;
    const name = `${hostname}:${port}`;
    const facts = await requireUsable(client, this.#options).catch((error: unknown) => {
      throw storeErrorOf(error, name);
    });
    const server = { client, name, ...facts };
    this.#writable.push(server);
    // A late answer may show that the chosen server is an old primary.
    if (this.#chosen !== undefined) known.newestOf([this.#chosen, server], this.#before);
    const problem = known.problemOf(server, this.#before);
    if (problem !== null) throw new StoreError('unreachable', problem);
  }

  #connect(url: DatabaseUrl, server: DatabaseServer, options: ConnectionOptions): SQL {
    const { username, password, database, sslMode, trusted } = url;
    const host = server.hostname.includes(':') ? `[${server.hostname}]` : server.hostname;
    const client: SQL = new SQL({
      adapter: 'postgres',
      url: `postgres://${host}:${server.port}/?sslmode=${sslMode}`,
      username,
      password,
      database,
      ...(trusted === undefined ? {} : { tls: { ca: trusted } }),
      max: 1,
      idleTimeout: 0,
      maxLifetime: 0,
      connectionTimeout: Math.ceil(options.timeoutMs / 1000),
      connection: {
        ...SESSION,
        application_name: options.applicationName,
        // Ends a statement that nobody waits for. It does not end the wait for the standby.
        statement_timeout: `${options.timeoutMs}`,
      },
      onclose: () => {
        if (client === this.#chosen?.client) this.#isOver = true;
      },
    });
    return client;
  }
}

async function requireUsable(
  client: SQL,
  options: ConnectionOptions,
): Promise<Pick<WritableServer, 'state' | 'lacksStandby'>> {
  // Without parameters, so that no prepared statement is needed behind a pooler.
  const [session] = await client.unsafe(`
    SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only,
      (SELECT setting FROM pg_settings WHERE name = 'statement_timeout') AS timeout`);
  // The settings of a session arrive with its start. A pooler that ignores them has shared ones.
  if (session.timeout !== `${options.timeoutMs}`) throw behindPooler();
  if (session.read_only) throw unreachable('the server accepts no writes');
  await options.requireSchema(client);
  // The name of a WAL file begins with the timeline; pg_control_checkpoint() has that of the last
  // checkpoint, which comes after a promotion.
  const [{ system_id: systemId, timeline, flushed, lacks_standby: lacksStandby }] =
    await client.unsafe(`
    SELECT system_identifier::text AS system_id, pg_current_wal_flush_lsn()::text AS flushed,
      left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS timeline,
      current_setting('synchronous_standby_names') <> ''
        AND NOT EXISTS (SELECT FROM pg_stat_replication) AS lacks_standby
    FROM pg_control_system()`);
  return { state: { systemId, timeline: Number.parseInt(timeline, 16), flushed }, lacksStandby };
}

function destroy(client: SQL): void {
  client.close({ timeout: 0 }).catch(() => {});
}
