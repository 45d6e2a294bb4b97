// The rows of identity in PostgreSQL, as their texts, which are ASCII: see
// identity/storage/row-text.ts.
import type { SQL } from 'bun';
import type { IdentityChange, IdentityRow, RowTarget } from '../../identity/storage/change.ts';
import type { IdentityAtSeq } from '../store.ts';

/** Rows of a portion: of some megabytes if all are the largest entries of the audit log. */
const PORTION = 1_000;

interface StoredRow {
  readonly id: Uint8Array;
  readonly row: IdentityRow;
}

/** A target, with the error that it threw: that is not one of the database. */
export class GuardedTarget<T extends RowTarget> {
  readonly #open: (head: IdentityAtSeq) => T;
  target: T | undefined;
  error: unknown;

  constructor(open: (head: IdentityAtSeq) => T) {
    this.#open = open;
  }

  begin(head: IdentityAtSeq): void {
    this.#guarded(() => {
      this.target = this.#open(head);
    });
  }

  take(rows: readonly IdentityRow[]): void {
    this.#guarded(() => this.target!.take(rows));
  }

  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.error = error;
      throw error;
    }
  }
}

/** Reads everything as of one moment. `onProgress` follows each portion. */
export function readIdentityRows<T extends RowTarget>(
  connection: SQL,
  target: GuardedTarget<T>,
  onProgress: () => void,
): Promise<void> {
  return connection.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (sql) => {
    const [head] = await sql`
      SELECT version::float8, mac, coalesce((
        SELECT last_seq FROM agio.journal ORDER BY first_seq DESC LIMIT 1), 0)::float8 AS seq
      FROM agio.identity_head`;
    target.begin({ version: head.version, mac: head.mac, journalSeq: head.seq });
    for (let after = new Uint8Array(); ; ) {
      const rows: StoredRow[] = await sql`
        SELECT id, row FROM agio.identity WHERE id > ${after} ORDER BY id LIMIT ${PORTION}`;
      target.take(rows.map(({ row }) => row));
      const last = rows.at(-1);
      if (last === undefined || rows.length < PORTION) return;
      after = new Uint8Array(last.id);
      onProgress();
    }
  });
}

/** True if the write was made: the term is the present one, and the version is the next. */
export async function writeIdentityRows(
  sql: SQL,
  epoch: number,
  version: number,
  { removed, added, mac }: IdentityChange,
): Promise<boolean> {
  const rows = await sql`
    WITH head AS (
      UPDATE agio.identity_head SET version = ${version}::bigint, epoch = lease.epoch, mac = ${mac}
      FROM (SELECT epoch FROM agio.lease WHERE epoch = ${epoch}::bigint FOR KEY SHARE) AS lease
      WHERE version = ${version}::bigint - 1
      RETURNING 1
    ), gone AS (
      DELETE FROM agio.identity
      USING json_array_elements_text(${JSON.stringify(removed)}::text::json) AS old
      WHERE id = sha256(old::bytea) AND EXISTS (SELECT FROM head)
    ), stored AS (
      INSERT INTO agio.identity (id, row) SELECT sha256(new::bytea), new
      FROM json_array_elements_text(${JSON.stringify(added)}::text::json) AS new
      WHERE EXISTS (SELECT FROM head)
    )
    SELECT FROM head`;
  return rows.length === 1;
}
