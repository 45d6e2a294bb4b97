// The rows of identity in PostgreSQL, as their texts, which are ASCII: see
// identity/storage/row-text.ts.
import type { SQL } from 'bun';
import type { IdentityChange } from '../../identity/storage/change.ts';
import type { IdentityAtSeq } from '../store.ts';

interface StoredRow {
  readonly version: number;
  readonly mac: string;
  readonly journal_seq: number;
  readonly row: string | null;
}

/** One statement sees one moment of the database. */
export async function readIdentityRows(sql: SQL): Promise<IdentityAtSeq> {
  const found: StoredRow[] = await sql`
    SELECT head.version::float8, head.mac, identity.row, coalesce((
      SELECT last_seq FROM agio.journal ORDER BY first_seq DESC LIMIT 1), 0)::float8 AS journal_seq
    FROM agio.identity_head AS head LEFT JOIN agio.identity ON true`;
  const { version, mac, journal_seq: journalSeq } = found[0]!;
  return { version, mac, journalSeq, rows: found.flatMap(({ row }) => row ?? []) };
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
