// Sets of order ids, by owner and kind. Many ids share a row of the file: an id costs a byte or two
// and hardly any work of SQLite. Nearly all ids belong to the last row of their set, which is kept
// in memory. Where one row ends and the next begins says nothing.
import type { Database, Statement } from 'bun:sqlite';
import { BinaryReader, BinaryWriter } from '../core/binary.ts';
import { type IdWindow, NO_BOUND } from './id-walk.ts';
import type { Row } from './table.ts';

/** A row stays on its page of the file. */
const IDS_OF_ROW = 128;
/** Rows of one step of a walk. */
const STEP = 4;
/** Sets whose last row is kept in memory, a kilobyte each. */
const MAX_TAILS = 4096;
/** Kinds are below it. */
const KINDS = 2 ** 24;

interface Block {
  readonly first: number;
  readonly data: Uint8Array;
}

interface IdSet {
  readonly owner: number;
  readonly kind: number;
  /** The ids of the last row in order; null: not read yet. */
  tail: number[] | null;
  added: number[];
  removed: number[];
}

export interface IdWalk extends IdWindow {
  readonly newestFirst: boolean;
  readonly limit: number;
}

export class IdSets {
  readonly #out = new BinaryWriter(1024);
  /** By owner and kind. */
  readonly #sets = new Map<number, IdSet>();
  readonly #changed = new Set<IdSet>();
  readonly #insert: Statement;
  readonly #delete: Statement;
  readonly #upward: Statement<Block, number[]>;
  readonly #downward: Statement<Block, number[]>;
  readonly #nextKind: Statement<{ kind: number }, number[]>;

  constructor(db: Database, table: string) {
    this.#insert = db.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?, ?)`);
    const where = 'WHERE owner = ? AND kind = ?';
    this.#delete = db.prepare(`DELETE FROM ${table} ${where} AND first = ?`);
    const blocks = `SELECT first, data FROM ${table} ${where}`;
    this.#upward = db.prepare(`${blocks} AND first >= ? ORDER BY first LIMIT ?`);
    this.#downward = db.prepare(`${blocks} AND first < ? ORDER BY first DESC LIMIT ?`);
    this.#nextKind = db.prepare(
      `SELECT kind FROM ${table} WHERE owner = ? AND kind >= ? AND kind < ? ORDER BY kind LIMIT 1`,
    );
  }

  static schema(table: string): string {
    return (
      `CREATE TABLE ${table} (owner INTEGER NOT NULL, kind INTEGER NOT NULL, ` +
      'first INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (owner, kind, first)) ' +
      'STRICT, WITHOUT ROWID'
    );
  }

  /** Every id of a table in order of owner, kind and id. */
  static *rows(db: Database, table: string): Generator<Row> {
    type OwnedBlock = Block & { readonly owner: number; readonly kind: number };
    const all = db.query<OwnedBlock, []>(`SELECT * FROM ${table} ORDER BY owner, kind, first`);
    for (const { owner, kind, ...block } of all.iterate()) {
      for (const id of idsOf(block)) yield { owner, kind, id };
    }
  }

  /** The set does not have the id. */
  add(owner: number, kind: number, id: number): void {
    this.#change(owner, kind).added.push(id);
  }

  remove(owner: number, kind: number, id: number): void {
    this.#change(owner, kind).removed.push(id);
  }

  #change(owner: number, kind: number): IdSet {
    const name = owner * KINDS + kind;
    let set = this.#sets.get(name);
    if (set === undefined) {
      set = { owner, kind, tail: null, added: [], removed: [] };
      this.#sets.set(name, set);
    }
    this.#changed.add(set);
    return set;
  }

  /** In a transaction. */
  flush(): void {
    for (const set of this.#changed) {
      this.#write(set);
      set.added = [];
      set.removed = [];
    }
    this.#changed.clear();
    if (this.#sets.size > MAX_TAILS) this.#sets.clear();
  }

  /** After a transaction that failed. */
  forget(): void {
    this.#changed.clear();
    this.#sets.clear();
  }

  /** Writes the rows that have changed ids, from the last one down. */
  #write(set: IdSet): void {
    const { owner, kind } = set;
    const ascending = (a: number, b: number): number => a - b;
    const added = set.added.sort(ascending);
    const removed = set.removed.sort(ascending);
    while (added.length + removed.length > 0) {
      // The last row may just have lost all of its ids: then the one before it is the last.
      set.tail ??= this.#read(owner, kind, NO_BOUND);
      const { tail } = set;
      const greatest = Math.max(added.at(-1) ?? 0, removed.at(-1) ?? 0);
      const own = greatest >= (tail[0] ?? 0) ? tail : this.#read(owner, kind, greatest + 1);
      // Ids below the first row of the set go to it.
      const ids = own.length > 0 ? own : this.#lowest(owner, kind);
      const from = own.length > 0 ? own[0] : 0;
      const merged = merge(ids, takeFrom(added, from), new Set(takeFrom(removed, from)));
      const [first] = ids;
      if (first !== undefined && merged[0] !== first) this.#delete.run(owner, kind, first);
      const isTail = first === tail[0];
      const rest = this.#insertRows(set, merged, isTail ? IDS_OF_ROW : IDS_OF_ROW / 2);
      if (isTail) set.tail = rest;
    }
  }

  /** In rows of `size` ids, where they do not fit into one; returns those of the last row. */
  #insertRows(set: IdSet, ids: readonly number[], size: number): number[] | null {
    let rest = ids;
    for (; rest.length > IDS_OF_ROW; rest = rest.slice(size)) {
      this.#insertRow(set, rest.slice(0, size));
    }
    if (rest.length === 0) return null;
    this.#insertRow(set, rest);
    return [...rest];
  }

  #insertRow({ owner, kind }: IdSet, ids: readonly number[]): void {
    const out = this.#out;
    out.reset();
    for (let i = 1; i < ids.length; i++) out.integer(ids[i] - ids[i - 1]);
    this.#insert.run([owner, kind, ids[0], out.view()] as never);
  }

  /** The ids of the last row that begins below `end`; empty without one. */
  #read(owner: number, kind: number, end: number): number[] {
    const block = this.#downward.get(owner, kind, end, 1);
    return block === null ? [] : idsOf(block);
  }

  #lowest(owner: number, kind: number): number[] {
    const block = this.#upward.get(owner, kind, 0, 1);
    return block === null ? [] : idsOf(block);
  }

  /** The smallest kind from `from` on and below `end` that the owner has ids of. */
  nextKind(owner: number, from: number, end: number): number | null {
    return this.#nextKind.get(owner, from, end)?.kind ?? null;
  }

  /** Ids of a set, in the order of the walk. */
  walk(owner: number, kind: number, { from, end, newestFirst, limit }: IdWalk): number[] {
    const found: number[] = [];
    // The row that begins before the window may have ids inside.
    let at = newestFirst ? end : (this.#downward.get(owner, kind, from + 1, 1)?.first ?? from);
    for (;;) {
      const blocks = newestFirst
        ? this.#downward.all(owner, kind, at, STEP)
        : this.#upward.all(owner, kind, at, STEP);
      for (const block of blocks) {
        const ids = idsOf(block);
        if (newestFirst) ids.reverse();
        for (const id of ids) {
          if (id < from || id >= end) continue;
          found.push(id);
          if (found.length === limit) return found;
        }
      }
      const last = blocks.at(-1)?.first;
      if (last === undefined || blocks.length < STEP) return found;
      if (newestFirst ? last <= from : last >= end) return found;
      at = newestFirst ? last : last + 1;
    }
  }
}

function idsOf({ first, data }: Block): number[] {
  const input = new BinaryReader(data);
  const ids = [first];
  for (let id = first; !input.atEnd; ids.push(id)) id += input.integer();
  return ids;
}

/** Takes the values from `from` on out of an ascending list. */
function takeFrom(values: number[], from: number): number[] {
  let at = values.length;
  while (at > 0 && values[at - 1] >= from) at--;
  return values.splice(at);
}

/** Both ascend. */
function merge(
  ids: readonly number[],
  added: readonly number[],
  removed: ReadonlySet<number>,
): number[] {
  const merged: number[] = [];
  let at = 0;
  for (const id of ids) {
    while (at < added.length && added[at] < id) merged.push(added[at++]);
    if (!removed.has(id)) merged.push(id);
  }
  while (at < added.length) merged.push(added[at++]);
  return merged;
}
