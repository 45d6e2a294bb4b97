// Finds orders by the clOrdIds that their callers chose. SQLite compares the texts themselves, so
// no choice of names makes another lookup longer.
//
// The names of a batch come in no order, and in one large index each of them would change a page of
// its own. So the index of a user has parts by order id, and the names of new orders share pages of
// the last part. Each part has more ids than the one before it: a lookup of an unknown name
// searches every part in which its user has orders, and a billion orders make 175 parts.
import type { Database, Statement } from 'bun:sqlite';
import type { IdWindow } from './id-walk.ts';

/** The order ids of the first part. The next ones have 3, 5, 7, … times as many. */
const FIRST_PART_IDS = 2 ** 15;

export const ORDERS_BY_NAME = {
  name: 'ordersByClOrdId',
  key: ['uid', 'part', 'clOrdId', 'class', 'orderId'],
  schema:
    'CREATE TABLE ordersByClOrdId (uid INTEGER NOT NULL, part INTEGER NOT NULL, ' +
    'clOrdId TEXT NOT NULL, class INTEGER NOT NULL, orderId INTEGER NOT NULL, ' +
    'PRIMARY KEY (uid, part, clOrdId, class, orderId)) STRICT, WITHOUT ROWID',
} as const;

type Entry = [uid: number, part: number, clOrdId: string, orderClass: number, orderId: number];

/** The orders of one user, name and part. */
export type NamePart = readonly [uid: number, part: number, clOrdId: string];

export class OrderNames {
  /** Entries of the batch. */
  #new: Entry[] = [];
  readonly #insert: Statement;
  readonly #delete: Statement;
  readonly #partUpTo: Statement<{ part: number }, [number, number]>;
  readonly #nextClass: Statement<{ class: number }, [...NamePart, number, number]>;
  readonly #newest: Statement<{ orderId: number }, [...NamePart, ...number[]]>;

  constructor(db: Database) {
    const table = ORDERS_BY_NAME.name;
    const where = 'WHERE uid = ? AND part = ? AND clOrdId = ? AND class';
    this.#insert = db.prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?, ?)`);
    this.#delete = db.prepare(`DELETE FROM ${table} ${where} = ? AND orderId = ?`);
    this.#partUpTo = db.prepare(
      `SELECT part FROM ${table} WHERE uid = ? AND part <= ? ORDER BY part DESC LIMIT 1`,
    );
    this.#nextClass = db.prepare(
      `SELECT class FROM ${table} ${where} >= ? AND class < ? ORDER BY class LIMIT 1`,
    );
    this.#newest = db.prepare(
      `SELECT orderId FROM ${table} ${where} = ? AND orderId >= ? AND orderId < ?
       ORDER BY orderId DESC LIMIT ?`,
    );
  }

  add(uid: number, clOrdId: string, orderClass: number, orderId: number): void {
    this.#new.push([uid, partOf(orderId), clOrdId, orderClass, orderId]);
  }

  /** Removes an entry of an earlier batch. */
  remove(uid: number, clOrdId: string, orderClass: number, orderId: number): void {
    this.#delete.run(uid, partOf(orderId), clOrdId, orderClass, orderId);
  }

  /** In a transaction. Neighbors of the index are written one after the other. */
  flush(): void {
    for (const entry of this.#new.sort(compare)) this.#insert.run(entry as never);
    this.#new = [];
  }

  /** After a transaction that failed. */
  forget(): void {
    this.#new = [];
  }

  /** The parts that may have this name in a window of ids, newest first. */
  *parts(uid: number, clOrdId: string, { from, end }: IdWindow): Generator<NamePart> {
    for (let next = partOf(end - 1); next >= partOf(from); next--) {
      const found = this.#partUpTo.get(uid, next);
      if (found === null || found.part < partOf(from)) return;
      next = found.part;
      yield [uid, next, clOrdId];
    }
  }

  /** The smallest class from `from` on and below `end`, or null. */
  nextClass(part: NamePart, from: number, end: number): number | null {
    return this.#nextClass.get(...part, from, end)?.class ?? null;
  }

  /** Ids of a class, newest first. */
  newest(part: NamePart, orderClass: number, { from, end }: IdWindow, limit: number): number[] {
    const found = this.#newest.all(...part, orderClass, from, end, limit);
    return found.map(({ orderId }) => orderId);
  }
}

const partOf = (orderId: number): number => Math.floor(Math.sqrt(orderId / FIRST_PART_IDS));

/** By user, part and name. */
function compare([uid, part, name]: Entry, [uid2, part2, name2]: Entry): number {
  if (uid !== uid2) return uid - uid2;
  if (part !== part2) return part - part2;
  return name < name2 ? -1 : Number(name > name2);
}
