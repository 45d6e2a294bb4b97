// Authenticates the rows of identity, so that agio finds every change that something else made. One
// MAC covers the set of all rows and the head of the audit log, whose hash chain binds its entries.
// It reveals rows that were changed, added, deleted, or restored from an older copy. A write
// updates it by the rows that it has changed: the old ones leave the set, the new ones enter it.
import type { Database } from 'bun:sqlite';
import { timingSafeEqual } from 'node:crypto';
import { type DerivedKey, derivedKeys, type MasterKey } from '../master-key.ts';
import { AlteredError, MasterKeyError } from '../result.ts';
import {
  type IdentityChange,
  type IdentityImage,
  type IdentityRow,
  MergedChange,
} from './change.ts';
import { changeRow, formsOf, type TableForms } from './row-text.ts';
import { SCHEMA_VERSION, storedMac, storeMac } from './schema.ts';

const MAC_BYTES = 32;
/** Only its head is in the MAC: a start need not read the whole log. */
const AUDIT_LOG = 'audit_log';

const isInSet = (row: IdentityRow): boolean => !row.startsWith(`["${AUDIT_LOG}",`);

/** The set of all rows but those of the audit log: their number, and the XOR of their hashes. */
interface RowSet {
  readonly count: number;
  /** Never stored: the hashes of single rows could be recombined. */
  readonly sum: Uint8Array;
}

/** The keyed hashes of one master key. */
interface Hashers {
  readonly kid: string;
  readonly row: (row: IdentityRow) => Uint8Array;
  readonly set: (text: string) => Uint8Array;
}

/** The content of the database, under the key of its MAC. */
interface Authentic {
  readonly hashers: Hashers;
  readonly set: RowSet;
  /** The newest entry of the audit log, as JSON. */
  readonly head: string;
}

export class AuthenticRows {
  readonly #database: Database;
  readonly #forms: TableForms;
  readonly #hashers: ReadonlyMap<string, Hashers>;
  readonly #current: Hashers;
  #authentic: Authentic;
  /** Changes with each commit of another connection to the file. */
  #foreignCommits: unknown;

  /** The first master key makes the MAC; every key verifies. */
  constructor(database: Database, masterKeys: readonly MasterKey[]) {
    this.#database = database;
    this.#forms = formsOf(database);
    this.#hashers = hashersOf(masterKeys);
    this.#current = this.#hashers.get(masterKeys[0]!.kid)!;
    this.#authentic = {
      hashers: this.#current,
      set: { count: 0, sum: new Uint8Array(MAC_BYTES) },
      head: '',
    };
  }

  /** The number of rows that the MAC covers. */
  get count(): number {
    return this.#authentic.set.count;
  }

  /** True if the MAC is under the first master key; otherwise `renew` is due. */
  get isCurrent(): boolean {
    return this.#authentic.hashers === this.#current;
  }

  /** All rows, as this version. */
  image(version: number): IdentityImage {
    const rows = [...this.#forms.keys()].flatMap((table) => [...this.#rowsOf(table)]);
    return { version, rows, mac: storedMac(this.#database) };
  }

  /** Checks every row. Throws IdentityError. */
  verify(): void {
    const mac = storedMac(this.#database);
    const hashers = this.#hashersOf(mac);
    this.#authentic = this.#require(mac, hashers, this.#setOf(hashers));
    this.#foreignCommits = this.#dataVersion();
  }

  /** Makes the MAC of all rows under the first master key, in a transaction; returns it. */
  renew(): string {
    const hashers = this.#current;
    const authentic = { hashers, set: this.#setOf(hashers), head: this.#auditHead() };
    const mac = macOf(authentic);
    storeMac(this.#database, mac);
    this.#authentic = authentic;
    this.#foreignCommits = this.#dataVersion();
    return mac;
  }

  /** Tracks every change of a row, and rejects one outside of `IdentityStore.write`. */
  watch(): void {
    const run = (sql: string) => void this.#database.run(sql);
    // Temporary objects belong to this connection and are not in the file.
    run('PRAGMA temp_store = MEMORY');
    // Without it, REPLACE would delete a row unnoticed.
    run('PRAGMA recursive_triggers = ON');
    // The texts of each changed row before and after; during a write, one empty row more.
    run('CREATE TEMP TABLE changed (old TEXT, new TEXT)');
    for (const [table, { text }] of this.#forms) {
      for (const [event, before, after] of [
        ['INSERT', 'NULL', text('NEW')],
        ['UPDATE', text('OLD'), text('NEW')],
        ['DELETE', text('OLD'), 'NULL'],
      ]) {
        run(`CREATE TEMP TRIGGER ${table}_${event} AFTER ${event} ON main.${table} BEGIN
          SELECT RAISE(ABORT, 'a change of ${table} outside of a write')
            WHERE NOT EXISTS (SELECT 1 FROM changed);
          INSERT INTO changed VALUES (${before}, ${after}); END`);
      }
    }
  }

  /**
   * Called at the beginning of a write, in its transaction. Throws IdentityError where something
   * else has changed the file; this write would authenticate it.
   */
  begin(): void {
    // A checkpoint of another program changes the number, too.
    const isKnown = this.#dataVersion() === this.#foreignCommits;
    if (!isKnown || this.#auditHead() !== this.#authentic.head) this.verify();
    this.#database.query('INSERT INTO changed VALUES (NULL, NULL)').run();
  }

  /** Makes the MAC of the changed rows, in the transaction of `begin`. `commit` follows it. */
  end(): { readonly change: IdentityChange; readonly commit: () => void } {
    const { removed, added } = this.#takeChanged();
    const set = this.#changedSet(removed, added);
    const authentic = { hashers: this.#current, set, head: this.#auditHead() };
    const mac = macOf(authentic);
    storeMac(this.#database, mac);
    return { change: { removed, added, mac }, commit: () => this.#commit(authentic) };
  }

  /** Makes the change of another node, in a transaction; the returned function follows it. */
  apply({ removed, added, mac }: IdentityChange): () => void {
    const hashers = this.#hashersOf(mac);
    this.begin();
    // A row that others reference is deleted and inserted again.
    this.#database.run('PRAGMA defer_foreign_keys = ON');
    for (const row of removed) changeRow(this.#database, this.#forms, 'remove', row);
    for (const row of added) changeRow(this.#database, this.#forms, 'insert', row);
    const made = this.#takeChanged();
    const isSameKey = hashers === this.#authentic.hashers;
    const set = isSameKey ? this.#changedSet(made.removed, made.added) : this.#setOf(hashers);
    const authentic = this.#require(mac, hashers, set);
    storeMac(this.#database, mac);
    return () => this.#commit(authentic);
  }

  #commit(authentic: Authentic): void {
    this.#authentic = authentic;
  }

  /** The change of this write, which ends with it. */
  #takeChanged(): IdentityChange {
    const rows = this.#database
      .query<{ old: IdentityRow | null; new: IdentityRow | null }, []>(
        'DELETE FROM changed RETURNING old, new',
      )
      .all();
    const merged = new MergedChange();
    const removed = rows.flatMap((row) => row.old ?? []);
    const added = rows.flatMap((row) => row.new ?? []);
    merged.add({ removed, added, mac: '' });
    return merged.change;
  }

  #changedSet(removed: readonly IdentityRow[], added: readonly IdentityRow[]): RowSet {
    const { hashers, set } = this.#authentic;
    const [old, fresh] = [removed.filter(isInSet), added.filter(isInSet)];
    const sum = set.sum.slice();
    for (const row of [...old, ...fresh]) xorInto(sum, hashers.row(row));
    return { count: set.count - old.length + fresh.length, sum };
  }

  #setOf(hashers: Hashers): RowSet {
    const sum = new Uint8Array(MAC_BYTES);
    let count = 0;
    for (const table of this.#forms.keys()) {
      if (table === AUDIT_LOG) continue;
      for (const row of this.#rowsOf(table)) {
        xorInto(sum, hashers.row(row));
        count++;
      }
    }
    return { count, sum };
  }

  *#rowsOf(table: string): Generator<IdentityRow> {
    const { all } = this.#forms.get(table)!;
    for (const { row } of this.#database.query<{ row: IdentityRow }, []>(all).iterate()) yield row;
  }

  #require(mac: string, hashers: Hashers, set: RowSet): Authentic {
    const authentic = { hashers, set, head: this.#auditHead() };
    const [found, wanted] = [mac, macOf(authentic)].map((text) => Buffer.from(text));
    if (found!.length === wanted!.length && timingSafeEqual(found!, wanted!)) return authentic;
    throw new AlteredError('its rows do not fit their MAC');
  }

  #auditHead(): string {
    const newest = `SELECT id, hash FROM ${AUDIT_LOG} ORDER BY id DESC LIMIT 1`;
    return JSON.stringify(this.#database.query(newest).values());
  }

  #hashersOf(mac: string): Hashers {
    const [, kid = ''] = mac.split('.');
    const hashers = this.#hashers.get(kid);
    if (hashers !== undefined) return hashers;
    if (kid === '') throw new AlteredError('the MAC of its rows is missing');
    throw new MasterKeyError(
      `identity.db is authenticated under master key ${kid}, which is not active: set ` +
        'AGIO_MASTER_KEY (or DATA/master.key) to the key that it was written with. After a ' +
        'change of key, add the older one after the first.',
    );
  }

  #dataVersion(): unknown {
    return this.#database.query<{ data_version: number }, []>('PRAGMA data_version').get()!
      .data_version;
  }
}

function macOf({ hashers, set: { count, sum }, head }: Authentic): string {
  const mac = hashers.set(`${SCHEMA_VERSION}|${count}|${sum.toHex()}|${head}`);
  return `${SCHEMA_VERSION}.${hashers.kid}.${mac.toHex()}`;
}

function hashersOf(masterKeys: readonly MasterKey[]): ReadonlyMap<string, Hashers> {
  const sets = derivedKeys(masterKeys, 'mac of identity');
  const rows = derivedKeys(masterKeys, 'hash of identity rows');
  return new Map(
    rows.map((row, at) => [
      row.kid,
      { kid: row.kid, row: hmacUnder(row), set: hmacUnder(sets[at]!) },
    ]),
  );
}

function hmacUnder({ bytes }: DerivedKey): (text: string) => Uint8Array {
  const keyed = new Bun.CryptoHasher('sha256', bytes as Uint8Array<ArrayBuffer>);
  return (text) => keyed.copy().update(text).digest() as Uint8Array;
}

function xorInto(sum: Uint8Array, hash: Uint8Array): void {
  for (let at = 0; at < MAC_BYTES; at++) sum[at]! ^= hash[at]!;
}
