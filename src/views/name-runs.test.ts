// Runs of names answer as one list would, through all merges, with reused names and equal hashes.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import { NO_BOUND } from './id-walk.ts';
import { NAME_RUNS, NameRuns, nameHash } from './name-runs.ts';

interface NamedOrder {
  readonly hash: number;
  readonly kind: number;
  readonly id: number;
}

test('kinds and ids are those of the list, also after another start', () => {
  const random = new Prng(5);
  const db = new Database(':memory:');
  db.run(NAME_RUNS.schema);
  let runs = new NameRuns(db);
  const all: NamedOrder[] = [];
  const hashes = Array.from({ length: 300 }, (_, i) => nameHash(1, `name-${i}`));
  for (let id = 1; id <= 20_000; id++) {
    // One name has very many orders, most have a few.
    const hash = random.oneIn(4) ? hashes[0] : random.pick(hashes);
    const entry = { hash, kind: random.between(1, 3), id };
    all.push(entry);
    runs.add(entry.hash, entry.kind, entry.id);
    if (random.oneIn(200)) runs.flush();
    if (random.oneIn(2000)) {
      runs.flush();
      runs = new NameRuns(db);
    }
  }
  runs.flush();
  expect(runs.runs.length).toBeLessThan(20);
  const inOrder = all.toSorted((a, b) => a.hash - b.hash || a.kind - b.kind || a.id - b.id);
  expect([...NAME_RUNS.rows(db)]).toEqual(inOrder as never);
  for (const hash of [...hashes.slice(0, 40), nameHash(2, 'name-0')]) {
    const own = all.filter((entry) => entry.hash === hash);
    for (let kind = 1; kind <= 3; kind++) {
      const [from, end] = [random.below(9000), random.oneIn(3) ? NO_BOUND : random.below(20_000)];
      const limit = random.oneIn(2) ? random.between(1, 30) : 20_000;
      const found = runs.runs.flatMap((run) => {
        expect(runs.nextKind(run, hash, 4)).toBeNull();
        return runs.newest(run, { hash, kind }, { from, end, limit });
      });
      const inside = own.filter(({ kind: own, id }) => own === kind && id >= from && id < end);
      const newest = inside.map(({ id }) => id).reverse();
      expect(found.sort((a, b) => b - a).slice(0, limit)).toEqual(newest.slice(0, limit));
      const kinds = runs.runs.map((run) => runs.nextKind(run, hash, kind) ?? NO_BOUND);
      const next = own.filter((entry) => entry.kind >= kind).map((entry) => entry.kind);
      expect(Math.min(NO_BOUND, ...kinds)).toBe(Math.min(NO_BOUND, ...next));
    }
  }
});
