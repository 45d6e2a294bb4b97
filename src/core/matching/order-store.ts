// All resting orders of the venue in flat memory: 1,000,000 orders are a few arrays, not a million objects, so
// the garbage collector never walks them and a cancel touches two cache lines.
//
// An order is named by its slot while it rests; slots are reused, orderIds are not. Slots never reach an event, a
// command or the state hash, so that two cores may place orders in different slots.
import type { Side } from '../fix.ts';
import { Fact, type StateHash } from '../state-hash.ts';
import { type Amount, type Lots, type Ticks, ZERO } from '../units.ts';
import { hashNumber, hashText, ShardedHashIndex } from './hash-index.ts';

/** No order. */
export const NONE = -1;

// Fields of one order, as offsets in its record of 16 doubles (128 bytes). All values are safe integers.
const ORDER_ID = 0;
const UID = 1;
const SECURITY_ID = 2;
const SIDE = 3;
const PRICE = 4;
const ORDER_QTY = 5;
const LEAVES_QTY = 6;
const CREATE_TIME = 7;
const LEVEL = 8;
const PREVIOUS = 9;
const NEXT = 10;
const OWNER_PREVIOUS = 11;
const OWNER_NEXT = 12;
const POST_ONLY = 13;
const CL_ORD_ID_HASH = 14;
const TERMS_HASH = 15;
const STRIDE = 16;

/** Records come in pages of 4,096, so that growing never copies: no order ever waits for a larger array. */
const PAGE_BITS = 12;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

/** What an order is made of when it enters. */
export interface NewOrder {
  readonly orderId: number;
  readonly uid: number;
  readonly securityId: number;
  readonly side: Side;
  readonly price: Ticks;
  readonly orderQty: Lots;
  readonly leavesQty: Lots;
  readonly cumQuote: Amount;
  readonly createTime: number;
  readonly postOnly: boolean;
  /** Empty for a generated one, which is not stored: it follows from uid and orderId. */
  readonly clOrdId: string;
}

const prefixes: string[] = [];

/** The clOrdId of an order whose owner gave none: `api_<uid>_<orderId>`. */
export function generatedClOrdId(uid: number, id: number): string {
  // Every report names one, so the constant half is made once per user.
  prefixes[uid] ??= `api_${uid}_`;
  return prefixes[uid] + id;
}

export class OrderStore {
  readonly #hash: StateHash;
  readonly #pages: Float64Array[] = [];
  readonly #cumQuote: Amount[] = [];
  readonly #clOrdIds: string[] = [];
  /** Slots that are free below the high-water mark. */
  readonly #free: number[] = [];
  #used = 0;
  readonly #byOrderId = new ShardedHashIndex();
  readonly #byClOrdId = new ShardedHashIndex();
  /** Per user: first and last order in order of creation, and how many. */
  readonly #ownerFirst: number[] = [];
  readonly #ownerLast: number[] = [];
  readonly #ownerCount: number[] = [];

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  #get(slot: number, field: number): number {
    return this.#pages[slot >>> PAGE_BITS][(slot & PAGE_MASK) * STRIDE + field];
  }
  #set(slot: number, field: number, value: number): void {
    this.#pages[slot >>> PAGE_BITS][(slot & PAGE_MASK) * STRIDE + field] = value;
  }

  /** How many orders rest. */
  get size(): number {
    return this.#used - this.#free.length;
  }

  orderId(slot: number): number {
    return this.#get(slot, ORDER_ID);
  }
  uid(slot: number): number {
    return this.#get(slot, UID);
  }
  securityId(slot: number): number {
    return this.#get(slot, SECURITY_ID);
  }
  side(slot: number): Side {
    return this.#get(slot, SIDE) as Side;
  }
  price(slot: number): Ticks {
    return this.#get(slot, PRICE) as Ticks;
  }
  orderQty(slot: number): Lots {
    return this.#get(slot, ORDER_QTY) as Lots;
  }
  leavesQty(slot: number): Lots {
    return this.#get(slot, LEAVES_QTY) as Lots;
  }
  cumQty(slot: number): Lots {
    return (this.#get(slot, ORDER_QTY) - this.#get(slot, LEAVES_QTY)) as Lots;
  }
  cumQuote(slot: number): Amount {
    return this.#cumQuote[slot];
  }
  createTime(slot: number): number {
    return this.#get(slot, CREATE_TIME);
  }
  postOnly(slot: number): boolean {
    return this.#get(slot, POST_ONLY) === 1;
  }
  clOrdId(slot: number): string {
    const given = this.#clOrdIds[slot];
    return given !== '' ? given : generatedClOrdId(this.uid(slot), this.orderId(slot));
  }
  /** The clOrdId as its owner gave it; empty when it was generated. */
  givenClOrdId(slot: number): string {
    return this.#clOrdIds[slot];
  }
  level(slot: number): number {
    return this.#get(slot, LEVEL);
  }
  setLevel(slot: number, level: number): void {
    this.#set(slot, LEVEL, level);
  }
  /** Neighbours in the queue of the price level. */
  previous(slot: number): number {
    return this.#get(slot, PREVIOUS);
  }
  setPrevious(slot: number, other: number): void {
    this.#set(slot, PREVIOUS, other);
  }
  next(slot: number): number {
    return this.#get(slot, NEXT);
  }
  setNext(slot: number, other: number): void {
    this.#set(slot, NEXT, other);
  }

  /** The owner's oldest resting order, or NONE. */
  firstOf(uid: number): number {
    return this.#ownerFirst[uid] ?? NONE;
  }
  /** The owner's newest resting order, or NONE. */
  lastOf(uid: number): number {
    return this.#ownerLast[uid] ?? NONE;
  }
  /** The owner's next newer resting order, or NONE. */
  newerOf(slot: number): number {
    return this.#get(slot, OWNER_NEXT);
  }
  /** The owner's next older resting order, or NONE. */
  olderOf(slot: number): number {
    return this.#get(slot, OWNER_PREVIOUS);
  }
  countOf(uid: number): number {
    return this.#ownerCount[uid] ?? 0;
  }

  /** The slot of a resting order, or NONE. */
  find(orderId: number): number {
    const hash = hashNumber(orderId);
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
    const hash = hashText(uid, clOrdId);
    let newest = this.#findGenerated(uid, clOrdId);
    const index = this.#byClOrdId.shard(hash);
    let position = index.first(hash);
    while (position >= 0) {
      const slot = index.slotAt(position);
      if (this.uid(slot) === uid && this.#clOrdIds[slot] === clOrdId) {
        if (newest === NONE || this.orderId(slot) > this.orderId(newest)) newest = slot;
      }
      position = index.next(hash, position);
    }
    return newest;
  }

  #findGenerated(uid: number, clOrdId: string): number {
    const prefix = `api_${uid}_`;
    if (!clOrdId.startsWith(prefix)) return NONE;
    const slot = this.find(Number(clOrdId.slice(prefix.length)));
    if (slot === NONE || this.uid(slot) !== uid) return NONE;
    return this.#clOrdIds[slot] === '' && this.clOrdId(slot) === clOrdId ? slot : NONE;
  }

  /** Stores an order as its owner's newest; the caller puts it into its level. */
  add(order: NewOrder): number {
    const slot = this.#take();
    const data = this.#pages[slot >>> PAGE_BITS];
    const at = (slot & PAGE_MASK) * STRIDE;
    data[at + ORDER_ID] = order.orderId;
    data[at + UID] = order.uid;
    data[at + SECURITY_ID] = order.securityId;
    data[at + SIDE] = order.side;
    data[at + PRICE] = order.price;
    data[at + ORDER_QTY] = order.orderQty;
    data[at + LEAVES_QTY] = order.leavesQty;
    data[at + CREATE_TIME] = order.createTime;
    data[at + POST_ONLY] = order.postOnly ? 1 : 0;
    this.#cumQuote[slot] = order.cumQuote;
    this.#clOrdIds[slot] = order.clOrdId;
    const idHash = hashNumber(order.orderId);
    this.#byOrderId.shard(idHash).add(idHash, slot);
    if (order.clOrdId !== '') {
      const hash = hashText(order.uid, order.clOrdId);
      data[at + CL_ORD_ID_HASH] = hash;
      this.#byClOrdId.shard(hash).add(hash, slot);
    }
    data[at + TERMS_HASH] = this.#hashTerms(order);
    this.#linkOwner(slot, order.uid);
    this.#hashOrder(slot);
    this.#hash.add();
    return slot;
  }

  /** Reduces an order by a fill and returns what is left. */
  fill(slot: number, quantity: Lots, cumQuote: Amount): Lots {
    this.#hashOrder(slot);
    this.#hash.remove();
    const leaves = this.#get(slot, LEAVES_QTY) - quantity;
    this.#set(slot, LEAVES_QTY, leaves);
    this.#cumQuote[slot] = cumQuote;
    this.#hashOrder(slot);
    this.#hash.add();
    return leaves as Lots;
  }

  /** Forgets an order that has left its level. */
  remove(slot: number): void {
    this.#hashOrder(slot);
    this.#hash.remove();
    const idHash = hashNumber(this.orderId(slot));
    this.#byOrderId.shard(idHash).remove(idHash, slot);
    if (this.#clOrdIds[slot] !== '') {
      const hash = this.#get(slot, CL_ORD_ID_HASH);
      this.#byClOrdId.shard(hash).remove(hash, slot);
      this.#clOrdIds[slot] = '';
    }
    this.#unlinkOwner(slot);
    this.#cumQuote[slot] = ZERO;
    this.#free.push(slot);
  }

  #take(): number {
    const reused = this.#free.pop();
    if (reused !== undefined) return reused;
    if ((this.#used & PAGE_MASK) === 0) this.#pages.push(new Float64Array(STRIDE << PAGE_BITS));
    return this.#used++;
  }

  #linkOwner(slot: number, uid: number): void {
    while (this.#ownerCount.length <= uid) {
      this.#ownerCount.push(0);
      this.#ownerFirst.push(NONE);
      this.#ownerLast.push(NONE);
    }
    const last = this.#ownerLast[uid];
    this.#set(slot, OWNER_PREVIOUS, last);
    this.#set(slot, OWNER_NEXT, NONE);
    if (last === NONE) this.#ownerFirst[uid] = slot;
    else this.#set(last, OWNER_NEXT, slot);
    this.#ownerLast[uid] = slot;
    this.#ownerCount[uid]++;
  }

  #unlinkOwner(slot: number): void {
    const uid = this.uid(slot);
    const previous = this.olderOf(slot);
    const next = this.newerOf(slot);
    if (previous === NONE) this.#ownerFirst[uid] = next;
    else this.#set(previous, OWNER_NEXT, next);
    if (next === NONE) this.#ownerLast[uid] = previous;
    else this.#set(next, OWNER_PREVIOUS, previous);
    this.#ownerCount[uid]--;
  }

  /** What never changes while the order rests, hashed once. */
  #hashTerms(order: NewOrder): number {
    const hash = this.#hash;
    hash.begin(Fact.order);
    hash.number(order.uid);
    hash.number(order.securityId * 4 + order.side * 2 + (order.postOnly ? 1 : 0));
    hash.number(order.price);
    hash.number(order.orderQty);
    hash.number(order.createTime);
    hash.text(order.clOrdId);
    return hash.word();
  }

  #hashOrder(slot: number): void {
    const hash = this.#hash;
    const data = this.#pages[slot >>> PAGE_BITS];
    const at = (slot & PAGE_MASK) * STRIDE;
    hash.begin(Fact.order);
    hash.number(data[at + ORDER_ID]);
    hash.number(data[at + TERMS_HASH]);
    hash.number(data[at + LEAVES_QTY]);
    hash.amount(this.#cumQuote[slot]);
  }
}
