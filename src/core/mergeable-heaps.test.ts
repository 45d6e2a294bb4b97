// Heaps that grow, shrink and become one, against sorted lists; and large ones.
import { expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import { MergeableHeaps } from './mergeable-heaps.ts';

const NONE = -1;

interface Node {
  readonly node: number;
  readonly key: number;
  readonly rank: number;
}

test('the first node has the smallest key, and of one key the smallest rank', () => {
  const random = new Prng(3);
  const heaps = new MergeableHeaps();
  const all = Array.from({ length: 5 }, () => ({ heap: NONE, nodes: [] as Node[] }));
  for (let rank = 0; rank < 20_000; rank++) {
    const one = random.pick(all);
    const key = random.below(40);
    const node = heaps.open(rank, key, rank);
    one.heap = heaps.merge(one.heap, node);
    one.nodes.push({ node, key, rank });
    if (random.percent(45)) {
      const [gone] = one.nodes.splice(random.below(one.nodes.length), 1);
      one.heap = heaps.remove(one.heap, gone.node);
    }
    if (random.oneIn(500)) {
      const other = random.pick(all.filter((each) => each !== one));
      one.heap = heaps.merge(one.heap, other.heap);
      one.nodes.push(...other.nodes.splice(0));
      other.heap = NONE;
    }
    const [first] = one.nodes.sort((a, b) => a.key - b.key || a.rank - b.rank);
    expect(one.heap).toBe(first?.node ?? NONE);
    if (first !== undefined) {
      expect([heaps.id(first.node), heaps.key(first.node)]).toEqual([first.rank, first.key]);
    }
    if (!random.oneIn(500)) continue;
    const found = [...heaps.nodes(one.heap)].sort((a, b) => a - b);
    expect(found).toEqual(one.nodes.map(({ node }) => node).sort((a, b) => a - b));
  }
});

test('100,000 ascending, descending and equal keys come in order', () => {
  for (const keyOf of [(n: number) => n, (n: number) => 100_000 - n, () => 1]) {
    const heaps = new MergeableHeaps();
    let heap = NONE;
    for (let n = 0; n < 100_000; n++) heap = heaps.merge(heap, heaps.open(n, keyOf(n), n));
    let before = Number.NEGATIVE_INFINITY;
    for (let n = 0; n < 100_000; n++) {
      expect(heaps.key(heap)).toBeGreaterThanOrEqual(before);
      before = heaps.key(heap);
      heap = heaps.remove(heap, heap);
    }
    expect(heap).toBe(NONE);
  }
});
