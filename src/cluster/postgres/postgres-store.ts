// The shared store in PostgreSQL. Every write is one statement that locks the lease's row and names
// its epoch: PostgreSQL decides, so a leader that was paused or cut off never writes again.
import type { SQL } from 'bun';
import { assert } from '../../core/assert.ts';
import type { IdentityChange, RowTarget } from '../../identity/storage/change.ts';
import type { JournalHead, JournalRecord } from '../../journal/journal.ts';
import { genesisHash, sameBytes } from '../../journal/record.ts';
import { type SetAside, withSetAside } from '../../journal/set-aside.ts';
import {
  type MemberRow,
  type Membership,
  membershipProblem,
  type NodeProcess,
  otherProcess,
  readsRules,
} from '../members.ts';
import {
  type Candidate,
  type ClusterStore,
  FREE,
  type IdentityAtSeq,
  KEPT,
  type Leader,
  type LeaseAnswer,
  StoreError,
} from '../store.ts';
import { Connection } from './connection.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { sqlState, UNIQUE_VIOLATION } from './errors.ts';
import { GuardedTarget, readIdentityRows, writeIdentityRows } from './identity-rows.ts';
import { KnownDatabase } from './known-database.ts';
import { requireSchema } from './schema.ts';

const LEASE_TIMEOUT_MS = 2_000;
/** Long enough for the largest batch. A leader that cannot renew its lease waits no longer. */
const WRITE_TIMEOUT_MS = 5_000;
/** Reads are long, and no lease depends on them. */
const READ_TIMEOUT_MS = 30_000;
/** Between two looks at all servers of the URL. */
const LOOK_MS = 5_000;
/** The most records of one read, so that PostgreSQL adds up few lengths. */
const READ_RECORDS = 4_096;

export interface PostgresStoreOptions {
  readonly url: string;
  /** The name of this node. */
  readonly node: string;
  /** The state of the database that this node knows; none by default. */
  readonly known?: KnownDatabase;
  /** A time limit for all calls, instead of one for each kind. */
  readonly timeoutMs?: number;
}

interface LeaseRow extends Leader {
  readonly rules: number | null;
  readonly renewal: string;
  readonly now: number;
}

const LEASE_COLUMNS = `epoch::float8 AS epoch, node, address, instance, rules, renewal,
  floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;

export class PostgresStore implements ClusterStore {
  // Separate connections: neither an append nor a read delays a renewal, and no read an append.
  readonly #lease: Connection;
  readonly #journal: Connection;
  readonly #identity: Connection;
  readonly #reads: Connection;
  readonly #known: KnownDatabase;
  readonly #connect: (timeoutMs: number) => Connection;
  readonly #looking: ReturnType<typeof setInterval> | null;

  /** Connects with the first call. Throws `rejected` for a URL that is not accepted. */
  constructor({ url, node, known = new KnownDatabase(), timeoutMs }: PostgresStoreOptions) {
    const parsed = parseDatabaseUrl(url);
    this.#known = known;
    this.#connect = (limit) =>
      new Connection(parsed, {
        applicationName: `agio/${node}`,
        timeoutMs: timeoutMs ?? limit,
        requireSchema,
        known,
      });
    this.#lease = this.#connect(LEASE_TIMEOUT_MS);
    this.#journal = this.#connect(WRITE_TIMEOUT_MS);
    this.#identity = this.#connect(WRITE_TIMEOUT_MS);
    this.#reads = this.#connect(READ_TIMEOUT_MS);
    const hasSeveral = parsed.servers.length > 1;
    this.#looking = hasSeveral ? setInterval(() => void this.#look(), LOOK_MS) : null;
    this.#looking?.unref();
  }

  /**
   * A new connection asks all servers. So a standby that was promoted is found while the old
   * primary still answers, and the other connections end.
   */
  async #look(): Promise<void> {
    if (this.#known.newest === null) return;
    const connection = this.#connect(LEASE_TIMEOUT_MS);
    await connection.write(async () => {}).catch(() => undefined);
    connection.close();
  }

  readLease(): Promise<LeaseAnswer> {
    return this.#lease.read(async (sql) => {
      const [row] = await sql.unsafe(`SELECT ${LEASE_COLUMNS} FROM agio.lease`);
      return answerOf(row);
    });
  }

  /**
   * The update waits for the locks of appends in progress, so its commit comes after theirs in the
   * WAL. PostgreSQL confirms it once the standby has the WAL up to there, which includes them.
   */
  async acquire(
    { node, address, instance }: Candidate,
    ended: string = FREE,
  ): Promise<LeaseAnswer> {
    const taken = await this.#updateLease(
      `, epoch = epoch + 1, node = $1, address = $2, instance = $3,
       rules = coalesce(rules, (SELECT min(newest_rules) FROM agio.member))`,
      `((node = $1 AND address = $2) OR renewal IN ($4, $5)) AND renewal <> $6
       AND EXISTS (
         SELECT FROM agio.member WHERE member.node = $1 AND member.instance = $3
         AND coalesce(rules, oldest_rules) BETWEEN oldest_rules AND newest_rules)`,
      [node, address, instance, FREE, ended, KEPT],
    );
    return taken ?? this.readLease();
  }

  async renew(epoch: number): Promise<LeaseAnswer> {
    const renewed = await this.#updateLease('', 'epoch = $1::bigint', [epoch]);
    return renewed ?? fenced(epoch, await this.readLease());
  }

  async handOver(epoch: number, { node, address, instance }: Candidate): Promise<LeaseAnswer> {
    const given = await this.#updateLease(
      ', epoch = epoch + 1, node = $2, address = $3, instance = $4',
      'epoch = $1::bigint',
      [epoch, node, address, instance],
    );
    return given ?? fenced(epoch, await this.readLease());
  }

  members(): Promise<Membership> {
    return this.#lease.write(membersOver);
  }

  register(process: NodeProcess, replaced: MemberRow | null): Promise<Membership> {
    return this.#changeMembers(async (sql) => {
      // A beat counts before this, or for nobody.
      await sql`SELECT FROM agio.member WHERE node = ${process.node} FOR UPDATE`;
      const { rules, members } = await membersOver(sql);
      const problem = membershipProblem(process, rules, members);
      if (problem !== null) throw new StoreError('rejected', problem);
      const other = otherProcess(process, members);
      const isReplaced = other?.instance === replaced?.instance && other?.beats === replaced?.beats;
      if (other === undefined || isReplaced) await writeMember(sql, process);
    });
  }

  beat({ node, instance }: Pick<NodeProcess, 'node' | 'instance'>): Promise<Membership> {
    return this.#lease.mark(async (sql) => {
      await sql`
        UPDATE agio.member SET beats = beats + 1, seen_at = clock_timestamp()
        WHERE node = ${node} AND instance = ${instance} AND NOT is_stopped`;
      return membersOver(sql);
    });
  }

  async leave({ node, instance }: Pick<NodeProcess, 'node' | 'instance'>): Promise<void> {
    await this.#lease.write(
      (sql) => sql`
        UPDATE agio.member SET is_stopped = true, seen_at = clock_timestamp()
        WHERE node = ${node} AND instance = ${instance}`,
    );
  }

  forget(epoch: number, node: string): Promise<Membership> {
    return this.#changeMembers(async (sql) => {
      await sql`DELETE FROM agio.member WHERE node = ${node}`;
    }, epoch);
  }

  raiseRules(epoch: number, rules: number): Promise<Membership> {
    return this.#changeMembers(async (sql) => {
      const { members } = await membersOver(sql);
      if (!members.every((member) => readsRules(member, rules))) return;
      await sql`UPDATE agio.lease SET rules = greatest(rules, ${rules}::int)`;
    }, epoch);
  }

  /** One transaction at a time in the cluster, so that what `change` reads is what there is. */
  async #changeMembers(
    change: (sql: SQL) => Promise<void>,
    epoch: number | null = null,
  ): Promise<Membership> {
    const changed = await this.#lease.write((connection) =>
      connection.begin(async (sql) => {
        const [lease] = await sql`SELECT epoch::float8 FROM agio.lease FOR NO KEY UPDATE`;
        if (epoch !== null && lease.epoch !== epoch) return null;
        await change(sql);
        return membersOver(sql);
      }),
    );
    return changed ?? fenced(epoch!, await this.readLease());
  }

  async append(record: JournalRecord): Promise<void> {
    const { firstSeq, count, epoch, payload, chainHash } = record;
    const lastSeq = firstSeq + count - 1;
    // The end of the journal may be older than the lock on the lease. The primary key then rejects
    // the row, since the record that was added meanwhile begins at the same seq.
    const rows = await this.#journal.write((sql) =>
      sql`
        INSERT INTO agio.journal (first_seq, last_seq, epoch, payload, chain_hash)
        SELECT ${firstSeq}::bigint, ${lastSeq}::bigint, lease.epoch, ${payload}, ${chainHash}
        FROM (SELECT epoch FROM agio.lease WHERE epoch = ${epoch}::bigint FOR KEY SHARE) AS lease
        WHERE ${firstSeq}::bigint - 1 = coalesce(
          (SELECT last_seq FROM agio.journal ORDER BY first_seq DESC LIMIT 1), 0)
        RETURNING 1`.catch(noneIfThere),
    );
    if (rows.length === 0) await this.#requireAppended(record);
  }

  head(): Promise<JournalHead> {
    return this.#headOver(this.#reads);
  }

  read(fromSeq: number, maxBytes: number): Promise<JournalRecord[]> {
    return this.#reads.read(async (sql) => {
      const rows: JournalRow[] = await sql`
        SELECT first_seq::float8, last_seq::float8, epoch::float8, payload, chain_hash
        FROM (
          SELECT *, sum(octet_length(payload)) OVER (ORDER BY first_seq) AS bytes
          FROM (
            SELECT * FROM agio.journal
            WHERE last_seq >= ${fromSeq}::bigint AND first_seq >= coalesce((
              SELECT first_seq FROM agio.journal WHERE first_seq <= ${fromSeq}::bigint
              ORDER BY first_seq DESC LIMIT 1), 0)
            ORDER BY first_seq LIMIT ${READ_RECORDS}::int
          ) AS next
        ) AS measured
        WHERE bytes - octet_length(payload) < ${maxBytes}::bigint
        ORDER BY first_seq`;
      const setAside = await setAsideOver(sql);
      return rows.map((row) => withSetAside(recordOf(row), setAside));
    });
  }

  setAside(): Promise<SetAside[]> {
    return this.#reads.read(setAsideOver);
  }

  async addSetAside(entry: SetAside, ended: string = FREE): Promise<void> {
    const written = await this.#journal.write((sql) =>
      sql`
        INSERT INTO agio.set_aside (seq, entry)
        SELECT ${entry.seq}::bigint, ${JSON.stringify(entry)} FROM agio.lease
        WHERE renewal IN (${FREE}, ${ended}) RETURNING 1`.catch(noneIfThere),
    );
    if (written.length > 0) return;
    const { lease } = await this.readLease();
    if (lease === null || lease.renewal === FREE || lease.renewal === ended) return;
    throw new StoreError('rejected', `${lease.node} leads this cluster: stop it first.`);
  }

  async readIdentity<T extends RowTarget>(open: (head: IdentityAtSeq) => T): Promise<T> {
    const opened = new GuardedTarget(open);
    try {
      await this.#reads.read((sql, onProgress) => readIdentityRows(sql, opened, onProgress));
      return opened.target!;
    } catch (error) {
      opened.target?.close();
      throw opened.error ?? error;
    }
  }

  async identityVersion(): Promise<number> {
    return (await this.#identityHead()).version;
  }

  async writeIdentity(epoch: number, version: number, change: IdentityChange): Promise<void> {
    const written = await this.#identity.write((sql) =>
      writeIdentityRows(sql, epoch, version, change),
    );
    if (written) return;
    const head = await this.#identityHead();
    // This term made the write before, and its answer was lost.
    if (head.version === version && head.epoch === epoch) return;
    fenced(epoch, await this.readLease(), `write ${version} of identity is not the next one`);
  }

  async close(): Promise<void> {
    if (this.#looking !== null) clearInterval(this.#looking);
    for (const connection of [this.#lease, this.#journal, this.#identity, this.#reads]) {
      connection.close();
    }
    await this.#known.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** null where the row does not fit the condition. */
  #updateLease(
    changes: string,
    condition: string,
    parameters: readonly (string | number)[],
  ): Promise<LeaseAnswer | null> {
    return this.#lease.write(async (sql) => {
      const [row] = await sql.unsafe(
        `UPDATE agio.lease
         SET renewal = gen_random_uuid()::text ${changes}
         WHERE ${condition} RETURNING ${LEASE_COLUMNS}`,
        [...parameters],
      );
      return row === undefined ? null : answerOf(row);
    });
  }

  async #requireAppended({ firstSeq, epoch, chainHash }: JournalRecord): Promise<void> {
    const head = await this.#headOver(this.#journal);
    if (sameBytes(head.chainHash, chainHash)) return;
    const answer = await this.readLease();
    if (answer.lease?.epoch !== epoch) fenced(epoch, answer);
    assert(
      false,
      `a record starts at ${firstSeq} but the journal in the store ends at ${head.seq}`,
    );
  }

  #headOver(connection: Connection): Promise<JournalHead> {
    return connection.read(async (sql) => {
      const [row] = await sql`
        SELECT last_seq::float8, chain_hash FROM agio.journal ORDER BY first_seq DESC LIMIT 1`;
      if (row === undefined) return { seq: 0, chainHash: genesisHash() };
      return { seq: row.last_seq, chainHash: bytesOf(row.chain_hash) };
    });
  }

  #identityHead(): Promise<{ version: number; epoch: number }> {
    return this.#identity.read(async (sql) => {
      const [row] = await sql`SELECT version::float8, epoch::float8 FROM agio.identity_head`;
      return row;
    });
  }
}

interface JournalRow {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly epoch: number;
  readonly payload: Buffer;
  readonly chain_hash: Buffer;
}

async function setAsideOver(sql: SQL): Promise<SetAside[]> {
  const rows: { entry: string }[] = await sql`SELECT entry FROM agio.set_aside ORDER BY seq`;
  return rows.map(({ entry }) => JSON.parse(entry) as SetAside);
}

const recordOf = (row: JournalRow): JournalRecord => ({
  firstSeq: row.first_seq,
  count: row.last_seq - row.first_seq + 1,
  epoch: row.epoch,
  payload: bytesOf(row.payload),
  chainHash: bytesOf(row.chain_hash),
});

const bytesOf = ({ buffer, byteOffset, length }: Buffer): Uint8Array =>
  new Uint8Array(buffer, byteOffset, length);

function answerOf({ now, rules, ...lease }: LeaseRow): LeaseAnswer {
  return { lease: lease.epoch === 0 ? null : lease, rules, storeTime: now };
}

async function membersOver(sql: SQL): Promise<Membership> {
  const [facts] = await sql`
    SELECT rules, renewal, (SELECT count(*)::int FROM pg_stat_replication) AS standbys
    FROM agio.lease`;
  const rows: MemberRow[] = await sql`
    SELECT node, address, instance, release, token, is_stopped AS "isStopped",
      oldest_rules AS "oldestRules", newest_rules AS "newestRules",
      oldest_link AS "oldestLink", newest_link AS "newestLink", beats::float8,
      floor(extract(epoch FROM seen_at) * 1000)::float8 AS "seenAt"
    FROM agio.member ORDER BY node`;
  const { rules, renewal, standbys } = facts;
  return { rules, renewal, standbys, members: rows.map((row) => ({ ...row })) };
}

async function writeMember(sql: SQL, process: NodeProcess): Promise<void> {
  const { node, address, instance, release, token } = process;
  const { oldestRules, newestRules, oldestLink, newestLink } = process;
  await sql`
    INSERT INTO agio.member (node, address, instance, release, token, oldest_rules, newest_rules,
      oldest_link, newest_link, beats, seen_at, is_stopped)
    VALUES (${node}, ${address}, ${instance}, ${release}, ${token}, ${oldestRules}::int,
      ${newestRules}::int, ${oldestLink}::int, ${newestLink}::int, 1, clock_timestamp(), false)
    ON CONFLICT (node) DO UPDATE SET address = excluded.address, instance = excluded.instance,
      release = excluded.release, token = excluded.token, oldest_rules = excluded.oldest_rules,
      newest_rules = excluded.newest_rules, oldest_link = excluded.oldest_link,
      newest_link = excluded.newest_link, beats = member.beats + 1, seen_at = excluded.seen_at,
      is_stopped = false`;
}

function noneIfThere(error: unknown): [] {
  if (sqlState(error) === UNIQUE_VIOLATION) return [];
  throw error;
}

function fenced(epoch: number, { lease }: LeaseAnswer, what = 'it can write nothing'): never {
  const now = lease === null ? 'nobody leads' : `${lease.node} leads in term ${lease.epoch}`;
  throw new StoreError('fenced', `Term ${epoch} ended, ${now}: ${what}.`);
}
