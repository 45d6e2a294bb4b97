// A queue of bytes between two threads, in shared memory: one writes frames, the other reads them
// in order. Neither waits: a write into a full ring is refused, a read of an empty one is null.

/** Control words, each on a cache line of its own, so that the threads do not slow each other. */
const READ_AT = 0;
const WRITTEN_TO = 16;
const RESTS = 32;
const CONTROL_WORDS = 48;
const CONTROL_BYTES = CONTROL_WORDS * 4;

/** Each frame begins at a multiple of this, with its length. */
const ALIGNMENT = 8;
const LENGTH_BYTES = 4;
/** In place of a length: the next frame is at the start of the ring. */
const WRAP = 0xffffffff;

/** Memory for a ring of `bytes`, a power of two. */
export const ringMemory = (bytes: number): SharedArrayBuffer =>
  new SharedArrayBuffer(CONTROL_BYTES + bytes);

export class Ring {
  readonly #control: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  readonly #size: number;
  /** The largest frame, so that two always fit. */
  readonly maxFrame: number;

  constructor(memory: SharedArrayBuffer) {
    this.#control = new Int32Array(memory, 0, CONTROL_WORDS);
    this.#bytes = new Uint8Array(memory, CONTROL_BYTES);
    this.#words = new Uint32Array(memory, CONTROL_BYTES);
    this.#size = this.#bytes.length;
    this.maxFrame = this.#size / 4;
  }

  /** Bytes that are written and not yet read. */
  get depth(): number {
    const written = Atomics.load(this.#control, WRITTEN_TO);
    return (written - Atomics.load(this.#control, READ_AT)) >>> 0;
  }

  /** Adds a frame; false where it does not fit now. Only the writer calls it. */
  write(frame: Uint8Array): boolean {
    const taken = roundUp(LENGTH_BYTES + frame.length);
    // Positions count up for ever, modulo 2^32, of which the size is a divisor.
    const position = Atomics.load(this.#control, WRITTEN_TO) >>> 0;
    const at = position % this.#size;
    const toEnd = this.#size - at;
    const skipped = toEnd < taken ? toEnd : 0;
    if (this.depth + skipped + taken > this.#size) return false;
    if (skipped > 0) this.#words[at / 4] = WRAP;
    const start = skipped > 0 ? 0 : at;
    this.#words[start / 4] = frame.length;
    this.#bytes.set(frame, start + LENGTH_BYTES);
    Atomics.store(this.#control, WRITTEN_TO, (position + skipped + taken) | 0);
    return true;
  }

  /** Removes the next frame; null where there is none. Only the reader calls it. */
  read(): Uint8Array | null {
    const position = Atomics.load(this.#control, READ_AT) >>> 0;
    if (position === Atomics.load(this.#control, WRITTEN_TO) >>> 0) return null;
    let at = position % this.#size;
    let skipped = 0;
    if (this.#words[at / 4] === WRAP) {
      skipped = this.#size - at;
      at = 0;
    }
    const length = this.#words[at / 4]!;
    const start = at + LENGTH_BYTES;
    // A copy, since decoders of text refuse shared memory.
    const frame = this.#bytes.slice(start, start + length);
    const taken = roundUp(LENGTH_BYTES + length);
    Atomics.store(this.#control, READ_AT, (position + skipped + taken) | 0);
    return frame;
  }

  /** The reader will read no more until the writer wakes it. False where there is a frame. */
  rest(): boolean {
    Atomics.store(this.#control, RESTS, 1);
    if (this.depth === 0) return true;
    Atomics.store(this.#control, RESTS, 0);
    return false;
  }

  /** Whether the reader rests; true only once, for the writer that then wakes it. */
  takeRest(): boolean {
    return (
      Atomics.load(this.#control, RESTS) === 1 &&
      Atomics.compareExchange(this.#control, RESTS, 1, 0) === 1
    );
  }
}

const roundUp = (bytes: number): number => (bytes + ALIGNMENT - 1) & -ALIGNMENT;
