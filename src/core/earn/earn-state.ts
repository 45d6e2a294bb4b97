// The state of earn: plans, enterprises, subscriptions, and how far the days are closed.
import { DAY_MS } from '../calendar.ts';
import { integer, type Mutable, record, type ValueOf } from '../codec.ts';
import { Fact, type StateHash } from '../state-hash.ts';
import { type Enterprise, hashEnterprise } from './enterprise.ts';
import { hashPlan, type Plan } from './plan.ts';
import { Redemptions } from './redemptions.ts';
import { Subscriptions } from './subscriptions.ts';

/** The next number of each kind: increasing, below 2^53, never reused. */
export type EarnCounters = Mutable<ValueOf<typeof EARN_COUNTERS>>;

export const EARN_COUNTERS = record({
  applyId: integer,
  redemptionId: integer,
  overdueNo: integer,
});

export class EarnState {
  /** By planId; place 0 is empty. */
  readonly plans: (Plan | undefined)[] = [undefined];
  /** By enterpriseId; place 0 is empty. */
  readonly enterprises: (Enterprise | undefined)[] = [undefined];
  readonly subscriptions: Subscriptions;
  readonly redemptions: Redemptions;
  readonly next: EarnCounters = { applyId: 1, redemptionId: 1, overdueNo: 1 };
  /** The first day that is not closed for every subscription; arbitrary without subscriptions. */
  closingDay = 0;
  /** The last applyId for which it is closed. */
  closedUpTo = 0;
  /** Plans whose reserve got money while subscribers wait for theirs, in order. */
  readonly retrying: number[] = [];

  constructor(hash: StateHash) {
    this.subscriptions = new Subscriptions(hash);
    this.redemptions = new Redemptions(hash);
  }

  /** Nothing is due before this business time (ms): 0 for now, Infinity for never. */
  get nextDue(): number {
    if (this.retrying.length > 0) return 0;
    return Math.min(this.dayEnds, this.redemptions.first?.dueTime ?? Number.POSITIVE_INFINITY);
  }

  /** When the day ends that is closed next; Infinity when nobody earns. */
  get dayEnds(): number {
    if (this.subscriptions.size === 0) return Number.POSITIVE_INFINITY;
    return (this.closingDay + 1) * DAY_MS;
  }

  /** Mixes everything that is not kept incrementally. */
  addTo(hash: StateHash): void {
    for (const plan of this.plans) if (plan !== undefined) hashPlan(hash, plan);
    for (const enterprise of this.enterprises) {
      if (enterprise !== undefined) hashEnterprise(hash, enterprise);
    }
    hash.begin(Fact.earnCounter);
    EARN_COUNTERS.mix(hash, this.next);
    // Without subscriptions these values are arbitrary.
    if (this.subscriptions.size > 0) {
      hash.number(this.closingDay);
      hash.number(this.closedUpTo);
    }
    for (const planId of this.retrying) hash.number(planId);
    hash.add();
  }
}
