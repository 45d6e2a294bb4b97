// The tables of the views. A table has the fields of a stored record; its schema, its insert and
// its records follow from them.
//
// An Amount is stored as INTEGER where it is a number and as TEXT where it is a bigint. Its column
// is declared ANY in a STRICT table, so that SQLite never turns a long integer into a float.
import type { Database, Statement } from 'bun:sqlite';
import { assert } from '../core/assert.ts';
import type { Fields, Kind, RecordOf as RecordWith } from '../core/codec.ts';
import { type Amount, amount } from '../core/units.ts';
import { assertPageSize } from './id-walk.ts';

/** A value that agio binds to a statement. */
export type SqlValue = number | string | null;
/** A row as SQLite returns it. */
export type Row = Readonly<Record<string, SqlValue>>;

/** A row with values of any kind. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** How the values of a kind are stored; without these, as they are. */
interface ColumnKind {
  readonly sql: string;
  encode?(value: never): SqlValue;
  decode?(stored: SqlValue): unknown;
}

/** An Amount as it is stored. Adding 0 turns −0, which would be bound as a float, into 0. */
const toSql = (value: Amount): SqlValue =>
  typeof value === 'number' ? value + 0 : value.toString();

const COLUMN_KINDS: Readonly<Record<Exclude<Kind, 'compound'>, ColumnKind>> = {
  integer: { sql: 'INTEGER' },
  text: { sql: 'TEXT' },
  boolean: {
    sql: 'INTEGER',
    encode: (value: boolean) => (value ? 1 : 0),
    decode: (stored) => stored === 1,
  },
  money: {
    sql: 'ANY',
    encode: toSql,
    decode: (stored) => amount(typeof stored === 'string' ? BigInt(stored) : Number(stored)),
  },
};

/** A value of a kind as a column has it. */
export function sqlOf(kind: Kind, value: unknown): SqlValue {
  const encode = kind === 'compound' ? undefined : COLUMN_KINDS[kind].encode;
  return encode === undefined ? (value as SqlValue) : encoded(value as never, encode);
}

/** The record of a table. */
export type RecordOf<T> = T extends Table<infer F> ? RecordWith<F> : never;
/** Inserts a record, which may have other properties as well. */
export type Insert<R> = (record: R) => void;

interface TableOptions<F> {
  /** The key of a table whose rows are found by one integer. */
  readonly rowId?: keyof F & string;
  /** The primary key, unless a rowId is; such a table has no rowid. */
  readonly key?: readonly (keyof F & string)[];
  /** The columns that no later insert with the same key changes; absent: all of them. */
  readonly constant?: readonly (keyof F & string)[];
  readonly indexes?: readonly string[];
}

/** A prepared SELECT that returns records. */
export interface Reader<R> {
  all(...values: SqlValue[]): R[];
  get(...values: SqlValue[]): R | null;
}

/** Columns of a table, as a query names them and a record has them. */
export interface Selection<R> {
  readonly columns: string;
  read(row: Row): R;
  /** Selects these columns; `rest` is what follows the name of the table. */
  prepare(db: Database, rest: string): Reader<R>;
}

const encoded = (value: never, encode: (value: never) => SqlValue): SqlValue =>
  value === null ? null : encode(value);

export class Table<F extends Fields = Fields> {
  readonly name: string;
  readonly key: readonly string[];
  readonly #names: readonly (keyof F & string)[];
  readonly #columns: readonly ColumnKind[];
  readonly #fields: F;
  readonly #options: TableOptions<F>;

  constructor(name: string, fields: F, options: TableOptions<F>) {
    this.name = name;
    this.#names = Object.keys(fields);
    this.#columns = Object.values(fields).map(({ kind }) => {
      if (kind === 'compound') throw new RangeError(`a column of ${name} has several values`);
      return COLUMN_KINDS[kind];
    });
    this.#fields = fields;
    this.#options = options;
    this.key = options.key ?? [options.rowId!];
  }

  get schema(): string {
    const { rowId, key, indexes = [] } = this.#options;
    const parts = this.#names.map((name, i) => {
      const constraint = this.#fields[name].nonNull !== undefined ? '' : ' NOT NULL';
      const rest = name === rowId ? ' PRIMARY KEY' : constraint;
      return `${name} ${this.#columns[i].sql}${rest}`;
    });
    if (key !== undefined) parts.push(`PRIMARY KEY (${key.join(', ')})`);
    const kind = key === undefined ? 'STRICT' : 'STRICT, WITHOUT ROWID';
    return [`CREATE TABLE ${this.name} (${parts.join(', ')}) ${kind}`, ...indexes].join(';\n');
  }

  get all(): Selection<RecordWith<F>> {
    return this.without();
  }

  without<K extends keyof F & string = never>(...omitted: K[]): Selection<Omit<RecordWith<F>, K>> {
    const kept = this.#names.filter((name) => !omitted.includes(name as K));
    const decoders = kept.map((name) => this.#columns[this.#names.indexOf(name)].decode);
    const columns = kept.join(', ');
    const read = (row: Row): Omit<RecordWith<F>, K> => {
      const record: Record<string, unknown> = {};
      for (let i = 0; i < kept.length; i++) {
        const stored = row[kept[i]]!;
        const decode = decoders[i];
        record[kept[i]] = decode === undefined || stored === null ? stored : decode(stored);
      }
      return record as Omit<RecordWith<F>, K>;
    };
    const prepare = (db: Database, rest: string): Reader<Omit<RecordWith<F>, K>> => {
      const statement = db.prepare<Row, SqlValue[]>(`SELECT ${columns} FROM ${this.name} ${rest}`);
      return {
        all: (...values) => statement.all(...values).map(read),
        get(...values) {
          const row = statement.get(...values);
          return row === null ? null : read(row);
        },
      };
    };
    return { columns, read, prepare };
  }

  /** Writes a record; one with the same key takes over its columns that change. */
  prepareInsert(db: Database): Insert<RecordWith<F>>;
  /** Like above, for records that lack some columns: `computed` makes their stored values. */
  prepareInsert<R>(db: Database, computed: Computations<F, R>): Insert<R>;
  prepareInsert<R>(db: Database, computed: Computations<F, R> = {}): Insert<R> {
    const statement = db.prepare(
      `INSERT INTO ${this.name} (${this.#names.join(', ')})
       VALUES (${this.#names.map(() => '?').join(', ')}) ${this.#conflict()}`,
    );
    const makers: ((record: R) => SqlValue)[] = [];
    const places: number[] = [];
    this.#names.forEach((name, i) => {
      const { encode } = this.#columns[i];
      const make = computed[name] as ((record: R) => SqlValue) | undefined;
      if (make === undefined && encode === undefined) return;
      places.push(i);
      makers.push(make ?? ((record) => encoded(record[name as never], encode!)));
    });
    const names = this.#names as unknown as readonly (keyof R)[];
    const values = new Array<SqlValue>(this.#names.length);
    return (record) => {
      for (let i = 0; i < names.length; i++) values[i] = record[names[i]] as SqlValue;
      for (let i = 0; i < places.length; i++) values[places[i]] = makers[i](record);
      // One array: with spread arguments an insert takes a fifth longer.
      statement.run(values as never);
    };
  }

  #changes(name: string): boolean {
    const { rowId, constant } = this.#options;
    return constant !== undefined && name !== rowId && !constant.includes(name);
  }

  #conflict(): string {
    const changes = this.#names.filter((name) => this.#changes(name));
    if (changes.length === 0) return '';
    const updates = changes.map((name) => `${name} = excluded.${name}`);
    return `ON CONFLICT (${this.key.join(', ')}) DO UPDATE SET ${updates.join(', ')}`;
  }
}

type Computations<F, R> = { readonly [K in keyof F]?: (record: R) => SqlValue };

/** New rows, which wait for the transaction of their batch. */
export class NewRows<R> {
  readonly #insert: Insert<R>;
  readonly #rows: R[] = [];

  constructor(insert: Insert<R>) {
    this.#insert = insert;
  }

  record(row: R): void {
    this.#rows.push(row);
  }

  /** In the transaction of the batch. */
  flush(): void {
    for (const row of this.#rows) this.#insert(row);
    this.#rows.length = 0;
  }
}

/** `page` counts from 1, `size` is 1 to MAX_PAGE_SIZE. */
export interface PageTerms {
  readonly page: number;
  readonly size: number;
}

export interface PageOf<R> {
  /** The rows of all pages. */
  readonly total: number;
  readonly items: R[];
}

export function assertPage({ page, size }: PageTerms): void {
  assertPageSize(size);
  assert(page >= 1, 'pages count from 1');
}

type PagedTable<R> = Pick<Table, 'name' | 'key'> & { readonly all: Selection<R> };

/** The rows of a table that a filter admits, page by page, the highest id first. */
export class Pages<R> {
  readonly #count: Statement<{ readonly total: number }, SqlValue[]>;
  readonly #rows: Reader<R>;

  /** `filter`: what follows the name of the table. */
  constructor(db: Database, { name, key, all }: PagedTable<R>, filter = '') {
    this.#count = db.prepare(`SELECT count(*) AS total FROM ${name} ${filter}`);
    this.#rows = all.prepare(db, `${filter} ORDER BY ${key[0]} DESC LIMIT ? OFFSET ?`);
  }

  read(terms: PageTerms, ...values: SqlValue[]): PageOf<R> {
    assertPage(terms);
    const { total } = this.#count.get(...values)!;
    const skipped = (terms.page - 1) * terms.size;
    const items = skipped >= total ? [] : this.#rows.all(...values, terms.size, skipped);
    return { total, items };
  }
}
