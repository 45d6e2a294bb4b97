// The trace of the signatures that the replay guard has dropped. After a correction the wall clock
// shows some times again; the trace then tells new signatures from dropped ones. It finds every
// dropped signature, and takes about one new signature in several hundred for a dropped one.
//
// Its pages are filters (Putze, Sanders, Singler: blocked Bloom filters). The digests are HMACs, so
// their bits serve as hashes.
import type { BinaryReader, BinaryWriter } from './binary.ts';
import { integer, type Mutable, mixFact, record, type ValueOf } from './codec.ts';
import { Fact, type StateHash } from './state-hash.ts';

const PAGE_SIGNATURES = 65_536;
const PAGES = 64;
/** 16 bits for each signature: 128 KiB. */
const PAGE_WORDS = PAGE_SIGNATURES / 2;
/** A cache line, which one signature has its bits in. */
const BLOCK_WORDS = 16;
const BLOCK_BITS = 11;
/** A bit of a block is named by this many bits of a digest. */
const PLACE_BITS = 9;
const PLACE = 2 ** PLACE_BITS - 1;
/** A timestamp at this distance from those of a page starts a new page. */
const APART_MS = 21 * 60_000;
const RANGES = 16;

const RANGE = record({ from: integer, to: integer });
type Range = ValueOf<typeof RANGE>;

/** A page without its bits. It follows from its signatures, whose facts stay in the state hash. */
export const TRACE_PAGE = record({
  /** The oldest and the newest timestamp. */
  from: integer,
  to: integer,
  count: integer,
  /** The sums of the halves of the facts of its signatures. */
  a: integer,
  b: integer,
});

interface Page extends Mutable<ValueOf<typeof TRACE_PAGE>> {
  readonly bits: Uint32Array<ArrayBuffer>;
}

export interface TraceLimits {
  /** Signatures of a page. */
  readonly perPage: number;
  readonly pages: number;
}

export class SignatureTrace {
  readonly #hash: StateHash;
  readonly #limits: TraceLimits;
  /** In order of their beginning. */
  readonly #pages: Page[] = [];
  /** The timestamps of the removed pages, ascending. */
  readonly #lost: Range[] = [];

  constructor(hash: StateHash, limits: TraceLimits = { perPage: PAGE_SIGNATURES, pages: PAGES }) {
    this.#hash = hash;
    this.#limits = limits;
  }

  /** Keeps a dropped signature. Its fact is the last one that the state hash has mixed. */
  add(digestHigh: number, digestLow: number, timestamp: number): void {
    // Read first: a page that makes room is mixed, too.
    const { a, b } = this.#hash;
    const page = this.#pageFor(timestamp);
    page.from = Math.min(page.from, timestamp);
    page.to = Math.max(page.to, timestamp);
    page.a = (page.a + a) | 0;
    page.b = (page.b + b) | 0;
    page.count++;
    mark(page.bits, digestHigh, digestLow);
  }

  /** Why a signature may not be accepted that is not newer than the dropped ones of its key. */
  check(
    digestHigh: number,
    digestLow: number,
    timestamp: number,
  ): 'signatureUsed' | 'signatureTooOld' | null {
    const isIn = ({ from, to }: Range) => from <= timestamp && timestamp <= to;
    if (this.#lost.some(isIn)) return 'signatureTooOld';
    const isMarked = this.#pages.some(
      (page) => isIn(page) && hasMark(page.bits, digestHigh, digestLow),
    );
    return isMarked ? 'signatureUsed' : null;
  }

  write(out: BinaryWriter): void {
    out.integer(this.#pages.length);
    for (const page of this.#pages) {
      TRACE_PAGE.write(out, { ...page, a: page.a >>> 0, b: page.b >>> 0 });
      out.bytes(new Uint8Array(page.bits.buffer));
    }
    out.integer(this.#lost.length);
    for (const range of this.#lost) RANGE.write(out, range);
  }

  /** Reads what `write` wrote into an empty trace. */
  read(input: BinaryReader): void {
    for (let rest = input.integer(); rest > 0; rest--) {
      const page = TRACE_PAGE.read(input);
      const [a, b] = [page.a | 0, page.b | 0];
      const bits = new Uint32Array(input.bytes().slice().buffer);
      this.#pages.push({ ...page, a, b, bits });
      this.#hash.removeHashed(-a, -b);
    }
    for (let rest = input.integer(); rest > 0; rest--) this.#lose(RANGE.read(input));
  }

  /** A page has timestamps of one time, so that those of a wrong clock keep their own. */
  #pageFor(timestamp: number): Page {
    const { perPage, pages } = this.#limits;
    for (let i = this.#pages.length - 1; i >= 0; i--) {
      const page = this.#pages[i]!;
      const isNear = timestamp > page.from - APART_MS && timestamp < page.to + APART_MS;
      if (isNear && page.count < perPage) return page;
    }
    if (this.#pages.length === pages) this.#removeOldest();
    const bits = new Uint32Array(PAGE_WORDS);
    const page = { from: timestamp, to: timestamp, count: 0, a: 0, b: 0, bits };
    this.#pages.push(page);
    return page;
  }

  /** The oldest by its timestamps: the wall clock comes to later ones first. */
  #removeOldest(): void {
    const oldest = this.#pages.reduce((found, page) => (page.to < found.to ? page : found));
    this.#pages.splice(this.#pages.indexOf(oldest), 1);
    this.#hash.removeHashed(oldest.a, oldest.b);
    this.#lose(oldest);
  }

  /** Adds a range, which joins those that it nearly touches; the closest two of too many join. */
  #lose({ from, to }: Range): void {
    const lost = this.#lost;
    for (const range of lost) this.#mix(range).remove();
    lost.push({ from, to });
    lost.sort((a, b) => a.from - b.from);
    const gap = (i: number) => lost[i + 1]!.from - lost[i]!.to;
    for (let i = lost.length - 2; i >= 0; i--) if (gap(i) <= APART_MS) this.#join(i);
    while (lost.length > RANGES) {
      let closest = 0;
      for (let i = 1; i < lost.length - 1; i++) if (gap(i) < gap(closest)) closest = i;
      this.#join(closest);
    }
    for (const range of lost) this.#mix(range).add();
  }

  #join(i: number): void {
    const [a, b] = [this.#lost[i]!, this.#lost[i + 1]!];
    this.#lost.splice(i, 2, { from: a.from, to: Math.max(a.to, b.to) });
  }

  #mix(range: Range): StateHash {
    return mixFact(this.#hash, Fact.lostSignatures, RANGE, range);
  }
}

/** The first word of the block of a digest. */
const blockOf = (high: number): number => (high & (2 ** BLOCK_BITS - 1)) * BLOCK_WORDS;

/** A bit of the block of a digest: the high word names two, the low one three. */
const placeOf = (high: number, low: number, i: number): number =>
  (i < 2 ? high >>> (BLOCK_BITS + i * PLACE_BITS) : low >>> ((i - 2) * PLACE_BITS)) & PLACE;

const PLACES = 5;

function mark(bits: Uint32Array, high: number, low: number): void {
  const block = blockOf(high);
  for (let i = 0; i < PLACES; i++) {
    const place = placeOf(high, low, i);
    bits[block + (place >>> 5)]! |= 1 << (place & 31);
  }
}

function hasMark(bits: Uint32Array, high: number, low: number): boolean {
  const block = blockOf(high);
  for (let i = 0; i < PLACES; i++) {
    const place = placeOf(high, low, i);
    if ((bits[block + (place >>> 5)]! & (1 << (place & 31))) === 0) return false;
  }
  return true;
}
