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
/**
 * Runs of this level, of 65,536 entries or more, stay as they are: joining larger ones would take
 * long and much memory.
 */
const LAST_LEVEL = 9;

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

type Key = [level: number, run: number, hash: number, kind: number, id: number];

export const NAME_RUNS = {
  name: 'nameRuns',
  key: ['hash', 'kind', 'id'],
  schema:
    'CREATE TABLE nameRuns (level INTEGER NOT NULL, run INTEGER NOT NULL, hash INTEGER NOT NULL, ' +
    'kind INTEGER NOT NULL, id INTEGER NOT NULL, data BLOB NOT NULL, ' +
    'PRIMARY KEY (level, run, hash, kind, id)) STRICT, WITHOUT ROWID',
  /** The entries of all runs as if they were one. */
  rows(db: Database): Generator<Row> {
    const runs = db.query<Run, []>('SELECT DISTINCT level, run FROM nameRuns').all();
    return merged(runs.map((run) => entriesOfRun(db, run)));
  },
} as const;

/** Others may have the same hash. */
export const nameHash = (uid: number, name: string): number => Bun.hash.xxHash32(name, uid);

export class NameRuns {
  readonly #out = new BinaryWriter(2048);
  readonly #new: Entry[] = [];
  readonly #runs: Run[] = [];
  #nextRun = 1;
  readonly #insert: Statement;
  readonly #delete: Statement;
  readonly #all: Statement<Block, [number, number]>;
  readonly #before: Statement<Block, Key>;
  readonly #after: Statement<Block, Key>;

  constructor(db: Database) {
    this.#insert = db.prepare('INSERT INTO nameRuns VALUES (?, ?, ?, ?, ?, ?)');
    const where = 'WHERE level = ? AND run = ?';
    this.#delete = db.prepare(`DELETE FROM nameRuns ${where}`);
    const blocks = `SELECT hash, kind, id, data FROM nameRuns ${where}`;
    this.#all = db.prepare(`${blocks} ORDER BY hash, kind, id`);
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
    this.#write(this.#new.splice(0).sort(compare));
    for (let level = 1; level < LAST_LEVEL; level++) {
      const small = this.#runs.filter((run) => run.level === level);
      if (small.length >= FAN_IN) this.#join(small);
    }
  }

  #join(runs: readonly Run[]): void {
    let [joined, ...rest] = runs.map((run) => this.#all.all(run.level, run.run).flatMap(entriesOf));
    for (const entries of rest) joined = merge(joined, entries);
    for (const run of runs) {
      this.#delete.run(run.level, run.run);
      this.#runs.splice(this.#runs.indexOf(run), 1);
    }
    this.#write(joined);
  }

  #write(entries: readonly Entry[]): void {
    const level = 1 + Math.floor(Math.log(entries.length) / Math.log(FAN_IN));
    const run = this.#nextRun++;
    this.#runs.push({ level, run });
    const out = this.#out;
    for (let from = 0; from < entries.length; from += ENTRIES_OF_ROW) {
      const first = entries[from];
      out.reset();
      let { hash } = first;
      for (let i = from + 1; i < Math.min(from + ENTRIES_OF_ROW, entries.length); i++) {
        const entry = entries[i];
        out.integer(entry.hash - hash);
        out.integer(entry.kind);
        out.integer(entry.id);
        hash = entry.hash;
      }
      this.#insert.run(level, run, first.hash, first.kind, first.id, out.view() as never);
    }
  }

  /** Runs, for `nextKind` and `newest`. */
  get runs(): readonly Run[] {
    return this.#runs;
  }

  /** The smallest kind from `from` on that a run has for this hash, or null. */
  nextKind(run: Run, hash: number, from: number): number | null {
    const entry = this.#next(run, { hash, kind: from, id: 0 });
    return entry?.hash === hash ? entry.kind : null;
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
      const ids = (block === null ? [] : entriesOf(block))
        .filter((entry) => entry.hash === hash && entry.kind === kind && entry.id < below)
        .map(({ id }) => id)
        .filter((id) => id >= from);
      if (ids.length === 0) break;
      found.push(...ids.reverse());
      below = ids[ids.length - 1];
    }
    return found.slice(0, limit);
  }

  /** The first entry of a run at `key` or after it. */
  #next({ level, run }: Run, key: Entry): Entry | undefined {
    const { hash, kind, id } = key;
    const block = this.#before.get(level, run, hash, kind, id);
    const inside = block === null ? [] : entriesOf(block);
    return (
      inside.find((entry) => compare(entry, key) >= 0) ??
      this.#after.get(level, run, hash, kind, id) ??
      undefined
    );
  }
}

const compare = (a: Entry, b: Entry): number => a.hash - b.hash || a.kind - b.kind || a.id - b.id;

function entriesOf({ hash, kind, id, data }: Block): Entry[] {
  const input = new BinaryReader(data);
  const entries: Entry[] = [{ hash, kind, id }];
  for (let at = hash; !input.atEnd; ) {
    at += input.integer();
    entries.push({ hash: at, kind: input.integer(), id: input.integer() });
  }
  return entries;
}

function merge(a: readonly Entry[], b: readonly Entry[]): Entry[] {
  const merged: Entry[] = [];
  let at = 0;
  for (const entry of a) {
    while (at < b.length && compare(b[at], entry) < 0) merged.push(b[at++]);
    merged.push(entry);
  }
  while (at < b.length) merged.push(b[at++]);
  return merged;
}

function* entriesOfRun(db: Database, { level, run }: Run): Generator<Entry> {
  const blocks = db.prepare<Block, [number, number]>(
    'SELECT hash, kind, id, data FROM nameRuns WHERE level = ? AND run = ? ORDER BY hash, kind, id',
  );
  for (const block of blocks.iterate(level, run)) yield* entriesOf(block);
}

/** Merges sorted runs pairwise, so that an entry costs the logarithm of their number. */
function* merged(runs: readonly Generator<Entry>[]): Generator<Entry> {
  if (runs.length < 2) {
    for (const run of runs) yield* run;
    return;
  }
  const half = runs.length >> 1;
  const [a, b] = [merged(runs.slice(0, half)), merged(runs.slice(half))];
  let [left, right] = [a.next(), b.next()];
  while (left.done !== true) {
    if (right.done !== true && compare(right.value, left.value) < 0) {
      yield right.value;
      right = b.next();
    } else {
      yield left.value;
      left = a.next();
    }
  }
  for (; right.done !== true; right = b.next()) yield right.value;
}
