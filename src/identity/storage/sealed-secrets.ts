// The columns with sealed secrets, and the binding of each secret: its row, its owner and the terms
// that limit its use. A secret does not open with other terms.
import type { Database } from 'bun:sqlite';
import type { SealedPlace } from '../sealing.ts';

/** The columns of api_keys that bind its secret. */
export interface KeyTermsRow {
  readonly key_id: number;
  readonly api_key: string;
  readonly uid: number;
  readonly terms: string;
  readonly created_at: number;
}

export const keyPlace = (row: KeyTermsRow): SealedPlace => ({
  table: 'api_keys',
  rowId: `${row.key_id}/${row.uid}`,
  purpose: 'api secret',
  terms: [row.api_key, row.terms, row.created_at],
});

export const totpPlace = ({
  uid,
  created_at,
}: Pick<KeyTermsRow, 'uid' | 'created_at'>): SealedPlace => ({
  table: 'totp',
  rowId: uid,
  purpose: 'totp secret',
  terms: [created_at],
});

/** A secret in its row. */
interface StoredSecret {
  readonly place: SealedPlace;
  readonly sealed: string;
  /** Replaces it; the parameters are the new text and the id. */
  readonly update: string;
  readonly id: number;
}

type SecretRow = KeyTermsRow & { readonly sealed_secret: string };

const SECRETS = {
  api_keys: { key: 'key_id', place: keyPlace },
  totp: { key: 'uid', place: totpPlace },
} as const;

/** Every secret of the database. */
export const secretsIn = (database: Database): StoredSecret[] =>
  Object.entries(SECRETS).flatMap(([table, { key, place }]) => {
    const stored = `SELECT * FROM ${table} WHERE sealed_secret IS NOT NULL`;
    const update = `UPDATE ${table} SET sealed_secret = ? WHERE ${key} = ?`;
    return database
      .query<SecretRow, []>(stored)
      .all()
      .map((row) => ({ place: place(row), sealed: row.sealed_secret, update, id: row[key] }));
  });
