// The writes of the earn rounds, as the customers remember them, and what agio owes for them at any
// time.
import { dayOf, HOUR_MS } from '../../src/core/calendar.ts';
import { SubscriptionStatus } from '../../src/core/earn/subscription.ts';
import { type EarnPlan, interestAfter, rateOf } from './earn-plans.ts';
import type { SandboxFile } from './server-process.ts';
import { SignedClient } from './signed-client.ts';

export const EARN = '/earn-api/v1/user';

/** A write as its sender remembers it. */
export interface Write {
  readonly key: string;
  readonly saver: Saver;
  readonly target: string;
  readonly body: object;
  /** Business time when it was sent, and how many advances of the clock had been answered. */
  readonly earliest: number;
  readonly advances: number;
  /** Business time when it was answered; null: the answer never came. */
  latest: number | null;
  /** The answer, as text. */
  answer: string | null;
  /** Notes the data of the answer. Throws Error if they differ from the request. */
  readonly acknowledge: (data: unknown) => void;
}

export interface Redemption {
  readonly amount: bigint;
  readonly write: Write;
  /** When it was requested, as its history says; null until that was read. */
  createTime: number | null;
}

/** A fixed or customized subscription. */
export interface Term {
  readonly plan: EarnPlan;
  readonly saver: Saver;
  readonly principal: bigint;
  readonly lockDay: number;
  readonly autoRenew: boolean;
  /** 0 until the apply is acknowledged. */
  applyId: number;
  /** The first day that earns; null until it was read. */
  firstDay: number | null;
  write: Write | null;
  redemption: Redemption | null;
}

/** The one subscription to the flexible plan that a saver has. */
export interface Flexible {
  applyId: number;
  /** null until it was read. */
  firstDay: number | null;
  opened: Write | null;
  /** Acknowledged amounts. */
  added: bigint;
  redeemed: bigint;
  /** Redemptions that were sent, acknowledged or not: less than this is never left. */
  asked: bigint;
  /** Acknowledged, and not yet looked for in the history. */
  readonly unread: Redemption[];
}

export class Saver {
  readonly name: string;
  readonly flexible: Flexible = {
    applyId: 0,
    firstDay: null,
    opened: null,
    added: 0n,
    redeemed: 0n,
    asked: 0n,
    unread: [],
  };
  /** Terms that were applied for and of which something may be left. */
  readonly live = new Set<Term>();
  /** Acknowledged terms that nobody has asked to redeem. */
  readonly held: Term[] = [];
  client: SignedClient;

  constructor(name: string, client: SignedClient) {
    this.name = name;
    this.client = client;
  }
}

export class Savings {
  readonly savers: readonly Saver[];
  /** Every subscription that was acknowledged. */
  readonly byApplyId = new Map<number, Term | Saver>();
  /** Terms that were redeemed before their end. */
  readonly redeemed: Term[] = [];
  #serial = 0;

  constructor(url: string, { demo, market }: SandboxFile) {
    this.savers = [demo, ...market].map(
      (user) => new Saver(user.email, new SignedClient(url, user)),
    );
  }

  get liveTerms(): number {
    return this.savers.reduce((sum, { live }) => sum + live.size, 0);
  }

  /** An amount of `hundredths` that no other write has, so that a history tells them apart. */
  uniqueAmount(hundredths: number): bigint {
    return BigInt(hundredths) * 1_000_000n + BigInt(++this.#serial % 1_000_000);
  }

  /** The server is at another address now. */
  moveTo(url: string): void {
    for (const saver of this.savers) saver.client = saver.client.at(url);
  }

  /** An apply was answered with this id. Throws Error where another one has it. */
  claim(applyId: number, owner: Term | Saver): void {
    const claimed = this.byApplyId.get(applyId);
    if (claimed !== undefined && claimed !== owner) {
      throw new Error(`applyId ${applyId} was given twice`);
    }
    this.byApplyId.set(applyId, owner);
  }
}

/** The state that agio owes a term at one moment. */
export interface Promised {
  readonly status: number;
  /** The amount in the list; of a closed one, the principal. */
  readonly amount: bigint;
  readonly earned: bigint;
  /** Days that have an entry, from the first on. */
  readonly days: number;
}

/** The term's first day must be known, and its redemption's time if it has one. */
export function promised(term: Term, now: number): Promised {
  const { plan, principal, lockDay, autoRenew, redemption } = term;
  const firstDay = term.firstDay!;
  const rate = rateOf(plan, lockDay);
  const endDay = autoRenew ? Number.POSITIVE_INFINITY : firstDay + lockDay;
  const today = dayOf(now);
  const lastDay = redemption === null ? today : dayOf(redemption.createTime!);
  const days = Math.max(0, Math.min(lastDay, endDay) - firstDay);
  const whole = interestAfter(principal, rate, lockDay) * BigInt(Math.floor(days / lockDay));
  const running = days % lockDay;
  if (redemption === null) {
    const earned = whole + interestAfter(principal, rate, running);
    const status = today >= endDay ? SubscriptionStatus.redeemed : SubscriptionStatus.processing;
    return { status, amount: principal, earned, days };
  }
  // The running term's interest is given up; its paid part comes out of the principal.
  const paid = interestAfter(principal, rate, running - (running % plan.rewardFrequency));
  if (redemption.createTime! + plan.redeemLockHours * HOUR_MS <= now) {
    return { status: SubscriptionStatus.redeemed, amount: principal, earned: whole, days };
  }
  return { status: SubscriptionStatus.redeeming, amount: principal - paid, earned: whole, days };
}

/** The entry of the n-th day of a term, from 0; each term begins without a carry. */
export function promisedEntry({ plan, principal, lockDay }: Term, n: number): bigint {
  const rate = rateOf(plan, lockDay);
  const day = n % lockDay;
  return interestAfter(principal, rate, day + 1) - interestAfter(principal, rate, day);
}
