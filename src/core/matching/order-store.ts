// All resting orders of the venue in flat memory: 1,000,000 orders are a few arrays, not a million objects, so
// the garbage collector never walks them and a cancel touches two cache lines.
//
// An order is named by its slot while it rests; slots are reused, orderIds are not. Slots never reach an event, a
// command or the state hash, so that two cores may place orders in different slots.
import { clOrdIdOf, generatedFrom } from '../cl-ord-id.ts';
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
/** The side, plus POST_ONLY when it is set. */
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
const CL_ORD_ID_HASH = 13;
/** What the state hash has of this order. */
const HASH_A = 14;
const HASH_B = 15;
const STRIDE = 16;
const SIDE_MASK = 3;
const POST_ONLY = 4;

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
  /** What it has traded so far. */
  readonly cumQty: Lots;
  readonly cumQuote: Amount;
  readonly createTime: number;
  readonly postOnly: boolean;
  /** Empty for a generated one, which is not stored: it follows from uid and orderId. */
  readonly clOrdId: string;
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
    return (this.#get(slot, SIDE) & SIDE_MASK) as Side;
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
    return this.#get(slot, SIDE) > SIDE_MASK;
  }
  clOrdId(slot: number): string {
    return clOrdIdOf(this.uid(slot), this.orderId(slot), this.#clOrdIds[slot]);
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
    const orderId = generatedFrom(uid, clOrdId);
    const slot = orderId === null ? NONE : this.find(orderId);
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
    data[at + SIDE] = order.side + (order.postOnly ? POST_ONLY : 0);
    data[at + PRICE] = order.price;
    data[at + ORDER_QTY] = order.orderQty;
    data[at + LEAVES_QTY] = order.orderQty - order.cumQty;
    data[at + CREATE_TIME] = order.createTime;
    this.#cumQuote[slot] = order.cumQuote;
    this.#clOrdIds[slot] = order.clOrdId;
    const idHash = hashNumber(order.orderId);
    this.#byOrderId.shard(idHash).add(idHash, slot);
    if (order.clOrdId !== '') {
      const hash = hashText(order.uid, order.clOrdId);
      data[at + CL_ORD_ID_HASH] = hash;
      this.#byClOrdId.shard(hash).add(hash, slot);
    }
    this.#linkOwner(slot, order.uid);
    this.#addHash(slot);
    return slot;
  }

  /** Reduces an order by a fill and returns what is left. */
  fill(slot: number, quantity: Lots, cumQuote: Amount): Lots {
    this.#removeHash(slot);
    const leaves = this.#get(slot, LEAVES_QTY) - quantity;
    this.#set(slot, LEAVES_QTY, leaves);
    this.#cumQuote[slot] = cumQuote;
    this.#addHash(slot);
    return leaves as Lots;
  }

  /** Forgets an order that has left its level. */
  remove(slot: number): void {
    this.#removeHash(slot);
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

  #addHash(slot: number): void {
    const hash = this.#hash;
    const data = this.#pages[slot >>> PAGE_BITS];
    const at = (slot & PAGE_MASK) * STRIDE;
    hash.begin(Fact.order);
    for (let field = ORDER_ID; field <= CREATE_TIME; field++) hash.number(data[at + field]);
    hash.amount(this.#cumQuote[slot]);
    hash.text(this.#clOrdIds[slot]);
    hash.add();
    data[at + HASH_A] = hash.a;
    data[at + HASH_B] = hash.b;
  }

  #removeHash(slot: number): void {
    this.#hash.removeHashed(this.#get(slot, HASH_A), this.#get(slot, HASH_B));
  }
}
