// All live subscriptions, by applyId and by owner, with each owner's total in each plan. applyIds
// grow by one, so they are places in pages; an empty page is dropped.
import { assert } from '../assert.ts';
import { Fact, type StateHash } from '../state-hash.ts';
import { type Amount, add, multiply, subtract, ZERO } from '../units.ts';
import type { Plan } from './plan.ts';
import { isFlexible, SUBSCRIPTION, type Subscription } from './subscription.ts';

const PAGE_BITS = 12;
const PAGE_SIZE = 1 << PAGE_BITS;

interface Page {
  readonly places: (Subscription | undefined)[];
  live: number;
}

/** A list of them is written within milliseconds; more than a person or a treasury needs. */
export const MAX_SUBSCRIPTIONS = 2000;

interface Position {
  readonly plan: Plan;
  principal: Amount;
  /** Live subscriptions, with or without principal. */
  count: number;
  /** The flexible one that takes more funds. */
  held: Subscription | null;
}

export class Subscriptions {
  readonly #hash: StateHash;
  readonly #pages: (Page | undefined)[] = [];
  #size = 0;
  /** By uid. */
  readonly #newest: (Subscription | null)[] = [];
  readonly #positions: Position[][] = [];

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  get size(): number {
    return this.#size;
  }

  find(applyId: number): Subscription | undefined {
    const found = this.#pages[applyId >>> PAGE_BITS]?.places[applyId & (PAGE_SIZE - 1)];
    // Shifts know 32 bits only.
    return found?.applyId === applyId ? found : undefined;
  }

  /** The first live one with a greater applyId. */
  after(applyId: number): Subscription | undefined {
    const start = applyId + 1;
    for (let p = start >>> PAGE_BITS; p < this.#pages.length; p++) {
      const places = this.#pages[p]?.places;
      if (places === undefined) continue;
      const from = p === start >>> PAGE_BITS ? start & (PAGE_SIZE - 1) : 0;
      for (let i = from; i < places.length; i++) {
        const found = places[i];
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** The live subscriptions of one user, newest first. */
  *ofUser(uid: number): Generator<Subscription> {
    for (let s = this.#newest[uid] ?? null; s !== null; s = s.older) yield s;
  }

  countOf(uid: number): number {
    return this.#positions[uid]?.reduce((sum, { count }) => sum + count, 0) ?? 0;
  }

  /** The flexible subscription of the plan that takes the user's further funds, or null. */
  held(uid: number, plan: Plan): Subscription | null {
    return this.#position(uid, plan)?.held ?? null;
  }

  principalOf(uid: number, plan: Plan): Amount {
    return this.#position(uid, plan)?.principal ?? ZERO;
  }

  #position(uid: number, plan: Plan): Position | undefined {
    return this.#positions[uid]?.find((position) => position.plan === plan);
  }

  /** Adds a new one, whose applyId is the greatest; its principal counts immediately. */
  add(subscription: Subscription): void {
    const { applyId, uid, plan } = subscription;
    const p = applyId >>> PAGE_BITS;
    while (this.#pages.length <= p) this.#pages.push(undefined);
    const page = this.#pages[p] ?? { places: [], live: 0 };
    this.#pages[p] = page;
    while (page.places.length <= (applyId & (PAGE_SIZE - 1))) page.places.push(undefined);
    page.places[applyId & (PAGE_SIZE - 1)] = subscription;
    page.live++;
    this.#size++;
    while (this.#newest.length <= uid) {
      this.#newest.push(null);
      this.#positions.push([]);
    }
    const older = this.#newest[uid];
    subscription.older = older;
    if (older !== null) older.newer = subscription;
    this.#newest[uid] = subscription;
    let position = this.#position(uid, plan);
    if (position === undefined) {
      position = { plan, principal: ZERO, count: 0, held: null };
      this.#positions[uid].push(position);
    }
    position.count++;
    this.#count(position, subscription, ZERO);
    this.#mix(subscription);
    this.#hash.add();
    this.#keepHash(subscription);
  }

  remove(subscription: Subscription): void {
    const { applyId, uid, plan, older, newer } = subscription;
    assert(subscription.principal === 0, 'what is forgotten holds no principal');
    this.#hash.removeHashed(subscription.hashA, subscription.hashB);
    const page = this.#pages[applyId >>> PAGE_BITS]!;
    page.places[applyId & (PAGE_SIZE - 1)] = undefined;
    page.live--;
    // The last page takes the next ones.
    if (page.live === 0 && applyId >>> PAGE_BITS < this.#pages.length - 1) {
      this.#pages[applyId >>> PAGE_BITS] = undefined;
    }
    this.#size--;
    if (older !== null) older.newer = newer;
    if (newer !== null) newer.older = older;
    else this.#newest[uid] = older;
    const position = this.#position(uid, plan)!;
    position.count--;
    if (position.count === 0) {
      const own = this.#positions[uid];
      own.splice(own.indexOf(position), 1);
    }
  }

  /** Changes the principal and the totals of user and plan. Rates change only while it is zero. */
  setPrincipal(subscription: Subscription, principal: Amount): void {
    const before = subscription.principal;
    subscription.principal = principal;
    this.#count(this.#position(subscription.uid, subscription.plan)!, subscription, before);
  }

  #count(position: Position, subscription: Subscription, before: Amount): void {
    const { plan, principal, rate, margin, boosterRate } = subscription;
    const more = subtract(principal, before);
    position.principal = add(position.principal, more);
    plan.pool = add(plan.pool, more);
    if (!isFlexible(subscription)) {
      plan.yearlyCost = add(plan.yearlyCost, multiply(more, rate + margin + boosterRate));
      return;
    }
    if (principal > 0) position.held = subscription;
    else if (position.held === subscription) position.held = null;
  }

  /** Call it after any change: it updates the state hash. */
  changed(subscription: Subscription): void {
    this.#hash.removeHashed(subscription.hashA, subscription.hashB);
    this.#mix(subscription);
    this.#hash.add();
    this.#keepHash(subscription);
  }

  #keepHash(subscription: Subscription): void {
    subscription.hashA = this.#hash.a;
    subscription.hashB = this.#hash.b;
  }

  #mix(s: Subscription): void {
    const hash = this.#hash;
    hash.begin(Fact.subscription);
    hash.number(s.plan.planId);
    hash.number(s.terms.version);
    SUBSCRIPTION.mix(hash, s);
  }
}
