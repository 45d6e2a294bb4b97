// The columns with sealed secrets, and the binding of each secret: its row, its owner and the terms
// that limit its use. A secret does not open with other terms.
import type { Database } from 'bun:sqlite';
import type { SealedPlace, Sealer } from '../sealing.ts';

/** The columns of api_keys that bind its secret. */
export interface KeyTermsRow {
  readonly key_id: number;
  readonly api_key: string;
  readonly uid: number;
  readonly alias: string;
  readonly module_ids: string;
  readonly ip_allow_list: string | null;
  readonly expires_at: number | null;
  readonly strict_cl_ord_id: number;
  readonly replay_guard: number;
  readonly created_at: number;
}

export function keyPlace(row: KeyTermsRow): SealedPlace {
  return {
    table: 'api_keys',
    rowId: `${row.key_id}/${row.uid}`,
    purpose: 'api secret',
    terms: [
      row.api_key,
      row.alias,
      row.module_ids,
      row.ip_allow_list,
      row.expires_at,
      row.strict_cl_ord_id,
      row.replay_guard,
      row.created_at,
    ],
  };
}

export const totpPlace = ({
  uid,
  created_at,
}: Pick<KeyTermsRow, 'uid' | 'created_at'>): SealedPlace => ({
  table: 'totp',
  rowId: uid,
  purpose: 'totp secret',
  terms: [created_at],
});

export type SecretRow = KeyTermsRow & { readonly sealed_secret: string };

export const SECRETS = {
  api_keys: { key: 'key_id', place: keyPlace },
  totp: { key: 'uid', place: totpPlace },
} as const;

export type SecretTable = keyof typeof SECRETS;

/** Opens every secret and wipes it; returns how many. Throws IdentityError for one that fails. */
export function openSecrets(database: Database, sealer: Sealer): number {
  let opened = 0;
  for (const [table, { place }] of Object.entries(SECRETS)) {
    for (const row of secretRows(database, table)) {
      sealer.open(place(row), row.sealed_secret).fill(0);
      opened++;
    }
  }
  return opened;
}

export const updateOf = (table: SecretTable): string =>
  `UPDATE ${table} SET sealed_secret = ? WHERE ${SECRETS[table].key} = ?`;

export const secretsOf = (table: string): string =>
  `SELECT * FROM ${table} WHERE sealed_secret IS NOT NULL`;

const secretRows = (database: Database, table: string): SecretRow[] =>
  database.query<SecretRow, []>(secretsOf(table)).all();
