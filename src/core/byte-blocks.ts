// Byte strings in flat memory, each a chain of small blocks, so that they leave neither garbage nor
// holes.
const BLOCK_BYTES = 32;
const BLOCK_WORDS = BLOCK_BYTES / 4;
/** The first word names the next block, as its number + 1. */
const HEADER_BYTES = 4;
const PAYLOAD_BYTES = BLOCK_BYTES - HEADER_BYTES;
/** Blocks a page. Nothing is copied when a page is added. */
const PAGE_BITS = 12;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

/** The memory that a string of so many bytes takes. */
export const blockBytes = (length: number): number =>
  Math.max(1, Math.ceil(length / PAYLOAD_BYTES)) * BLOCK_BYTES;

export class ByteBlocks {
  readonly #bytes: Uint8Array[] = [];
  readonly #words: Int32Array[] = [];
  /** The free block that is taken next, as its number + 1. */
  #free = 0;
  #used = 0;
  #scratch = new Uint8Array(1024);

  /** Stores a copy of the bytes; returns the number of its first block. */
  write(bytes: Uint8Array): number {
    const first = this.#take();
    let block = first;
    for (let at = 0; ; ) {
      const target = this.#bytes[block >>> PAGE_BITS];
      const start = (block & PAGE_MASK) * BLOCK_BYTES + HEADER_BYTES;
      const end = Math.min(bytes.length, at + PAYLOAD_BYTES);
      for (let to = start; at < end; at++, to++) target[to] = bytes[at];
      const next = end < bytes.length ? this.#take() : -1;
      this.#setNext(block, next + 1);
      if (next < 0) return first;
      block = next;
    }
  }

  /** The string of `size` bytes that starts there. Valid until the next read. */
  read(first: number, size: number): Uint8Array {
    let length = 0;
    for (let block = first; ; ) {
      if (length + PAYLOAD_BYTES > this.#scratch.length) this.#growScratch();
      const start = (block & PAGE_MASK) * BLOCK_BYTES + HEADER_BYTES;
      const source = this.#bytes[block >>> PAGE_BITS];
      this.#scratch.set(source.subarray(start, start + PAYLOAD_BYTES), length);
      length += PAYLOAD_BYTES;
      const next = this.#next(block);
      if (next === 0) return this.#scratch.subarray(0, size);
      block = next - 1;
    }
  }

  release(first: number): void {
    let last = first;
    for (let next = this.#next(last); next !== 0; next = this.#next(last)) last = next - 1;
    this.#setNext(last, this.#free);
    this.#free = first + 1;
  }

  #take(): number {
    if (this.#free !== 0) {
      const block = this.#free - 1;
      this.#free = this.#next(block);
      return block;
    }
    if ((this.#used & PAGE_MASK) === 0) {
      const bytes = new Uint8Array(BLOCK_BYTES << PAGE_BITS);
      this.#bytes.push(bytes);
      this.#words.push(new Int32Array(bytes.buffer));
    }
    return this.#used++;
  }

  #growScratch(): void {
    const grown = new Uint8Array(this.#scratch.length * 2);
    grown.set(this.#scratch);
    this.#scratch = grown;
  }

  #next(block: number): number {
    return this.#words[block >>> PAGE_BITS][(block & PAGE_MASK) * BLOCK_WORDS];
  }

  #setNext(block: number, next: number): void {
    this.#words[block >>> PAGE_BITS][(block & PAGE_MASK) * BLOCK_WORDS] = next;
  }
}
