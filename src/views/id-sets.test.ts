// Sets of ids answer as lists would, wherever their rows end, also with late and removed ids.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import { IdSets } from './id-sets.ts';
import { NO_BOUND } from './id-walk.ts';

const OWNERS = 2;
const KINDS = [128, 130, 258];

function open(): Database {
  const db = new Database(':memory:');
  db.run(IdSets.schema('sets'));
  return db;
}

test('walks, kinds and rows are those of the lists, also after another start', () => {
  const random = new Prng(3);
  const db = open();
  let sets = new IdSets(db, 'sets');
  const expected = new Map<string, Set<number>>();
  const nameOf = (owner: number, kind: number): string => `${owner} ${kind}`;
  for (let round = 0, next = 1000; round < 60; round++) {
    const touched = new Set<number>();
    for (let i = 0; i < 200; i++) {
      const [owner, kind] = [random.between(1, OWNERS), random.pick(KINDS)];
      const own = expected.get(nameOf(owner, kind)) ?? new Set<number>();
      expected.set(nameOf(owner, kind), own);
      // Most ids are new; some are late, and some are before all others.
      const id = random.oneIn(5) ? random.between(1, next) : next++;
      if (touched.has(id)) continue;
      touched.add(id);
      if (own.delete(id)) sets.remove(owner, kind, id);
      else {
        own.add(id);
        sets.add(owner, kind, id);
      }
    }
    sets.flush();
    if (random.oneIn(5)) sets = new IdSets(db, 'sets');
  }
  const rows = [];
  for (let owner = 1; owner <= OWNERS; owner++) {
    for (const kind of KINDS) {
      const ids = [...expected.get(nameOf(owner, kind))!].sort((a, b) => a - b);
      rows.push(...ids.map((id) => ({ owner, kind, id })));
      for (let i = 0; i < 50; i++) {
        const [from, end] = [
          random.below(12_000),
          random.oneIn(9) ? NO_BOUND : random.below(12_000),
        ];
        const [newestFirst, limit] = [random.oneIn(2), random.between(1, 900)];
        const inside = ids.filter((id) => id >= from && id < end);
        if (newestFirst) inside.reverse();
        const walk = { from, end, newestFirst, limit };
        expect(sets.walk(owner, kind, walk)).toEqual(inside.slice(0, limit));
      }
    }
  }
  expect([...IdSets.rows(db, 'sets')]).toEqual(rows);
  const { count } = db.query<{ count: number }, []>('SELECT count(*) AS count FROM sets').get()!;
  expect(count).toBeLessThan(rows.length / 50);
  expect(sets.nextKind(1, 0, NO_BOUND)).toBe(128);
  expect(sets.nextKind(1, 129, NO_BOUND)).toBe(130);
  expect(sets.nextKind(1, 131, 258)).toBeNull();
  expect(sets.nextKind(OWNERS + 1, 0, NO_BOUND)).toBeNull();
});

test('a set that loses its last id has no kind any more, and takes new ids', () => {
  const db = open();
  const sets = new IdSets(db, 'sets');
  sets.add(1, 5, 7);
  sets.flush();
  sets.remove(1, 5, 7);
  sets.flush();
  expect(sets.nextKind(1, 0, NO_BOUND)).toBeNull();
  sets.add(1, 5, 3);
  sets.flush();
  expect([...IdSets.rows(db, 'sets')]).toEqual([{ owner: 1, kind: 5, id: 3 }]);
});

test('what is forgotten is not written', () => {
  const db = open();
  const sets = new IdSets(db, 'sets');
  sets.add(1, 5, 7);
  sets.forget();
  sets.flush();
  expect([...IdSets.rows(db, 'sets')]).toEqual([]);
});

test.each([101, 500, 801])('a set of 1,000 ids loses those from %i on in one flush', (from) => {
  const db = open();
  const sets = new IdSets(db, 'sets');
  const ids = Array.from({ length: 1000 }, (_, i) => i + 1);
  for (const id of ids) sets.add(1, 5, id);
  sets.flush();
  for (const id of ids.slice(from - 1)) sets.remove(1, 5, id);
  sets.flush();
  const left = ids.slice(0, from - 1).map((id) => ({ owner: 1, kind: 5, id }));
  expect([...IdSets.rows(db, 'sets')]).toEqual(left);
});
