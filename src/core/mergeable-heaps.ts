// Many heaps of numbers in flat memory, in order of a key and, of one key, of a rank. Each of their
// operations takes logarithmic time, also the one that makes two heaps one (leftist heaps).
import { NONE } from './hash-chains.ts';

export class MergeableHeaps {
  /** By node; nodes are reused. */
  readonly #ids: number[] = [];
  readonly #keys: number[] = [];
  readonly #ranks: number[] = [];
  readonly #parents: number[] = [];
  /** The left child is at least as deep as the right one. */
  readonly #left: number[] = [];
  readonly #right: number[] = [];
  /** The nodes on the way down to the right. */
  readonly #depths: number[] = [];
  readonly #free: number[] = [];

  id(node: number): number {
    return this.#ids[node];
  }

  key(node: number): number {
    return this.#keys[node];
  }

  /** A new heap of one node. A heap is known by its first node; NONE is an empty heap. */
  open(id: number, key: number, rank: number): number {
    const node = this.#free.pop() ?? this.#ids.length;
    this.#ids[node] = id;
    this.#keys[node] = key;
    this.#ranks[node] = rank;
    this.#parents[node] = NONE;
    this.#left[node] = NONE;
    this.#right[node] = NONE;
    this.#depths[node] = 1;
    return node;
  }

  /** Makes two heaps one. */
  merge(one: number, other: number): number {
    if (one === NONE || other === NONE) return one === NONE ? other : one;
    const isFirst = this.#isBefore(one, other);
    const first = isFirst ? one : other;
    let node = first;
    let rest = isFirst ? other : one;
    while (rest !== NONE) {
      const right = this.#right[node];
      const isNext = right === NONE || this.#isBefore(rest, right);
      if (isNext) {
        this.#right[node] = rest;
        this.#parents[rest] = node;
        rest = right;
      }
      node = this.#right[node];
    }
    while (node !== first) {
      node = this.#parents[node];
      this.#balance(node);
    }
    return first;
  }

  /** Removes a node from a heap, and returns the heap. */
  remove(heap: number, node: number): number {
    const above = this.#parents[node];
    const below = this.merge(this.#left[node], this.#right[node]);
    this.#free.push(node);
    if (below !== NONE) this.#parents[below] = above;
    if (above === NONE) return below;
    if (this.#left[above] === node) this.#left[above] = below;
    else this.#right[above] = below;
    for (let at = above; at !== NONE && this.#balance(at); ) at = this.#parents[at];
    return heap;
  }

  /** Every node of a heap, in no order. */
  *nodes(heap: number): Generator<number> {
    const open = heap === NONE ? [] : [heap];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      yield node;
      for (const child of [this.#left[node], this.#right[node]]) {
        if (child !== NONE) open.push(child);
      }
    }
  }

  /** Puts the deeper child to the left. True: the way down to the right has another length. */
  #balance(node: number): boolean {
    const [left, right] = [this.#left[node], this.#right[node]];
    const isSwapped = this.#depth(left) < this.#depth(right);
    if (isSwapped) {
      this.#left[node] = right;
      this.#right[node] = left;
    }
    const before = this.#depths[node];
    this.#depths[node] = 1 + this.#depth(isSwapped ? left : right);
    return this.#depths[node] !== before;
  }

  #depth(node: number): number {
    return node === NONE ? 0 : this.#depths[node];
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#keys[a] - this.#keys[b];
    return difference < 0 || (difference === 0 && this.#ranks[a] < this.#ranks[b]);
  }
}
