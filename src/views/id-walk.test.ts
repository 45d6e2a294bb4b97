// Merging and bisecting ids, against sorting and searching in arrays.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { idAtTime, mergeRanges, NO_BOUND, type Range } from './id-walk.ts';

/** A range over ids that are held in an array. */
const rangeOf =
  (ids: readonly number[], newestFirst: boolean): Range<number> =>
  (bound, limit) =>
    ids
      .filter((id) => (newestFirst ? id < bound : id > bound))
      .sort((a, b) => (newestFirst ? b - a : a - b))
      .slice(0, limit);

describe('a page merged from ranges', () => {
  test('pages of any size join to all ids in order, without gaps or repeats', () => {
    const ranges = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { maxLength: 60 }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        ranges,
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        (all, size, newestFirst) => {
          const found: number[] = [];
          let bound = newestFirst ? NO_BOUND : 0;
          for (;;) {
            const page = mergeRanges({
              ranges: all.map((ids) => rangeOf(ids, newestFirst)),
              idOf: (id) => id,
              newestFirst,
              bound,
              size,
            });
            found.push(...page);
            if (page.length < size) break;
            bound = page.at(-1)!;
          }
          const expected = all.flat().sort((a, b) => (newestFirst ? b - a : a - b));
          expect(found).toEqual(expected);
        },
      ),
    );
  });

  test('one range may hold nearly all of a page', () => {
    const many = Array.from({ length: 100 }, (_, index) => index + 1);
    const ranges = [[50], [], [], many, [], []].map((ids) => rangeOf(ids, true));
    const page = mergeRanges({ ranges, idOf: (id) => id, newestFirst: true, bound: 91, size: 70 });
    expect(page).toEqual([...many, 50].sort((a, b) => b - a).slice(10, 80));
  });

  test('items of one id are never on two pages', () => {
    const ranges = [rangeOf([3, 2, 1], true), rangeOf([3, 2], true)];
    const page = (bound: number) =>
      mergeRanges({ ranges, idOf: (id) => id, newestFirst: true, bound, size: 1 });
    expect(page(NO_BOUND)).toEqual([3, 3]);
    expect(page(3)).toEqual([2, 2]);
    expect(page(2)).toEqual([1]);
  });
});

describe('an id that splits rows in time', () => {
  test('is that of the first row at or after the time', () => {
    const gaps = fc.record({
      id: fc.integer({ min: 1, max: 50 }),
      time: fc.integer({ min: 0, max: 5 }),
    });
    fc.assert(
      fc.property(
        fc.array(gaps, { maxLength: 40 }),
        fc.integer({ min: 0, max: 120 }),
        (steps, time) => {
          let row = { id: 0, time: 0 };
          const rows = steps.map((gap) => {
            row = { id: row.id + gap.id, time: row.time + gap.time };
            return row;
          });
          const split = idAtTime(time, row.id + 1, (id) => rows.find((r) => r.id >= id) ?? null);
          for (const { id, time: rowTime } of rows) expect(id >= split).toBe(rowTime >= time);
        },
      ),
    );
  });
});
