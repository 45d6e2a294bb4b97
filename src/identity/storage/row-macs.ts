// Authenticates identity.db, so that agio finds every change that something else made. Each row has
// a MAC, each table a MAC over the set of its rows, and all tables together one more. The last two
// reveal rows that were deleted, copied, or restored from an older copy of the file.
import type { Database } from 'bun:sqlite';
import { timingSafeEqual } from 'node:crypto';
import type { MasterKey } from '../master-key.ts';
import { AlteredError, IdentityError } from '../result.ts';
import {
  AUTHENTIC_TABLES,
  type IdentityChange,
  type IdentityRow,
  type IdentityValue,
} from './change.ts';
import { type Hashers, hashersOf } from './row-hashers.ts';

/**
 * Parts with one MAC over their text, since they are small or a hash chain binds their rows: the
 * head of the audit log, the schema versions, the assigned ids.
 */
const SMALL_PARTS: Readonly<Record<string, string>> = {
  audit_log: 'SELECT id, hash FROM audit_log ORDER BY id DESC LIMIT 1',
  schema_version: 'SELECT version, applied_at FROM schema_version ORDER BY version',
  sqlite_sequence: 'SELECT name, seq FROM sqlite_sequence ORDER BY name',
};

/** The rows of a small part that a change has; those of the audit log from an id on. */
const NEW_ROWS: Readonly<Record<string, string>> = {
  audit_log: `SELECT id, time, actor, ip, action, object, result, request_id, details, hash
    FROM audit_log WHERE id > ? ORDER BY id`,
  schema_version: 'SELECT * FROM schema_version',
  sqlite_sequence: 'SELECT * FROM sqlite_sequence',
};

const CHANGED_TABLES = Object.keys(AUTHENTIC_TABLES)
  .map((table) => `SELECT '${table}' AS "table" WHERE EXISTS (SELECT 1 FROM changed_${table})`)
  .join(' UNION ALL ');

/** The part that binds all others, so that no single one can be restored from an older copy. */
const WHOLE = 'all';
const MAC_BYTES = 32;

interface Content {
  /** SQL expression of a row's canonical text; columns are those of the alias `row`. */
  readonly sql: (row: string) => string;
  readonly columns: readonly string[];
}

/** The set of a table's rows: their number, and the XOR of their summands. */
interface RowSet {
  readonly count: number;
  readonly sum: Uint8Array;
}

const EMPTY: RowSet = { count: 0, sum: new Uint8Array(MAC_BYTES) };

/** The content that the MACs in the database authenticate, under the master key `kid`. */
interface Authentic {
  readonly kid: string;
  readonly sets: ReadonlyMap<string, RowSet>;
  /** The texts of the small parts. */
  readonly small: ReadonlyMap<string, string>;
  /** The MACs of all parts but the whole. */
  readonly parts: ReadonlyMap<string, Uint8Array>;
}

/** A write with its MACs. */
interface Sealed {
  /** Call it after the commit. */
  readonly commit: () => void;
  /** Empty unless they were asked for. */
  readonly changes: readonly IdentityChange[];
}

/** A row that a transaction changed, with its earlier content; null where it is new. */
interface ChangedRow {
  readonly old_mac: Uint8Array | null;
  readonly old_content: string | null;
  readonly content: string | null;
  readonly mac: Uint8Array | null;
  readonly [key: string]: IdentityValue;
}

export class RowMacs {
  readonly #database: Database;
  readonly #hashers: ReadonlyMap<string, Hashers>;
  readonly #current: string;
  readonly #contents: ReadonlyMap<string, Content>;
  #authentic: Authentic;

  /** The first master key makes MACs; every key verifies. */
  constructor(database: Database, masterKeys: readonly MasterKey[]) {
    this.#database = database;
    this.#hashers = hashersOf(masterKeys);
    this.#current = masterKeys[0]!.kid;
    this.#contents = new Map(
      Object.keys(AUTHENTIC_TABLES).map((table) => [table, contentOf(database, table)]),
    );
    this.#authentic = nothingUnder(this.#current);
  }

  /** True if the MACs are under the first master key; otherwise `sealAll` is due. */
  get isCurrent(): boolean {
    return this.#authentic.kid === this.#current;
  }

  /** The number of authenticated rows. */
  get rows(): number {
    return [...this.#authentic.sets.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /**
   * Tracks every change of an authenticated table, and rejects one outside of
   * `IdentityStore.write`, which would leave a row without its MAC.
   */
  watch(): void {
    const run = (sql: string) => void this.#database.run(sql);
    // Temporary objects belong to this connection and are not in the file.
    run('PRAGMA temp_store = MEMORY');
    // Without it, REPLACE would delete a row unnoticed.
    run('PRAGMA recursive_triggers = ON');
    run('CREATE TEMP TABLE write_in_progress (id INTEGER PRIMARY KEY)');
    for (const [table, key] of Object.entries(AUTHENTIC_TABLES)) this.#watchTable(table, key, run);
  }

  #watchTable(table: string, key: readonly string[], run: (sql: string) => void): void {
    const { columns, sql } = this.#contents.get(table)!;
    const keys = key.join(', ');
    run(
      `CREATE TEMP TABLE changed_${table} (${keys}, old_mac, old_content, PRIMARY KEY (${keys}))`,
    );
    const note = (row: 'OLD' | 'NEW', mac: string, content: string) => {
      const of = key.map((name) => `${row}.${name}`);
      const same = key.map((name, at) => `${name} = ${of[at]}`).join(' AND ');
      // Not OR IGNORE: the conflict clause of the outer statement replaces it in a trigger.
      return `INSERT INTO changed_${table} SELECT ${of.join(', ')}, ${mac}, ${content}
        WHERE NOT EXISTS (SELECT 1 FROM changed_${table} WHERE ${same});`;
    };
    const before = note('OLD', 'OLD.mac', sql('OLD'));
    const created = note('NEW', 'NULL', 'NULL');
    const trigger = (name: string, event: string, body: string) =>
      run(`CREATE TEMP TRIGGER ${table}_${name} AFTER ${event} ON main.${table} BEGIN
        SELECT RAISE(ABORT, 'a change of ${table} outside of a write')
          WHERE NOT EXISTS (SELECT 1 FROM write_in_progress);
        ${body} END`);
    trigger('inserted', 'INSERT', created);
    trigger('updated', `UPDATE OF ${columns.join(', ')}`, before + created);
    trigger('deleted', 'DELETE', before);
  }

  /**
   * Called at the beginning of a write, in its transaction. Throws IdentityError where something
   * else changed a small part since the last write; this write would authenticate it.
   */
  begin(): void {
    for (const [part, text] of this.#authentic.small) {
      if (this.#smallText(part) !== text) throw altered(`${part} was changed while agio ran`);
    }
    this.#database.query('INSERT INTO write_in_progress (id) VALUES (1)').run();
  }

  /**
   * Gives every changed row its MAC, in the transaction of the change, and returns the changes if
   * `captures`. Throws IdentityError where a row was not authentic before the change.
   */
  seal(captures: boolean): Sealed {
    const before = this.#authentic;
    const sets = new Map(before.sets);
    const parts = new Map(before.parts);
    const changes: IdentityChange[] = [];
    for (const table of this.#changedTables()) {
      const rows = this.#changedRows(table);
      const set = this.#sealRows(table, rows, sets.get(table) ?? EMPTY);
      sets.set(table, set);
      parts.set(table, this.#tableMac(table, set));
      if (captures) changes.push(this.#changeOf(table, rows));
      this.#database.query(`DELETE FROM changed_${table}`).run();
    }
    this.#database.query('DELETE FROM write_in_progress').run();
    const small = this.#sealSmall(parts);
    const integrity = this.#writeParts(parts);
    if (captures && integrity.length > 0) {
      changes.push(...this.#smallChanges(small));
      changes.push({ table: 'integrity', put: integrity, deleted: [] });
    }
    const after = { kid: this.#current, sets, small, parts };
    const commit = () => {
      this.#authentic = after;
    };
    return { commit, changes };
  }

  /** The changed rows of a table, with their new MACs. */
  #changeOf(table: string, rows: readonly ChangedRow[]): IdentityChange {
    const key = AUTHENTIC_TABLES[table]!;
    const put = this.#database.query(
      `SELECT "row".* FROM changed_${table} AS "changed" JOIN main.${table} AS "row"
       ON ${sameKey(key)}`,
    );
    const gone = rows.filter((row) => row.content === null && row.old_content !== null);
    const deleted = gone.map((row) => key.map((name) => row[name]!));
    return { table, put: put.values() as unknown as IdentityRow[], deleted };
  }

  /** The rows of the small parts that have changed; those of the audit log are only added. */
  #smallChanges(small: ReadonlyMap<string, string>): IdentityChange[] {
    return Object.keys(SMALL_PARTS).flatMap((table) => {
      const before = this.#authentic.small.get(table);
      if (small.get(table) === before) return [];
      const [[newest = 0] = []] = JSON.parse(before ?? '[]') as number[][];
      const from = table === 'audit_log' ? [newest] : [];
      const put = this.#database.query<null, number[]>(NEW_ROWS[table]!).values(...from);
      return [{ table, put: put as unknown as IdentityRow[], deleted: [] }];
    });
  }

  /**
   * Checks the changes of another node, in the transaction that makes them: the MAC of each changed
   * row, and those of all parts. Call the returned function after the commit. Throws IdentityError.
   */
  accept(): () => void {
    const changed = new Set(this.#changedTables());
    const { kid: oldKid, sets } = this.#authentic;
    const after = this.#authenticate((table, hashers, kid) => {
      if (kid !== oldKid) return this.#verifyRows(table, hashers);
      const before = sets.get(table) ?? EMPTY;
      return changed.has(table) ? this.#acceptRows(table, hashers, before) : before;
    });
    for (const table of changed) this.#database.query(`DELETE FROM changed_${table}`).run();
    this.#database.query('DELETE FROM write_in_progress').run();
    return () => {
      this.#authentic = after;
    };
  }

  #acceptRows(table: string, hashers: Hashers, before: RowSet): RowSet {
    const sum = before.sum.slice();
    let { count } = before;
    for (const row of this.#changedRows(table)) {
      if (row.old_mac !== null) {
        xorInto(sum, hashers.summand(row.old_mac));
        count--;
      }
      if (row.content === null) continue;
      const id = AUTHENTIC_TABLES[table]!.map((name) => row[name]!);
      requireRow(hashers, table, id, row.content, row.mac);
      xorInto(sum, hashers.summand(row.mac!));
      count++;
    }
    return { count, sum };
  }

  #changedTables(): string[] {
    const tables = this.#database.query<{ table: string }, []>(CHANGED_TABLES).all();
    return tables.map(({ table }) => table);
  }

  /** Adds the MACs of the small parts that have changed; returns the texts of all. */
  #sealSmall(parts: Map<string, Uint8Array>): ReadonlyMap<string, string> {
    const texts = this.#smallTexts();
    const { part: macOf } = this.#hashers.get(this.#current)!;
    for (const [part, text] of texts) {
      if (this.#authentic.small.get(part) !== text) parts.set(part, macOf(part, text));
    }
    return texts;
  }

  #changedRows(table: string): ChangedRow[] {
    const { sql } = this.#contents.get(table)!;
    const key = AUTHENTIC_TABLES[table]!;
    const names = key.map((name) => `"changed".${name}`).join(', ');
    return this.#database
      .query<ChangedRow, []>(
        `SELECT ${names}, "changed".old_mac, "changed".old_content, "row".mac,
           iif("row".${key[0]} IS NULL, NULL, ${sql('"row"')}) AS content
         FROM changed_${table} AS "changed" LEFT JOIN main.${table} AS "row" ON ${sameKey(key)}`,
      )
      .all();
  }

  #sealRows(table: string, rows: readonly ChangedRow[], before: RowSet): RowSet {
    const key = AUTHENTIC_TABLES[table]!;
    const hashers = this.#hashers.get(this.#current)!;
    const where = key.map((name) => `${name} = ?`).join(' AND ');
    const store = this.#database.query<null, IdentityValue[]>(
      `UPDATE ${table} SET mac = ? WHERE ${where}`,
    );
    const sum = before.sum.slice();
    let { count } = before;
    for (const row of rows) {
      const id = key.map((name) => row[name]!);
      if (row.old_content !== null) {
        requireRow(hashers, table, id, row.old_content, row.old_mac);
        xorInto(sum, hashers.summand(row.old_mac!));
        count--;
      }
      if (row.content === null) continue;
      const mac = hashers.row(table, row.content);
      xorInto(sum, hashers.summand(mac));
      count++;
      store.run(mac, ...id);
    }
    return { count, sum };
  }

  /** Makes every MAC: the database has none yet, or they are under an older key. */
  sealAll(): void {
    this.#authentic = nothingUnder(this.#current);
    const sets = new Map<string, RowSet>();
    const parts = new Map<string, Uint8Array>();
    for (const table of Object.keys(AUTHENTIC_TABLES)) {
      const rows = this.#rows(table).all();
      const created = rows.map((row) => ({ ...row, old_mac: null, old_content: null }));
      const set = this.#sealRows(table, created, EMPTY);
      sets.set(table, set);
      parts.set(table, this.#tableMac(table, set));
    }
    const small = this.#sealSmall(parts);
    this.#database.query('DELETE FROM integrity').run();
    this.#writeParts(parts);
    this.#authentic = { kid: this.#current, sets, small, parts };
  }

  /** Checks every MAC. Throws IdentityError with the table and the row. */
  verify(): void {
    this.#authentic = this.#authenticate((table, hashers) => this.#verifyRows(table, hashers));
  }

  /** Checks the MACs of all parts; `setOf` checks the rows of a table. */
  #authenticate(setOf: (table: string, hashers: Hashers, kid: string) => RowSet): Authentic {
    const stored = new Map(
      this.#database
        .query<{ part: string; kid: string; mac: Uint8Array }, []>('SELECT * FROM integrity')
        .all()
        .map((row) => [row.part, row]),
    );
    const { kid } = stored.get(WHOLE) ?? {};
    if (kid === undefined) throw altered('the MAC of the whole file is missing');
    const hashers = this.#hashers.get(kid) ?? throwInactive(kid);
    const sets = new Map<string, RowSet>();
    const parts = new Map<string, Uint8Array>();
    const check = (part: string, mac: Uint8Array, what: string) => {
      const row = stored.get(part);
      stored.delete(part);
      if (row?.kid !== kid || !isSame(mac, row.mac)) throw altered(what);
      if (part !== WHOLE) parts.set(part, mac);
    };
    for (const table of Object.keys(AUTHENTIC_TABLES)) {
      const set = setOf(table, hashers, kid);
      sets.set(table, set);
      const mac = hashers.part(table, tableText(set));
      check(table, mac, `rows of ${table} were deleted, copied or brought back`);
    }
    const small = this.#smallTexts();
    for (const [part, text] of small) {
      const what = part === 'audit_log' ? 'the end of audit_log' : part;
      check(part, hashers.part(part, text), `${what} was changed`);
    }
    const all = wholeText(parts);
    check(WHOLE, hashers.part(WHOLE, all), 'a table was brought back from an older copy');
    const [unknown] = stored.keys();
    if (unknown !== undefined) throw altered(`integrity has a row ${JSON.stringify(unknown)}`);
    return { kid, sets, small, parts };
  }

  #verifyRows(table: string, hashers: Hashers): RowSet {
    const sum = new Uint8Array(MAC_BYTES);
    let count = 0;
    for (const row of this.#rows(table).iterate()) {
      const id = AUTHENTIC_TABLES[table]!.map((name) => row[name]!);
      requireRow(hashers, table, id, row.content, row.mac);
      xorInto(sum, hashers.summand(row.mac!));
      count++;
    }
    return { count, sum };
  }

  #rows(table: string) {
    const { sql } = this.#contents.get(table)!;
    const keys = AUTHENTIC_TABLES[table]!.map((name) => `"row".${name}`).join(', ');
    return this.#database.query<
      { mac: Uint8Array | null; content: string; [key: string]: IdentityValue },
      []
    >(`SELECT ${keys}, "row".mac, ${sql('"row"')} AS content FROM ${table} AS "row"`);
  }

  #tableMac(table: string, set: RowSet): Uint8Array {
    return this.#hashers.get(this.#current)!.part(table, tableText(set));
  }

  #smallTexts(): Map<string, string> {
    return new Map(Object.keys(SMALL_PARTS).map((part) => [part, this.#smallText(part)]));
  }

  #smallText(part: string): string {
    return JSON.stringify(this.#database.query(SMALL_PARTS[part]!).values());
  }

  /** Stores the changed MACs, and the MAC of all parts; returns these rows. */
  #writeParts(parts: ReadonlyMap<string, Uint8Array>): IdentityRow[] {
    const store = this.#database.query<null, [string, string, Uint8Array]>(
      `INSERT INTO integrity (part, kid, mac) VALUES (?, ?, ?)
       ON CONFLICT (part) DO UPDATE SET kid = excluded.kid, mac = excluded.mac`,
    );
    const kid = this.#current;
    const changed = [...parts].filter(([part, mac]) => this.#authentic.parts.get(part) !== mac);
    if (changed.length === 0) return [];
    const { part: macOf } = this.#hashers.get(kid)!;
    changed.push([WHOLE, macOf(WHOLE, wholeText(parts))]);
    return changed.map(([part, mac]) => {
      store.run(part, kid, mac);
      return [part, kid, mac];
    });
  }
}

const nothingUnder = (kid: string): Authentic => ({
  kid,
  sets: new Map(),
  small: new Map(),
  parts: new Map(),
});

/** Types are those of the STRICT columns, so the texts of two different rows differ. */
function contentOf(database: Database, table: string): Content {
  const columns = database
    .query<{ name: string; type: string }, []>(`PRAGMA table_info(${table})`)
    .all()
    .filter(({ name }) => name !== 'mac');
  const textOf = (row: string, { name, type }: { name: string; type: string }) =>
    // In hex, because a text may have zero bytes and what is no UTF-8.
    type === 'INTEGER' ? `ifnull(${row}.${name}, '-')` : `ifnull('x' || hex(${row}.${name}), '-')`;
  return {
    columns: columns.map(({ name }) => name),
    sql: (row) => columns.map((column) => textOf(row, column)).join(" || ',' || "),
  };
}

function requireRow(
  hashers: Hashers,
  table: string,
  id: readonly IdentityValue[],
  content: string,
  mac: Uint8Array | null,
): void {
  if (mac !== null && isSame(hashers.row(table, content), mac)) return;
  const name = id.map((value) => (value instanceof Uint8Array ? hex(value) : value)).join('/');
  throw altered(`row ${name} of ${table} does not fit its MAC`);
}

function throwInactive(kid: string): never {
  throw new IdentityError(
    `identity.db is authenticated under master key ${kid}, which is not active: set ` +
      'AGIO_MASTER_KEY (or DATA/master.key) to the key that it was written with. After a ' +
      'change of key, add the older one after the first.',
  );
}

/** The condition that a changed row and a row of the table have the same key. */
const sameKey = (key: readonly string[]): string =>
  key.map((name) => `"row".${name} = "changed".${name}`).join(' AND ');

const altered = (what: string): AlteredError => new AlteredError(what);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b);

const tableText = ({ count, sum }: RowSet): string => `${count}|${hex(sum)}`;

const wholeText = (parts: ReadonlyMap<string, Uint8Array>): string =>
  [...parts]
    .map(([part, mac]) => `${part}:${hex(mac)}`)
    .sort()
    .join('|');

function xorInto(sum: Uint8Array, summand: Uint8Array): void {
  for (let at = 0; at < MAC_BYTES; at++) sum[at]! ^= summand[at]!;
}
