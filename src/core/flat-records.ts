// Records of 32-bit words in flat memory, and lists of them in order of arrival. A slot names a
// record and is reused, so memory does not grow beyond the largest number of records.
import { NONE } from './hash-chains.ts';

/** Records a page. Nothing is copied when a page is added. */
const PAGE_BITS = 12;
const PAGE_MASK = (1 << PAGE_BITS) - 1;
const TWO_32 = 4294967296;

/** A list of records in order of arrival, linked through two neighboring fields of each. */
export class RecordList {
  oldest = NONE;
  newest = NONE;
  count = 0;
}

/** The list under `key`, made when there is none. */
export function listOf(lists: Map<number, RecordList>, key: number): RecordList {
  let list = lists.get(key);
  if (list === undefined) {
    list = new RecordList();
    lists.set(key, list);
  }
  return list;
}

export class FlatRecords {
  readonly #words: number;
  readonly #pages: Int32Array[] = [];
  /** The free slot that is taken next; its first word names the one after it. */
  #free = NONE;
  #used = 0;

  constructor(words: number) {
    this.#words = words;
  }

  get(slot: number, field: number): number {
    return this.#pages[slot >>> PAGE_BITS][(slot & PAGE_MASK) * this.#words + field];
  }

  set(slot: number, field: number, value: number): void {
    this.#pages[slot >>> PAGE_BITS][(slot & PAGE_MASK) * this.#words + field] = value;
  }

  /** A safe natural number in two fields. */
  getLong(slot: number, field: number): number {
    return this.get(slot, field) * TWO_32 + (this.get(slot, field + 1) >>> 0);
  }

  setLong(slot: number, field: number, value: number): void {
    this.set(slot, field, Math.floor(value / TWO_32));
    this.set(slot, field + 1, (value % TWO_32) | 0);
  }

  /** A slot for a new record; its words are of no defined value. */
  take(): number {
    const slot = this.#free;
    if (slot !== NONE) {
      this.#free = this.get(slot, 0);
      return slot;
    }
    if ((this.#used & PAGE_MASK) === 0) this.#pages.push(new Int32Array(this.#words << PAGE_BITS));
    return this.#used++;
  }

  release(slot: number): void {
    this.set(slot, 0, this.#free);
    this.#free = slot;
  }

  /** Makes a record the newest of a list. `link` is the first of its two fields. */
  append(list: RecordList, slot: number, link: number): void {
    this.set(slot, link, list.newest);
    this.set(slot, link + 1, NONE);
    if (list.newest === NONE) list.oldest = slot;
    else this.set(list.newest, link + 1, slot);
    list.newest = slot;
    list.count++;
  }

  unlink(list: RecordList, slot: number, link: number): void {
    const older = this.get(slot, link);
    const newer = this.get(slot, link + 1);
    if (older === NONE) list.oldest = newer;
    else this.set(older, link + 1, newer);
    if (newer === NONE) list.newest = older;
    else this.set(newer, link, older);
    list.count--;
  }

  /** The next newer record of a list, or NONE. */
  newer(slot: number, link: number): number {
    return this.get(slot, link + 1);
  }
}
