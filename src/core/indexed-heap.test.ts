// Keys in random order, added and removed, against a sorted list.
import { expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import { IndexedHeap } from './indexed-heap.ts';

test('the smallest key comes first, and of one key the smallest number', () => {
  const random = new Prng(6);
  const heap = new IndexedHeap();
  const kept = new Map<number, number>();
  for (let i = 0; i < 3_000; i++) {
    const id = random.below(100_000);
    if (!kept.has(id)) {
      const key = 1 + random.below(200);
      heap.add(id, key);
      kept.set(id, key);
    }
    if (random.oneIn(2)) {
      const gone = random.pick([...kept.keys()]);
      expect(heap.remove(gone)).toBe(true);
      expect(heap.remove(gone)).toBe(false);
      kept.delete(gone);
    }
    const sorted = [...kept].sort(([a, x], [b, y]) => x - y || a - b).map(([one]) => one);
    expect(heap.size).toBe(sorted.length);
    expect(heap.firstKey).toBe(kept.get(sorted[0]!) ?? Number.POSITIVE_INFINITY);
    if (sorted.length > 0) expect(heap.first).toBe(sorted[0]!);
    expect([heap.has(id), heap.keyOf(id)]).toEqual([kept.has(id), kept.get(id)]);
    if (random.oneIn(20)) expect(heap.all()).toEqual(sorted);
  }
});
