// Identity as rows: all of them, and the changes of one write. A cluster stores and sends these.

/** A value of a column of identity, as SQLite and PostgreSQL both keep it. */
export type IdentityValue = string | number | Uint8Array | null;

/** A row of identity, values in the order of the table's columns; those of the key come first. */
export type IdentityRow = readonly IdentityValue[];

/** The changes of one write of identity. A deleted row is named by its primary key. */
export interface IdentityChange {
  readonly table: string;
  readonly put: readonly IdentityRow[];
  readonly deleted: readonly IdentityRow[];
}

/** All rows of identity after the write with this number; 0 before the first. */
export interface IdentityImage {
  readonly version: number;
  readonly tables: ReadonlyMap<string, readonly IdentityRow[]>;
}

/** Tables whose rows have a MAC, with the columns of their primary keys. */
export const AUTHENTIC_TABLES: Readonly<Record<string, readonly string[]>> = {
  users: ['uid'],
  api_keys: ['key_id'],
  sessions: ['session_id'],
  totp: ['uid'],
  recovery_codes: ['uid', 'code_hash'],
  email_codes: ['scope_hash'],
  email_sends: ['send_id'],
  known_networks: ['user_hash', 'network_hash'],
};

/**
 * All tables, so that a row comes after the rows that it references. `sqlite_sequence` has the
 * highest assigned ids: the id of a deleted key or session never comes back.
 */
export const IDENTITY_TABLES: Readonly<Record<string, readonly string[]>> = {
  ...AUTHENTIC_TABLES,
  audit_log: ['id'],
  schema_version: ['version'],
  sqlite_sequence: ['name'],
  integrity: ['part'],
};

/** A text for the primary key at the beginning of a row; two keys never have the same. */
export const keyText = (table: string, row: IdentityRow): string =>
  JSON.stringify(
    row
      .slice(0, IDENTITY_TABLES[table]!.length)
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)),
  );

/** The changes of several writes as those of one. */
export class MergedChanges {
  readonly #tables = new Map<string, Map<string, MergedRow>>();

  get isEmpty(): boolean {
    return this.#tables.size === 0;
  }

  add(changes: readonly IdentityChange[]): void {
    for (const { table, put, deleted } of changes) {
      const rows = this.#tables.get(table) ?? new Map<string, MergedRow>();
      this.#tables.set(table, rows);
      for (const key of deleted) rows.set(keyText(table, key), { key });
      for (const row of put) rows.set(keyText(table, row), { row });
    }
  }

  /** The merged changes, in the order of IDENTITY_TABLES. */
  list(): IdentityChange[] {
    return Object.keys(IDENTITY_TABLES).flatMap((table) => {
      const rows = [...(this.#tables.get(table)?.values() ?? [])];
      if (rows.length === 0) return [];
      const put = rows.flatMap((change) => ('row' in change ? [change.row] : []));
      const deleted = rows.flatMap((change) => ('key' in change ? [change.key] : []));
      return [{ table, put, deleted }];
    });
  }
}

type MergedRow = { readonly row: IdentityRow } | { readonly key: IdentityRow };
