// All resting orders in flat memory: 1,000,000 orders are a few arrays, which the garbage collector
// never walks. A slot names a resting order and is reused. Slots never reach an event, a command or
// the state hash, so two cores may use different slots.
import { clOrdIdOf, generatedFrom } from '../cl-ord-id.ts';
import type { Side } from '../fix.ts';
import { HashChains, NONE } from '../hash-chains.ts';
import { FIXED_SEED, type HashSeed, KeyedHash } from '../keyed-hash.ts';
import type { OrderExtras } from '../order-extras.ts';
import type { OrderTerms } from '../order-terms.ts';
import { Fact, type StateHash } from '../state-hash.ts';
import { type Amount, type Lots, type Ticks, ZERO } from '../units.ts';
import { hashNumber, ShardedHashIndex } from './hash-index.ts';
import type { IcebergParts } from './hidden-rounds.ts';
import { detailsWith, extrasOf, ORDER_DETAILS, type OrderDetails } from './order-details.ts';

export { NONE };

// The record of an order is one cache line of 64 bytes: three doubles (safe integers), then ten
// 32-bit words (dense ids and slots).
const ORDER_ID = 0;
const PRICE = 1;
const LEAVES_QTY = 2;
const DOUBLES = 8;

const UID = 6;
/** securityId × 8 + POST_ONLY, when it is set, + side. */
const KIND = 7;
const LEVEL = 8;
const PREVIOUS = 9;
const NEXT = 10;
const OWNER_PREVIOUS = 11;
const OWNER_NEXT = 12;
/** 1 + the place of this order's details; 0: it has none. */
const DETAILS = 13;
/** The two halves of this order's fact in the state hash. */
const HASH_A = 14;
const HASH_B = 15;
const WORDS = 16;

const SIDE_MASK = 3;
const POST_ONLY = 4;
const KIND_MASK = 7;
const KIND_BITS = 3;

// The fields that neither a match nor a cancel reads are two doubles elsewhere.
const ORDER_QTY = 0;
const CREATE_TIME = 1;
const APART = 2;

/** Records come in pages, so that growing never copies: no order waits for a larger array. */
const PAGE_BITS = 12;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

/** Details have the others. An empty clOrdId is not stored: it follows from uid and orderId. */
interface StoredTerms extends Omit<OrderTerms, 'ordType' | 'quoteOrderQty'> {
  readonly uid: number;
}

export interface NewOrder {
  readonly terms: StoredTerms;
  readonly orderId: number;
  /** The quantity and quote amount filled so far. */
  readonly cumQty: Lots;
  readonly cumQuote: Amount;
  /** null for a plain limit order. */
  readonly details: OrderDetails | null;
}

export class OrderStore {
  readonly #hash: StateHash;
  readonly #orderIdSeed: number;
  readonly #keyed: KeyedHash;
  /** The records by page, and the same memory as words. */
  readonly #doubles: Float64Array[] = [];
  readonly #words: Int32Array[] = [];
  readonly #apart: Float64Array[] = [];
  readonly #cumQuote: Amount[] = [];
  readonly #clOrdIds: string[] = [];
  readonly #details: (OrderDetails | null)[] = [];
  readonly #freeDetails: number[] = [];
  /** Slots that are free below the high-water mark. */
  readonly #free: number[] = [];
  #used = 0;
  readonly #byOrderId = new ShardedHashIndex();
  /** Orders whose owner gave a clOrdId. */
  readonly #byClOrdId = new HashChains();
  /** Per user: first and last order in order of creation, and how many. */
  readonly #ownerFirst: number[] = [];
  readonly #ownerLast: number[] = [];
  readonly #ownerCount: number[] = [];
  /** By securityId. */
  readonly #instrumentCount: number[] = [];

  /** `seed`: of the indexes by ids, which clients choose. */
  constructor(hash: StateHash, seed: HashSeed = FIXED_SEED) {
    this.#hash = hash;
    this.#orderIdSeed = seed.a;
    this.#keyed = new KeyedHash(seed);
  }

  #double(slot: number, field: number): number {
    return this.#doubles[slot >>> PAGE_BITS][(slot & PAGE_MASK) * DOUBLES + field];
  }
  #word(slot: number, field: number): number {
    return this.#words[slot >>> PAGE_BITS][(slot & PAGE_MASK) * WORDS + field];
  }
  #setDouble(slot: number, field: number, value: number): void {
    this.#doubles[slot >>> PAGE_BITS][(slot & PAGE_MASK) * DOUBLES + field] = value;
  }
  #setWord(slot: number, field: number, value: number): void {
    this.#words[slot >>> PAGE_BITS][(slot & PAGE_MASK) * WORDS + field] = value;
  }
  #doubleApart(slot: number, field: number): number {
    return this.#apart[slot >>> PAGE_BITS][(slot & PAGE_MASK) * APART + field];
  }
  #setDoubleApart(slot: number, field: number, value: number): void {
    this.#apart[slot >>> PAGE_BITS][(slot & PAGE_MASK) * APART + field] = value;
  }

  get size(): number {
    return this.#used - this.#free.length;
  }

  orderId(slot: number): number {
    return this.#double(slot, ORDER_ID);
  }
  uid(slot: number): number {
    return this.#word(slot, UID);
  }
  securityId(slot: number): number {
    return this.#word(slot, KIND) >> KIND_BITS;
  }
  side(slot: number): Side {
    return (this.#word(slot, KIND) & SIDE_MASK) as Side;
  }
  price(slot: number): Ticks {
    return this.#double(slot, PRICE) as Ticks;
  }
  orderQty(slot: number): Lots {
    return this.#doubleApart(slot, ORDER_QTY) as Lots;
  }
  leavesQty(slot: number): Lots {
    return this.#double(slot, LEAVES_QTY) as Lots;
  }
  cumQty(slot: number): Lots {
    return (this.#doubleApart(slot, ORDER_QTY) - this.#double(slot, LEAVES_QTY)) as Lots;
  }
  cumQuote(slot: number): Amount {
    return this.#cumQuote[slot];
  }
  createTime(slot: number): number {
    return this.#doubleApart(slot, CREATE_TIME);
  }
  postOnly(slot: number): boolean {
    return (this.#word(slot, KIND) & POST_ONLY) !== 0;
  }
  clOrdId(slot: number): string {
    return clOrdIdOf(this.uid(slot), this.orderId(slot), this.#clOrdIds[slot]);
  }
  /** The clOrdId as its owner gave it; empty when it was generated. */
  givenClOrdId(slot: number): string {
    return this.#clOrdIds[slot];
  }
  hasDetails(slot: number): boolean {
    return this.#word(slot, DETAILS) !== 0;
  }
  details(slot: number): OrderDetails | null {
    const place = this.#word(slot, DETAILS);
    return place === 0 ? null : this.#details[place - 1];
  }
  extras(slot: number): OrderExtras {
    return extrasOf(this.details(slot));
  }
  /** The part of the order that its level shows. */
  shownQty(slot: number): Lots {
    const place = this.#word(slot, DETAILS);
    if (place === 0) return this.leavesQty(slot);
    const { extras, shownQty } = this.#details[place - 1]!;
    const leaves = this.leavesQty(slot);
    return extras.displayQty === 0 || leaves < shownQty ? leaves : shownQty;
  }
  /** The parts of an iceberg; null for an order that shows all of itself. */
  iceberg(slot: number): IcebergParts | null {
    const { displayQty } = this.extras(slot);
    if (displayQty === 0) return null;
    return { displayQty, shownQty: this.shownQty(slot), leavesQty: this.leavesQty(slot) };
  }
  priority(slot: number): number {
    return this.details(slot)?.priority ?? this.orderId(slot);
  }
  /**
   * The id in the public book. Each part of an iceberg has its own, and so has the order from then
   * on: an id that stays would link the parts.
   */
  publicId(slot: number): number {
    return this.#isHidden(slot) ? this.priority(slot) : this.orderId(slot);
  }
  /** The time of entry as the public book shows it. */
  publicTime(slot: number): number {
    return this.#isHidden(slot) ? this.details(slot)!.shownTime : this.createTime(slot);
  }
  #isHidden(slot: number): boolean {
    return (this.details(slot)?.shownTime ?? 0) !== 0;
  }
  /** True if the order waits for its trigger, or for its turn after it. */
  isWaiting(slot: number): boolean {
    return this.details(slot)?.working === false;
  }
  level(slot: number): number {
    return this.#word(slot, LEVEL);
  }
  setLevel(slot: number, level: number): void {
    this.#setWord(slot, LEVEL, level);
  }
  /** Neighbors in the queue of the price level. */
  previous(slot: number): number {
    return this.#word(slot, PREVIOUS);
  }
  setPrevious(slot: number, other: number): void {
    this.#setWord(slot, PREVIOUS, other);
  }
  next(slot: number): number {
    return this.#word(slot, NEXT);
  }
  setNext(slot: number, other: number): void {
    this.#setWord(slot, NEXT, other);
  }

  /** The owner's oldest resting order, or NONE. */
  firstOf(uid: number): number {
    return this.#ownerFirst[uid] ?? NONE;
  }
  lastOf(uid: number): number {
    return this.#ownerLast[uid] ?? NONE;
  }
  newerOf(slot: number): number {
    return this.#word(slot, OWNER_NEXT);
  }
  olderOf(slot: number): number {
    return this.#word(slot, OWNER_PREVIOUS);
  }
  countOf(uid: number): number {
    return this.#ownerCount[uid] ?? 0;
  }

  /** How many orders of an instrument are open. */
  countIn(securityId: number): number {
    return this.#instrumentCount[securityId] ?? 0;
  }

  /** The slot of a resting order, or NONE. */
  find(orderId: number): number {
    const hash = hashNumber(orderId, this.#orderIdSeed);
    const index = this.#byOrderId.shard(hash);
    let position = index.first(hash);
    while (position >= 0) {
      const slot = index.slotAt(position);
      if (this.orderId(slot) === orderId) return slot;
      position = index.next(hash, position);
    }
    return NONE;
  }

  /** The newest resting order of a user with this clOrdId, given or generated; or NONE. */
  findByClOrdId(uid: number, clOrdId: string): number {
    const generated = this.#findGenerated(uid, clOrdId);
    const given = this.#findGiven(uid, clOrdId);
    if (generated === NONE || given === NONE) return generated === NONE ? given : generated;
    return this.orderId(given) > this.orderId(generated) ? given : generated;
  }

  /** The index has the newest order first. */
  #findGiven(uid: number, clOrdId: string): number {
    let slot = this.#byClOrdId.first(this.#keyed.text(uid, clOrdId));
    for (; slot !== NONE; slot = this.#byClOrdId.older(slot)) {
      if (this.uid(slot) === uid && this.#clOrdIds[slot] === clOrdId) return slot;
    }
    return NONE;
  }

  #findGenerated(uid: number, clOrdId: string): number {
    const orderId = generatedFrom(uid, clOrdId);
    const slot = orderId === null ? NONE : this.find(orderId);
    if (slot === NONE || this.uid(slot) !== uid) return NONE;
    return this.#clOrdIds[slot] === '' && this.clOrdId(slot) === clOrdId ? slot : NONE;
  }

  /** Stores an order as its owner's newest; the caller puts it into its level. */
  add({ terms, orderId, cumQty, cumQuote, details }: NewOrder, createTime: number): number {
    const { uid, securityId, side, price, orderQty, postOnly, clOrdId } = terms;
    const slot = this.#take();
    this.#setDouble(slot, ORDER_ID, orderId);
    this.#setDouble(slot, PRICE, price);
    this.#setDouble(slot, LEAVES_QTY, orderQty - cumQty);
    this.#setWord(slot, UID, uid);
    this.#setWord(slot, KIND, (securityId << KIND_BITS) | (postOnly ? POST_ONLY : 0) | side);
    this.#setDoubleApart(slot, ORDER_QTY, orderQty);
    this.#setDoubleApart(slot, CREATE_TIME, createTime);
    this.#cumQuote[slot] = cumQuote;
    this.#clOrdIds[slot] = clOrdId;
    const idHash = hashNumber(orderId, this.#orderIdSeed);
    this.#byOrderId.shard(idHash).add(idHash, slot);
    if (clOrdId !== '') this.#byClOrdId.add(this.#keyed.text(uid, clOrdId), slot);
    this.#linkOwner(slot, uid);
    this.#instrumentCount[securityId] = this.countIn(securityId) + 1;
    this.#addHash(slot);
    this.#setWord(slot, DETAILS, 0);
    if (details !== null) this.#addDetails(slot, details);
    return slot;
  }

  /** Changes an order that is in no queue: its terms, and what is filled of it. */
  change(
    slot: number,
    changes: { price: Ticks; orderQty: Lots; cumQty: Lots; cumQuote: Amount },
  ): void {
    this.#removeHash(slot);
    this.#setDouble(slot, PRICE, changes.price);
    this.#setDouble(slot, LEAVES_QTY, changes.orderQty - changes.cumQty);
    this.#setDoubleApart(slot, ORDER_QTY, changes.orderQty);
    this.#cumQuote[slot] = changes.cumQuote;
    this.#addHash(slot);
  }

  /** Changes details of an order, which gets some if it has none. */
  changeDetails(slot: number, changes: Partial<OrderDetails>): void {
    const details = this.details(slot);
    if (details === null) {
      this.#addDetails(slot, detailsWith({ priority: this.orderId(slot), ...changes }));
      return;
    }
    this.#mixDetails(slot, details);
    this.#hash.remove();
    Object.assign(details, changes);
    this.#mixDetails(slot, details);
    this.#hash.add();
  }

  /** Changes extras, and other details with them. Earlier reports keep theirs. */
  changeExtras(
    slot: number,
    changes: Partial<OrderExtras>,
    more: Partial<OrderDetails> = {},
  ): void {
    this.changeDetails(slot, { extras: { ...this.extras(slot), ...changes }, ...more });
  }

  #addDetails(slot: number, details: OrderDetails): void {
    const place = this.#freeDetails.pop() ?? this.#details.length;
    this.#details[place] = details;
    this.#setWord(slot, DETAILS, place + 1);
    this.#mixDetails(slot, details);
    this.#hash.add();
  }

  #removeDetails(slot: number): void {
    const place = this.#word(slot, DETAILS) - 1;
    this.#mixDetails(slot, this.#details[place]!);
    this.#hash.remove();
    this.#details[place] = null;
    this.#freeDetails.push(place);
    this.#setWord(slot, DETAILS, 0);
  }

  #mixDetails(slot: number, details: OrderDetails): void {
    this.#hash.begin(Fact.orderDetails);
    this.#hash.number(this.#double(slot, ORDER_ID));
    ORDER_DETAILS.mix(this.#hash, details);
  }

  /** Reduces an order by a fill and returns what is left. */
  fill(slot: number, quantity: Lots, cumQuote: Amount): Lots {
    this.#removeHash(slot);
    const leaves = this.#double(slot, LEAVES_QTY) - quantity;
    this.#setDouble(slot, LEAVES_QTY, leaves);
    this.#cumQuote[slot] = cumQuote;
    this.#addHash(slot);
    return leaves as Lots;
  }

  remove(slot: number): void {
    this.#removeHash(slot);
    if (this.hasDetails(slot)) this.#removeDetails(slot);
    const idHash = hashNumber(this.orderId(slot), this.#orderIdSeed);
    this.#byOrderId.shard(idHash).remove(idHash, slot);
    if (this.#clOrdIds[slot] !== '') {
      this.#byClOrdId.remove(slot);
      this.#clOrdIds[slot] = '';
    }
    this.#unlinkOwner(slot);
    this.#instrumentCount[this.securityId(slot)]--;
    this.#cumQuote[slot] = ZERO;
    this.#free.push(slot);
  }

  #take(): number {
    const reused = this.#free.pop();
    if (reused !== undefined) return reused;
    if ((this.#used & PAGE_MASK) === 0) this.#addPage();
    return this.#used++;
  }

  #addPage(): void {
    const doubles = new Float64Array(DOUBLES << PAGE_BITS);
    this.#doubles.push(doubles);
    this.#words.push(new Int32Array(doubles.buffer));
    this.#apart.push(new Float64Array(APART << PAGE_BITS));
  }

  #linkOwner(slot: number, uid: number): void {
    while (this.#ownerCount.length <= uid) {
      this.#ownerCount.push(0);
      this.#ownerFirst.push(NONE);
      this.#ownerLast.push(NONE);
    }
    const last = this.#ownerLast[uid];
    this.#setWord(slot, OWNER_PREVIOUS, last);
    this.#setWord(slot, OWNER_NEXT, NONE);
    if (last === NONE) this.#ownerFirst[uid] = slot;
    else this.#setWord(last, OWNER_NEXT, slot);
    this.#ownerLast[uid] = slot;
    this.#ownerCount[uid]++;
  }

  #unlinkOwner(slot: number): void {
    const uid = this.uid(slot);
    const previous = this.olderOf(slot);
    const next = this.newerOf(slot);
    if (previous === NONE) this.#ownerFirst[uid] = next;
    else this.#setWord(previous, OWNER_NEXT, next);
    if (next === NONE) this.#ownerLast[uid] = previous;
    else this.#setWord(next, OWNER_PREVIOUS, previous);
    this.#ownerCount[uid]--;
  }

  #addHash(slot: number): void {
    const hash = this.#hash;
    hash.begin(Fact.order);
    hash.number(this.#double(slot, ORDER_ID));
    hash.number(this.#word(slot, UID));
    hash.number(this.#word(slot, KIND) >> KIND_BITS);
    hash.number(this.#word(slot, KIND) & KIND_MASK);
    hash.number(this.#double(slot, PRICE));
    hash.number(this.#doubleApart(slot, ORDER_QTY));
    hash.number(this.#double(slot, LEAVES_QTY));
    hash.number(this.#doubleApart(slot, CREATE_TIME));
    hash.amount(this.#cumQuote[slot]);
    hash.text(this.#clOrdIds[slot]);
    hash.add();
    this.#setWord(slot, HASH_A, hash.a);
    this.#setWord(slot, HASH_B, hash.b);
  }

  #removeHash(slot: number): void {
    this.#hash.removeHashed(this.#word(slot, HASH_A), this.#word(slot, HASH_B));
  }
}
