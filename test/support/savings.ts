// Savings on the small venue of test/support/venue.ts, for tests of the core alone: plans of USDT
// at a ten-thousandth a day, customers who subscribe, and days that end.
import { DAY_MS, dayOf } from '../../src/core/calendar.ts';
import type { CreatePlan, SubscribePlan } from '../../src/core/command.ts';
import { PlanType } from '../../src/core/earn/plan.ts';
import type { Subscription } from '../../src/core/earn/subscription.ts';
import type { CoreEvent } from '../../src/core/event.ts';
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { type Amount, amount } from '../../src/core/units.ts';
import { FLEXIBLE_PLAN } from './plan-terms.ts';
import { USDT, Venue, type VenueOptions } from './venue.ts';

/** The principal that earns one unit a day at RATE. */
export const UNIT_A_DAY = 10_000;

const FLEXIBLE: CreatePlan = {
  ...FLEXIBLE_PLAN,
  assetId: USDT,
  planName: 'savings',
  userAmountMin: amount(1),
  userAmountMax: amount(10 ** 12),
};
/** Terms of thirty days that pay every day, of which one customer may have many. */
export const FIXED = { planType: PlanType.fixed, minLockDay: 30, maxLockDay: 30 } as const;

/** Far more than any test needs. */
const MOST_SLICES = 1_000;

export class Savings extends Venue {
  #references = 0;

  constructor(options: VenueOptions = {}) {
    super({ users: 1, ...options });
  }

  get earn() {
    return this.exchange.state.earn;
  }

  /** A flexible plan without a reserve, except for what `terms` say; returns its planId. */
  offer(terms: Partial<CreatePlan> = {}): number {
    return this.must({ ...FLEXIBLE, ...terms }).planId;
  }

  fund(planId: number, money: number): void {
    const reference = `reserve-${++this.#references}`;
    this.must({ type: 'fundReserve', planId, amount: amount(money), reference });
  }

  apply(planId: number, money: number, more: Partial<SubscribePlan> = {}): Outcome {
    return this.send(subscribePlan(planId, money, more));
  }

  /** Like `apply`, but it must be accepted. */
  subscribe(planId: number, money: number, more: Partial<SubscribePlan> = {}): Subscription {
    const { applyId } = this.must(subscribePlan(planId, money, more));
    return this.earn.subscriptions.find(applyId)!;
  }

  /** Redeems all of it, or so much. */
  redeem({ uid, applyId, principal }: Subscription, money: Amount = principal): void {
    const unsigned = { signature: null, idempotency: null };
    this.must({ type: 'redeemPlan', uid, applyId, amount: money, ...unsigned });
  }

  /** The available balance of user 1. */
  get available(): Amount {
    return this.exchange.state.ledger.balanceOf(1, USDT, AccountCode.available);
  }

  /** Midnight comes, and nothing is done yet. */
  passMidnight(days = 1): void {
    this.time = (dayOf(this.time) + days) * DAY_MS;
  }

  /**
   * Does what is due; returns how many commands it took, and what they did. Throws when it never
   * comes to an end.
   */
  runTimers(): { readonly commands: number; readonly events: CoreEvent[] } {
    const events: CoreEvent[] = [];
    for (let commands = 0; commands < MOST_SLICES; commands++) {
      if (this.exchange.nextTimer > this.time) return { commands, events };
      this.must({ type: 'runTimers' });
      events.push(...this.events);
    }
    throw new Error('the timers never come to an end');
  }
}

const subscribePlan = (
  planId: number,
  money: number,
  more: Partial<SubscribePlan>,
): SubscribePlan => ({
  type: 'subscribePlan',
  uid: 1,
  planId,
  amount: amount(money),
  lockDay: 0,
  autoRenew: false,
  boosterAmount: null,
  applyId: 0,
  signature: null,
  idempotency: null,
  ...more,
});
