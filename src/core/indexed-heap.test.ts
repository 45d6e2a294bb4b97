// The heap of expiries, redemptions and dead man's switches against a sorted list, with additions
// and removals anywhere.
import { expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import { IndexedHeap } from './indexed-heap.ts';

test('the first is that of a sorted list, whatever was removed', () => {
  const random = new Prng(3);
  const keys = new Map<number, number>();
  const isBefore = (a: number, b: number): boolean => keys.get(a)! - keys.get(b)! < 0;
  const heap = new IndexedHeap(isBefore);
  const kept: number[] = [];
  for (let one = 1; one <= 5_000; one++) {
    keys.set(one, random.below(1_000) * 5_000 + one);
    heap.add(one);
    kept.push(one);
    for (let gone = random.below(3); gone > 0 && kept.length > 0; gone--) {
      const [removed] = kept.splice(random.below(kept.length), 1);
      heap.remove(removed!);
      expect(heap.has(removed!)).toBe(false);
    }
    expect(heap.size).toBe(kept.length);
    const first = kept.toSorted((a, b) => keys.get(a)! - keys.get(b)!)[0];
    if (first !== undefined) expect(heap.first).toBe(first);
  }
});
