// Finds closed orders by their clOrdIds. The names of a batch come in no order, and a place of its
// own in an index would cost each of them a page of the file. So a batch writes one run, sorted by
// the hash of the name, and four runs of about the same size become one.
import type { Database, Statement } from 'bun:sqlite';
import { BinaryReader, BinaryWriter } from '../core/binary.ts';
import type { IdWindow } from './id-walk.ts';
import type { Row } from './table.ts';

/** Entries of a row of the file, which stays on its page. */
const ENTRIES_OF_ROW = 96;
/** Runs that become one. */
const FAN_IN = 4;
/** Runs of this level, of 262,144 entries or more, stay: to join them would take long. */
const LAST_LEVEL = 10;

/** Entries of one hash and class are next to each other, by order id. */
type Entry = {
  readonly hash: number;
  readonly kind: number;
  readonly id: number;
};

interface Run {
  readonly level: number;
  readonly run: number;
}

interface Block extends Entry {
  readonly data: Uint8Array;
}

const BLOCKS = 'SELECT hash, kind, id, data FROM nameRuns';

type Key = [level: number, run: number, hash: number, kind: number, id: number];

export const NAME_RUNS = {
  name: 'nameRuns',
  key: ['hash', 'kind', 'id'],
  schema:
    'CREATE TABLE nameRuns (level INTEGER NOT NULL, run INTEGER NOT NULL, hash INTEGER NOT NULL, ' +
    'kind INTEGER NOT NULL, id INTEGER NOT NULL, data BLOB NOT NULL, ' +
    'PRIMARY KEY (level, run, hash, kind, id)) STRICT, WITHOUT ROWID',
  /** The entries of all runs as if they were one. */
  *rows(db: Database): Generator<Row> {
    const runs = db.query<Run, []>('SELECT DISTINCT level, run FROM nameRuns').all();
    for (const { hash, kind, id } of merged(db, runs)) yield { hash, kind, id };
  },
} as const;

/** Others may have the same hash. */
export const nameHash = (uid: number, name: string): number => Bun.hash.xxHash32(name, uid);

export class NameRuns {
  readonly #db: Database;
  readonly #out = new BinaryWriter(2048);
  readonly #new: Entry[] = [];
  #runs: Run[] = [];
  #nextRun = 1;
  readonly #insert: Statement;
  readonly #delete: Statement;
  readonly #before: Statement<Block, Key>;
  readonly #after: Statement<Block, Key>;

  constructor(db: Database) {
    this.#db = db;
    this.#insert = db.prepare('INSERT INTO nameRuns VALUES (?, ?, ?, ?, ?, ?)');
    const where = 'WHERE level = ? AND run = ?';
    this.#delete = db.prepare(`DELETE FROM nameRuns ${where}`);
    const blocks = `${BLOCKS} ${where}`;
    this.#before = db.prepare(
      `${blocks} AND (hash, kind, id) <= (?, ?, ?) ORDER BY hash DESC, kind DESC, id DESC LIMIT 1`,
    );
    this.#after = db.prepare(
      `${blocks} AND (hash, kind, id) > (?, ?, ?) ORDER BY hash, kind, id LIMIT 1`,
    );
    const next = db.prepare<Run, [number, number]>(
      `SELECT level, run FROM nameRuns WHERE (level, run) > (?, ?) ORDER BY level, run LIMIT 1`,
    );
    for (let run = next.get(0, 0); run !== null; run = next.get(run.level, run.run)) {
      this.#runs.push(run);
      this.#nextRun = Math.max(this.#nextRun, run.run + 1);
    }
  }

  add(hash: number, kind: number, id: number): void {
    this.#new.push({ hash, kind, id });
  }

  /** In the transaction of the batch. */
  flush(): void {
    if (this.#new.length === 0) return;
    const entries = this.#new.splice(0).sort(compare);
    const run = { level: levelOf(entries.length), run: this.#nextRun++ };
    this.#writeAll(run, entries);
    this.#runs.push(run);
    for (let level = 1; level < LAST_LEVEL; level++) {
      const equal = this.#runs.filter((run) => run.level === level);
      if (equal.length >= FAN_IN) this.#join(equal.slice(0, FAN_IN));
    }
  }

  /** Reads and writes them row by row: they may have very many entries. */
  #join(runs: readonly Run[]): void {
    const joined = { level: runs[0].level + 1, run: this.#nextRun++ };
    this.#writeAll(joined, merged(this.#db, runs));
    for (const { level, run } of runs) this.#delete.run(level, run);
    this.#runs = [...this.#runs.filter((run) => !runs.includes(run)), joined];
  }

  #writeAll({ level, run }: Run, entries: Iterable<Entry>): void {
    const out = this.#out;
    let first: Key | null = null;
    let [count, last] = [0, 0];
    const write = (): void => {
      if (first !== null) this.#insert.run([...first, out.view()] as never);
    };
    for (const { hash, kind, id } of entries) {
      if (count % ENTRIES_OF_ROW === 0) {
        write();
        out.reset();
        first = [level, run, hash, kind, id];
      } else {
        out.integer(hash - last);
        out.integer(kind);
        out.integer(id);
      }
      count++;
      last = hash;
    }
    write();
  }

  /** Runs, for `nextKind` and `newest`. */
  get runs(): readonly Run[] {
    return this.#runs;
  }

  /** The smallest kind from `from` on that a run has for this hash, or null. */
  nextKind({ level, run }: Run, hash: number, from: number): number | null {
    const block = this.#before.get(level, run, hash, from, 0);
    const inside = block === null ? null : kindIn(block, hash, from);
    if (inside !== null) return inside;
    const next = this.#after.get(level, run, hash, from, 0);
    return next?.hash === hash ? next.kind : null;
  }

  /** Ids of a run for this hash and kind, newest first. */
  newest(
    { level, run }: Run,
    { hash, kind }: Omit<Entry, 'id'>,
    { from, end, limit }: IdWindow & { readonly limit: number },
  ): number[] {
    const found: number[] = [];
    for (let below = end; found.length < limit; ) {
      const block = this.#before.get(level, run, hash, kind, below - 1);
      const ids = block === null ? [] : idsIn(block, hash, kind, from, below);
      if (ids.length === 0) break;
      found.push(...ids.reverse());
      below = ids[ids.length - 1];
    }
    return found.slice(0, limit);
  }
}

/** A run has at least FAN_IN to the power of its level − 1 entries. */
const levelOf = (entries: number): number => 1 + Math.floor(Math.log(entries) / Math.log(FAN_IN));

const compare = (a: Entry, b: Entry): number => a.hash - b.hash || a.kind - b.kind || a.id - b.id;

/** The ids of a block for this hash and kind, without the others as objects. */
function idsIn(block: Block, hash: number, kind: number, from: number, below: number): number[] {
  const input = new BinaryReader(block.data);
  const ids: number[] = [];
  let [at, ofKind, id] = [block.hash, block.kind, block.id];
  for (;;) {
    if (at === hash && ofKind === kind && id >= from && id < below) ids.push(id);
    if (input.atEnd || at > hash) return ids;
    at += input.integer();
    ofKind = input.integer();
    id = input.integer();
  }
}

/** The smallest kind from `from` on that a block has for this hash, or null. */
function kindIn(block: Block, hash: number, from: number): number | null {
  const input = new BinaryReader(block.data);
  let { hash: at, kind } = block;
  while (!input.atEnd && (at < hash || (at === hash && kind < from))) {
    at += input.integer();
    kind = input.integer();
    input.integer();
  }
  return at === hash && kind >= from ? kind : null;
}

/** Walks over the entries of a run; after `next` it has the fields of one. */
class RunCursor implements Entry {
  hash = 0;
  kind = 0;
  id = 0;
  readonly #statement: Statement<Block, [number, number]>;
  readonly #blocks: Iterator<Block>;
  #input = NOTHING;

  constructor(db: Database, { level, run }: Run) {
    // A statement is used by one walk at a time.
    this.#statement = db.prepare(`${BLOCKS} WHERE level = ? AND run = ? ORDER BY hash, kind, id`);
    this.#blocks = this.#statement.iterate(level, run);
  }

  [Symbol.dispose](): void {
    this.#statement.finalize();
  }

  /** False at the end. */
  next(): boolean {
    const input = this.#input;
    if (!input.atEnd) {
      this.hash += input.integer();
      this.kind = input.integer();
      this.id = input.integer();
      return true;
    }
    const { value, done } = this.#blocks.next();
    if (done === true) return false;
    ({ hash: this.hash, kind: this.kind, id: this.id } = value);
    this.#input = new BinaryReader(value.data);
    return true;
  }
}

const NOTHING = new BinaryReader(new Uint8Array(0));

/** The entries of sorted runs in order. Each is valid until the next one: it is a cursor. */
function* merged(db: Database, runs: readonly Run[]): Generator<Entry> {
  // A walk may end early, and an open statement would hold the file.
  using all = new DisposableStack();
  let cursors = runs.map((run) => all.use(new RunCursor(db, run))).filter((each) => each.next());
  while (cursors.length > 0) {
    let least = cursors[0];
    for (const cursor of cursors) if (compare(cursor, least) < 0) least = cursor;
    yield least;
    if (!least.next()) cursors = cursors.filter((cursor) => cursor !== least);
  }
}
