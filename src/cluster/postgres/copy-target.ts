// A single machine's journal and identity on their way into an empty store: journal records keep
// their epochs and their chain. The lease is held meanwhile, so that no node begins with a part;
// the lease of an interrupted copy stays until the copy is repeated.
import type { SQL } from 'bun';
import type { IdentityImage } from '../../identity/storage/change.ts';
import { BatchReader } from '../../journal/codec.ts';
import type { JournalRecord } from '../../journal/journal.ts';
import type { SetAside } from '../../journal/set-aside.ts';
import { FREE, KEPT, StoreError } from '../store.ts';
import { Connection } from './connection.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { writeIdentityRows } from './identity-rows.ts';
import { KnownDatabase } from './known-database.ts';
import { requireSchema } from './schema.ts';

/** No node has such a name: the setting accepts no spaces. */
const HOLDER = 'journal copy';
/** Identity is written in one transaction, however large the audit log is. */
const TIMEOUT_MS = 300_000;
/** Rows of identity in one statement. */
const ROWS = 10_000;

export class CopyTarget {
  readonly #connection: Connection;

  /** Throws `rejected` for a URL that is not accepted. */
  constructor(url: string) {
    this.#connection = new Connection(parseDatabaseUrl(url), {
      applicationName: 'agio/journal-copy',
      timeoutMs: TIMEOUT_MS,
      requireSchema,
      known: new KnownDatabase(),
    });
  }

  /** Keeps nodes from leading until `finish`. `ended`: see ClusterStore.acquire. */
  async hold(ended: string): Promise<void> {
    await this.#connection.write(async (sql) => {
      const held = await sql`
        UPDATE agio.lease
        SET node = ${HOLDER}, address = '', renewal = ${KEPT}
        WHERE renewal IN (${FREE}, ${ended}) OR node = ${HOLDER}
        RETURNING 1`;
      if (held.length > 0) return;
      const [{ node }] = await sql`SELECT node FROM agio.lease`;
      throw new StoreError(
        'rejected',
        `${node} leads the cluster of this database: stop it first.`,
      );
    });
  }

  /** Appends the next records. The next leader's epoch is higher than theirs. */
  async append(records: readonly JournalRecord[]): Promise<void> {
    const epoch = Math.max(...records.map((record) => record.epoch));
    const { rules } = new BatchReader(records.at(-1)!.payload);
    await this.#transaction(async (sql) => {
      for (const { firstSeq, count, epoch: term, payload, chainHash } of records) {
        await sql`
          INSERT INTO agio.journal (first_seq, last_seq, epoch, payload, chain_hash)
          VALUES (${firstSeq}::bigint, ${firstSeq + count - 1}::bigint, ${term}::bigint,
            ${payload}, ${chainHash})`;
      }
      await sql`
        UPDATE agio.lease
        SET epoch = greatest(epoch, ${epoch}::bigint), rules = greatest(rules, ${rules}::int)`;
    });
  }

  /** Sets aside what is set aside at the source. */
  async addSetAside(entries: readonly SetAside[]): Promise<void> {
    await this.#transaction(async (sql) => {
      for (const entry of entries) {
        await sql`
          INSERT INTO agio.set_aside (seq, entry)
          VALUES (${entry.seq}::bigint, ${JSON.stringify(entry)}) ON CONFLICT DO NOTHING`;
      }
    });
  }

  /** Writes identity, unless an earlier copy did, and lets the nodes lead. */
  async finish(image: IdentityImage): Promise<void> {
    await this.#transaction(async (sql) => {
      const [{ version, epoch }] = await sql`
        SELECT version::float8, lease.epoch::float8 FROM agio.identity_head, agio.lease`;
      if (version === 0) await writeAll(sql, epoch, image);
      await sql`UPDATE agio.lease SET node = '', renewal = ${FREE}`;
    });
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  async #transaction(act: (sql: SQL) => Promise<void>): Promise<void> {
    await this.#connection.write((connection) =>
      connection.begin(async (sql) => {
        const held = await sql`SELECT FROM agio.lease WHERE node = ${HOLDER} FOR UPDATE`;
        if (held.length === 0) {
          throw new StoreError('rejected', 'Another copy to this database has ended meanwhile.');
        }
        await act(sql);
      }),
    );
  }
}

/** Many rows as several versions, in the one transaction of `sql`. */
async function writeAll(sql: SQL, epoch: number, { rows, mac }: IdentityImage): Promise<void> {
  for (let at = 0, version = 1; at < rows.length; at += ROWS, version++) {
    const change = { removed: [], added: rows.slice(at, at + ROWS), mac };
    await writeIdentityRows(sql, epoch, version, change);
  }
}
