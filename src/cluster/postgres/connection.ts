// One connection to the server that accepts writes, found among those of the URL. Each call has a
// time limit. A call without an answer destroys the connection: nothing waits for a server that
// hangs, and the next call looks for the writable server again.
import { SQL } from 'bun';
import type { DatabaseServer, DatabaseUrl } from './database-url.ts';
import { behindPooler, storeErrorOf, unreachable } from './errors.ts';

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

interface ConnectionOptions {
  /** As PostgreSQL lists it. */
  readonly applicationName: string;
  /** The time limit of one call, connecting included. */
  readonly timeoutMs: number;
  /** Throws unless the schema is one that the caller can work with. */
  readonly requireSchema: (sql: SQL) => Promise<void>;
}

type Statements<T> = (sql: SQL) => Promise<T>;

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
    return this.#call(async (sql) => {
      let started = performance.now();
      const result = await act(sql);
      while (performance.now() - started > CONFIRM_AFTER_MS) {
        started = performance.now();
        await sql.unsafe(BARRIER);
      }
      return result;
    });
  }

  /** The result of `act`, once what it read would survive the loss of the server. */
  read<T>(act: Statements<T>): Promise<T> {
    return this.write(async (sql) => {
      const result = await act(sql);
      await sql.unsafe(BARRIER);
      return result;
    });
  }

  /** Calls in progress reject. */
  close(): void {
    this.#closed = true;
    this.#session?.close();
  }

  async #call<T>(act: Statements<T>): Promise<T> {
    if (this.#closed) throw unreachable('this node closed its connection');
    if (this.#session?.isOver ?? true) this.#session = new Session(this.#url, this.#options);
    const session = this.#session!;
    const { timeoutMs } = this.#options;
    const { promise: expired, reject } = Promise.withResolvers<never>();
    const expire = () => reject(unreachable(`no answer within ${timeoutMs} ms`));
    const timer = setTimeout(expire, timeoutMs);
    try {
      const result = await Promise.race([session.ready.then(act), expired]);
      // The client would connect again between two statements, perhaps to another server.
      if (session.isOver) throw unreachable('the connection was lost');
      return result;
    } catch (error) {
      const reason = storeErrorOf(error);
      if (reason.kind === 'unreachable' || reason.kind === 'refused') session.close();
      throw reason;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Connects to all servers at the same time, and keeps the first that accepts writes. */
class Session {
  readonly ready: Promise<SQL>;
  readonly #clients: readonly SQL[];
  #chosen: SQL | undefined;
  #isOver = false;

  constructor(url: DatabaseUrl, options: ConnectionOptions) {
    this.#clients = url.servers.map((server) => this.#connect(url, server, options));
    const usable = this.#clients.map((client) => requireUsable(client, options));
    this.ready = Promise.any(usable).then(
      (chosen) => this.#choose(chosen),
      ({ errors }: AggregateError) => {
        const reasons = errors.map(storeErrorOf);
        throw reasons.find(({ kind }) => kind === 'refused') ?? reasons[0];
      },
    );
    // A session may be closed while nobody waits for it.
    this.ready.catch(() => {});
  }

  /** Whether its connection is lost or closed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends its connections without waiting for a server. */
  close(): void {
    this.#isOver = true;
    this.#clients.forEach(destroy);
  }

  #choose(chosen: SQL): SQL {
    this.#chosen = chosen;
    for (const client of this.#clients) if (client !== chosen) destroy(client);
    return chosen;
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
        if (client === this.#chosen) this.#isOver = true;
      },
    });
    return client;
  }
}

async function requireUsable(client: SQL, options: ConnectionOptions): Promise<SQL> {
  // Without parameters, so that no prepared statement is needed behind a pooler.
  const [state] = await client.unsafe(`
    SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only,
      (SELECT setting FROM pg_settings WHERE name = 'statement_timeout') AS timeout`);
  // The settings of a session arrive with its start. A pooler that ignores them has shared ones.
  if (state.timeout !== `${options.timeoutMs}`) throw behindPooler();
  if (state.read_only) throw unreachable('the server accepts no writes');
  await options.requireSchema(client);
  return client;
}

function destroy(client: SQL): void {
  client.close({ timeout: 0 }).catch(() => {});
}
