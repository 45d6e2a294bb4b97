// The cost that one payer (an address, an account, a connection) may cause: token buckets of
// snapshot bytes and of time on the order thread. A cost is known only afterward, so a bucket may
// go into debt; a payer in debt waits until it is paid off.
import { Problem } from '../contract/problem.ts';
import { MAX_CONNECTIONS } from './limits.ts';

export interface BudgetTerms {
  /** The maximum level. */
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket that may go into debt. Times are of performance.now(). */
export class Budget {
  readonly #terms: BudgetTerms;
  #level: number;
  #at = performance.now();

  constructor(terms: BudgetTerms) {
    this.#terms = terms;
    this.#level = terms.burst;
  }

  #refill(): void {
    const now = performance.now();
    const earned = (Math.max(0, now - this.#at) * this.#terms.perSecond) / 1000;
    this.#level = Math.min(this.#terms.burst, this.#level + earned);
    this.#at = now;
  }

  /** The level does not fall below `floor`. */
  spend(cost: number, floor = Number.NEGATIVE_INFINITY): void {
    this.#refill();
    this.#level = Math.max(this.#level - cost, Math.min(this.#level, floor));
  }

  /** Milliseconds until the level is above `floor`; 0 when it is. */
  msUntil(floor: number): number {
    this.#refill();
    if (this.#level > floor) return 0;
    return Math.ceil(((floor - this.#level) * 1000) / this.#terms.perSecond) + 1;
  }

  get inDebt(): boolean {
    return this.msUntil(0) > 0;
  }

  get isFull(): boolean {
    this.#refill();
    return this.#level >= this.#terms.burst;
  }
}

/** A payer's budget: snapshot bytes, and milliseconds on the order thread. */
export interface PayerTerms {
  readonly bytes: BudgetTerms;
  readonly time: BudgetTerms;
}

/** An address or an account, over all its connections. */
export class Payer {
  readonly kind: 'address' | 'account';
  readonly bytes: Budget;
  readonly time: Budget;
  /** Milliseconds on messages with orders that the limits of orders did not admit. */
  readonly rejectedOrders: Budget;
  connections = 0;
  channels = 0;
  /** Bytes that its connections have not read. */
  buffered = 0;

  constructor(kind: Payer['kind'], { bytes, time }: PayerTerms) {
    this.kind = kind;
    this.bytes = new Budget(bytes);
    this.time = new Budget(time);
    this.rejectedOrders = new Budget(time);
  }

  /** True if it has no connection, and all of its budgets. */
  get isClear(): boolean {
    const budgets = [this.bytes, this.time, this.rejectedOrders];
    return this.connections === 0 && budgets.every(({ isFull }) => isFull);
  }
}

/** An address and an account for each connection, and 10,000 that owe a debt: 25 MB. */
const MAX_PAYERS = 2 * MAX_CONNECTIONS + 10_000;
/** Payers that make room for another one looks at. */
const PROBES = 8;

/** All payers by name. One in debt stays after its last connection, so a new one owes the debt. */
export class Payers {
  readonly #terms: PayerTerms;
  readonly #payers = new Map<string, Payer>();

  constructor(terms: PayerTerms) {
    this.#terms = terms;
  }

  get size(): number {
    return this.#payers.size;
  }

  ofAddress(address: string): Payer {
    return this.#of('address', address);
  }

  ofAccount(uid: number): Payer {
    return this.#of('account', String(uid));
  }

  #of(kind: Payer['kind'], name: string): Payer {
    const key = `${kind}/${name}`;
    let payer = this.#payers.get(key);
    if (payer === undefined) {
      if (this.#payers.size >= MAX_PAYERS) this.#dropOldest();
      payer = new Payer(kind, this.#terms);
      this.#payers.set(key, payer);
    }
    return payer;
  }

  /** Forgets the debt of a payer without connections: of the oldest ones, as far as it looks. */
  #dropOldest(): void {
    for (const [key, payer] of [...this.#payers.entries().take(PROBES)]) {
      this.#payers.delete(key);
      if (payer.connections === 0) return;
      this.#payers.set(key, payer);
    }
  }

  /** Drops the payers without connections whose budgets are full. */
  sweep(): void {
    for (const [key, payer] of this.#payers) if (payer.isClear) this.#payers.delete(key);
  }
}

/** Throws Problem rateLimited while the budget is in debt; `name` is its permanent name. */
export function requireCredit(name: string, budget: Budget): void {
  const ms = budget.msUntil(0);
  if (ms === 0) return;
  const seconds = Math.ceil(ms / 1000);
  throw new Problem('rateLimited', {
    userMsg: `The stream budget "${name}" is used up. Try again in ${seconds} s.`,
    details: { rule: 'budget', value: name, retryAfterMs: ms },
    headers: { 'Retry-After': String(seconds) },
  });
}
