// Many heaps of numbers in flat memory, in order of a key and, of one key, of a rank. Each of their
// operations takes logarithmic time, also the one that makes two heaps one (leftist heaps).
import { FlatRecords } from './flat-records.ts';
import { NONE } from './hash-chains.ts';

// The words of a node; keys and ranks are safe natural numbers of two words.
const ID = 0;
const KEY = 1;
const RANK = 3;
const PARENT = 5;
/** The left child is at least as deep as the right one. */
const LEFT = 6;
const RIGHT = 7;
/** The nodes on the way down to the right. */
const DEPTH = 8;
const WORDS = 9;

export class MergeableHeaps {
  readonly #nodes = new FlatRecords(WORDS);

  id(node: number): number {
    return this.#nodes.get(node, ID);
  }

  key(node: number): number {
    return this.#nodes.getLong(node, KEY);
  }

  /** A new heap of one node. A heap is known by its first node; NONE is an empty heap. */
  open(id: number, key: number, rank: number): number {
    const nodes = this.#nodes;
    const node = nodes.take();
    nodes.set(node, ID, id);
    nodes.setLong(node, KEY, key);
    nodes.setLong(node, RANK, rank);
    for (const link of [PARENT, LEFT, RIGHT]) nodes.set(node, link, NONE);
    nodes.set(node, DEPTH, 1);
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
      const right = this.#nodes.get(node, RIGHT);
      const isNext = right === NONE || this.#isBefore(rest, right);
      if (isNext) {
        this.#nodes.set(node, RIGHT, rest);
        this.#nodes.set(rest, PARENT, node);
        rest = right;
      }
      node = this.#nodes.get(node, RIGHT);
    }
    while (node !== first) {
      node = this.#nodes.get(node, PARENT);
      this.#balance(node);
    }
    return first;
  }

  /** Removes a node from a heap, and returns the heap. */
  remove(heap: number, node: number): number {
    const above = this.#nodes.get(node, PARENT);
    const below = this.merge(this.#nodes.get(node, LEFT), this.#nodes.get(node, RIGHT));
    this.#nodes.release(node);
    if (below !== NONE) this.#nodes.set(below, PARENT, above);
    if (above === NONE) return below;
    if (this.#nodes.get(above, LEFT) === node) this.#nodes.set(above, LEFT, below);
    else this.#nodes.set(above, RIGHT, below);
    for (let at = above; at !== NONE && this.#balance(at); ) at = this.#nodes.get(at, PARENT);
    return heap;
  }

  /** Every node of a heap, in no order. */
  *nodes(heap: number): Generator<number> {
    const open = heap === NONE ? [] : [heap];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      yield node;
      for (const child of [this.#nodes.get(node, LEFT), this.#nodes.get(node, RIGHT)]) {
        if (child !== NONE) open.push(child);
      }
    }
  }

  /** Puts the deeper child to the left. True: the way down to the right has another length. */
  #balance(node: number): boolean {
    const [left, right] = [this.#nodes.get(node, LEFT), this.#nodes.get(node, RIGHT)];
    const isSwapped = this.#depth(left) < this.#depth(right);
    if (isSwapped) {
      this.#nodes.set(node, LEFT, right);
      this.#nodes.set(node, RIGHT, left);
    }
    const before = this.#nodes.get(node, DEPTH);
    this.#nodes.set(node, DEPTH, 1 + this.#depth(isSwapped ? left : right));
    return this.#nodes.get(node, DEPTH) !== before;
  }

  #depth(node: number): number {
    return node === NONE ? 0 : this.#nodes.get(node, DEPTH);
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#nodes.getLong(a, KEY) - this.#nodes.getLong(b, KEY);
    return (
      difference < 0 ||
      (difference === 0 && this.#nodes.getLong(a, RANK) < this.#nodes.getLong(b, RANK))
    );
  }
}
