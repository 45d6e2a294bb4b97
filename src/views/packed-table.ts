// A packed table keeps the records of a group in order of an id, many of them in one row: a record
// then costs the bytes of its values, and no place of its own in an index. Records are appended,
// and never changed. Where one row ends and the next begins says nothing.
import type { Database } from 'bun:sqlite';
import { assert } from '../core/assert.ts';
import { BinaryReader, BinaryWriter } from '../core/binary.ts';
import type { Fields, RecordOf } from '../core/codec.ts';
import { compileFields } from '../core/compiled-fields.ts';
import { NO_BOUND } from './id-walk.ts';
import { type Row, type SqlValue, sqlOf } from './table.ts';

/** A row stays on its page of the file: SQLite moves longer ones to pages of their own. */
const BLOCK_BYTES = 900;
/** Rows of one step of a walk. */
const STEP = 8;
/** Groups whose last row is kept in memory, about a kilobyte each. */
const MAX_TAILS = 4096;

interface PackedOptions<F> {
  /** Integers. */
  readonly group: readonly (keyof F & string)[];
  /** Grows within a group; records with the same id stay together. */
  readonly id: keyof F & string;
  /** Integers that never fall within a group: stored as the difference from the one before. */
  readonly ascending: readonly (keyof F & string)[];
  /** Group, id, and what else distinguishes records. */
  readonly key: readonly (keyof F & string)[];
}

type Values = Record<string, unknown>;

interface Block {
  readonly first: number;
  readonly data: Uint8Array;
}

/** The last row of a group. */
interface Tail {
  readonly group: readonly number[];
  first: number;
  /** The id of the last record. */
  last: number;
  readonly data: BinaryWriter;
  /** By the place of the ascending field. */
  readonly before: number[];
  isChanged: boolean;
}

/** Ids of a group: from `from` on and below `end`, at most `limit` records. */
export interface Walk {
  readonly from: number;
  readonly end: number;
  readonly newestFirst: boolean;
  readonly limit: number;
}

export class PackedTable<F extends Fields> {
  readonly name: string;
  readonly key: readonly string[];
  readonly #options: PackedOptions<F>;
  readonly #fields: F;
  /** Appends a record to those of a block. `before` has the ascending values of the last one. */
  readonly pack: (out: BinaryWriter, record: RecordOf<F>, before: number[]) => void;
  readonly #next: (group: readonly number[], input: BinaryReader, before: number[]) => RecordOf<F>;

  constructor(name: string, fields: F, options: PackedOptions<F>) {
    this.name = name;
    this.key = options.key;
    this.#options = options;
    this.#fields = fields;
    const { group, ascending } = options;
    const all = Object.entries(fields);
    const packed = Object.fromEntries(all.filter(([field]) => !group.includes(field)));
    this.pack = compileFields(packed, (each) => {
      const lines = each((field, codec) => {
        const place = ascending.indexOf(field);
        if (place < 0) return `${codec}.write(out, record.${field});`;
        const before = `before[${place}]`;
        return `out.integer(record.${field} - ${before}); ${before} = record.${field};`;
      });
      return `(out, record, before) => { ${lines} }`;
    });
    this.#next = compileFields(packed, (each) => {
      const first = group.map((field, at) => `${field}: group[${at}],`);
      const rest = each((field, codec) => {
        const place = ascending.indexOf(field);
        const value = place < 0 ? `${codec}.read(input)` : `before[${place}] += input.integer()`;
        return `${field}: ${value},`;
      });
      return `(group, input, before) => ({ ${first.join(' ')} ${rest} })`;
    });
  }

  get schema(): string {
    const { group } = this.#options;
    const columns = [...group, 'first'].map((field) => `${field} INTEGER NOT NULL`);
    const key = [...group, 'first'].join(', ');
    return (
      `CREATE TABLE ${this.name} (${columns.join(', ')}, data BLOB NOT NULL, ` +
      `PRIMARY KEY (${key})) STRICT, WITHOUT ROWID`
    );
  }

  get group(): readonly (keyof F & string)[] {
    return this.#options.group;
  }

  get id(): keyof F & string {
    return this.#options.id;
  }

  /** Every record in order of the key, with the values that a table of its fields would have. */
  *rows(db: Database): Generator<Row> {
    const order = [...this.group, 'first'].join(', ');
    const blocks = db.query<Values, []>(`SELECT * FROM ${this.name} ORDER BY ${order}`);
    for (const row of blocks.iterate()) {
      const group = this.group.map((field) => row[field] as number);
      for (const record of this.unpack(group, row.data as Uint8Array)) {
        const cells = Object.entries(this.#fields).map(([field, { kind }]) => [
          field,
          sqlOf(kind, (record as Values)[field]),
        ]);
        yield Object.fromEntries(cells) as Row;
      }
    }
  }

  /** `before` gets the ascending values of the last record. */
  unpack(group: readonly number[], data: Uint8Array, before = this.zeros()): RecordOf<F>[] {
    const input = new BinaryReader(data);
    const records: RecordOf<F>[] = [];
    while (!input.atEnd) records.push(this.#next(group, input, before));
    return records;
  }

  /** The first record of a block. */
  firstOf(group: readonly number[], data: Uint8Array): RecordOf<F> {
    return this.#next(group, new BinaryReader(data), this.zeros());
  }

  zeros(): number[] {
    return this.#options.ascending.map(() => 0);
  }
}

/** Appends and reads the records of a packed table. */
export class PackedRecords<F extends Fields> {
  readonly #table: PackedTable<F>;
  readonly #insert: (values: SqlValue[]) => void;
  readonly #upward: (of: readonly number[], from: number, end: number, limit: number) => Block[];
  readonly #downward: (group: readonly number[], end: number, limit: number) => Block[];
  readonly #new: RecordOf<F>[] = [];
  readonly #tails = new Map<number, Tail>();
  readonly #maxTails: number;

  constructor(db: Database, table: PackedTable<F>, maxTails = MAX_TAILS) {
    this.#table = table;
    this.#maxTails = maxTails;
    const { name, group } = table;
    const columns = [...group, 'first', 'data'];
    const insert = db.prepare(
      `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
       ON CONFLICT (${[...group, 'first'].join(', ')}) DO UPDATE SET data = excluded.data`,
    );
    this.#insert = (values) => insert.run(values as never);
    const where = `FROM ${name} WHERE ${group.map((field) => `${field} = ?`).join(' AND ')}`;
    const upward = db.prepare<Block, number[]>(
      `SELECT first, data ${where} AND first >= ? AND first < ? ORDER BY first LIMIT ?`,
    );
    this.#upward = (of, from, end, limit) => upward.all(...of, from, end, limit);
    const downward = db.prepare<Block, number[]>(
      `SELECT first, data ${where} AND first < ? ORDER BY first DESC LIMIT ?`,
    );
    this.#downward = (of, end, limit) => downward.all(...of, end, limit);
  }

  record(record: RecordOf<F>): void {
    this.#new.push(record);
  }

  /** In the transaction of the batch. */
  flush(): void {
    const changed: Tail[] = [];
    for (const record of this.#new) {
      const tail = this.#tailOf(record);
      const id = record[this.#table.id] as number;
      assert(id >= tail.last, 'records of a group come in order');
      if (tail.data.length > BLOCK_BYTES && id > tail.last) this.#beginBlock(tail);
      if (tail.data.length === 0) tail.first = id;
      this.#table.pack(tail.data, record, tail.before);
      tail.last = id;
      if (!tail.isChanged) changed.push(tail);
      tail.isChanged = true;
    }
    for (const tail of changed) this.#write(tail);
    this.#new.length = 0;
    if (this.#tails.size > this.#maxTails) this.#tails.clear();
  }

  #beginBlock(tail: Tail): void {
    if (tail.isChanged) this.#insert([...tail.group, tail.first, tail.data.view() as never]);
    tail.data.reset();
    tail.before.fill(0);
  }

  #write(tail: Tail): void {
    this.#insert([...tail.group, tail.first, tail.data.view() as never]);
    tail.isChanged = false;
  }

  #tailOf(record: RecordOf<F>): Tail {
    const { group } = this.#table;
    // Ids of users and instruments are counted from 1.
    let name = record[group[0]] as number;
    if (group.length > 1) name = name * 2 ** 20 + (record[group[1]] as number);
    let tail = this.#tails.get(name);
    if (tail === undefined) {
      tail = this.#stored(group.map((field) => record[field] as number));
      this.#tails.set(name, tail);
    }
    return tail;
  }

  #stored(group: readonly number[]): Tail {
    const data = new BinaryWriter(BLOCK_BYTES + 128);
    const before = this.#table.zeros();
    const [block] = this.#downward(group, NO_BOUND, 1);
    if (block === undefined) return { group, first: 0, last: 0, data, before, isChanged: false };
    const last = this.#table.unpack(group, block.data, before).at(-1)!;
    data.raw(block.data);
    const { first } = block;
    return { group, first, last: last[this.#table.id] as number, data, before, isChanged: false };
  }

  /** In the order of the walk. */
  walk(group: readonly number[], { from, end, newestFirst, limit }: Walk): RecordOf<F>[] {
    const found: RecordOf<F>[] = [];
    for (const block of newestFirst ? this.#down(group, from, end) : this.#up(group, from, end)) {
      const records = this.#table.unpack(group, block.data);
      if (newestFirst) records.reverse();
      for (const record of records) {
        const id = record[this.#table.id] as number;
        if (id < from || id >= end) continue;
        found.push(record);
        if (found.length === limit) return found;
      }
    }
    return found;
  }

  /** The records with these ids, which ascend or descend. A row is read once. */
  pick(group: readonly number[], ids: readonly number[]): RecordOf<F>[] {
    const idOf = (record: RecordOf<F>): number => record[this.#table.id] as number;
    let row: RecordOf<F>[] = [];
    return ids.flatMap((id) => {
      const isInside = row.length > 0 && idOf(row[0]) <= id && id <= idOf(row[row.length - 1]);
      if (!isInside) {
        const [block] = this.#downward(group, id + 1, 1);
        row = block === undefined ? [] : this.#table.unpack(group, block.data);
      }
      return row.filter((record) => idOf(record) === id);
    });
  }

  *#down(group: readonly number[], from: number, end: number): Generator<Block> {
    for (let below = end; ; ) {
      const blocks = this.#downward(group, below, STEP);
      yield* blocks;
      below = blocks.at(-1)?.first ?? 0;
      if (blocks.length < STEP || below <= from) return;
    }
  }

  *#up(group: readonly number[], from: number, end: number): Generator<Block> {
    // Ids at the start of the window may be in the row that begins before it.
    let next = this.#downward(group, from + 1, 1)[0]?.first ?? from;
    for (;;) {
      const blocks = this.#upward(group, next, end, STEP);
      yield* blocks;
      if (blocks.length < STEP) return;
      next = blocks.at(-1)!.first + 1;
    }
  }

  /**
   * The first record of a group whose ascending `field` is `value` or more; of those with the same
   * id, the first decides.
   */
  atOrAfter(group: readonly number[], field: keyof F & string, value: number): RecordOf<F> | null {
    const table = this.#table;
    let low = 0;
    let high = (this.#downward(group, NO_BOUND, 1)[0]?.first ?? 0) + 1;
    // The first row that begins with `value` or more has an id of at least `low`.
    while (low < high) {
      const middle = low + Math.floor((high - low) / 2);
      const [block] = this.#upward(group, middle, NO_BOUND, 1);
      const isBehind =
        block === undefined || (table.firstOf(group, block.data)[field] as number) >= value;
      if (isBehind) high = middle;
      else low = block.first + 1;
    }
    const [before] = this.#downward(group, low, 1);
    const inside =
      before === undefined
        ? undefined
        : table
            .unpack(group, before.data)
            .find(
              (record, index, all) =>
                (record[field] as number) >= value &&
                record[table.id] !== all[index - 1]?.[table.id],
            );
    if (inside !== undefined) return inside;
    const [block] = this.#upward(group, low, NO_BOUND, 1);
    return block === undefined ? null : table.firstOf(group, block.data);
  }
}
