// Proves interest from its entries alone. The days of a subscription have no gap or repetition. The
// entries of a term sum to the exact figure truncated once, and the core's `earned` is their sum.
// It sums exact numerators, so it shares no step with what it checks.
import { assert } from '../assert.ts';
import { dayOf } from '../calendar.ts';
import type { CoreEvent, InterestAccrued, SubscriptionChanged } from '../event.ts';
import type { State } from '../state.ts';
import { amount } from '../units.ts';
import { DAY_DENOMINATOR } from './interest.ts';
import { PlanType } from './plan.ts';
import { SubscriptionStatus } from './subscription.ts';

const DENOMINATOR = BigInt(DAY_DENOMINATOR);

/** One kind of interest of one term: Σ basis × rate, and what the entries came to. */
interface Sum {
  numerator: bigint;
  interest: bigint;
}

interface Tally {
  nextDay: number;
  /** The first day of the present term. */
  startDay: number;
  own: Sum;
  booster: Sum;
  /** The interest of all terms, without those redeemed early. */
  earned: bigint;
  /** `earned` of the last event. */
  said: bigint;
  principal: bigint;
}

export class InterestAudit {
  readonly #subscriptions = new Map<number, Tally>();
  #entries = 0;

  /** Interest entries that were checked, and the subscriptions that they belong to. */
  get entries(): number {
    return this.#entries;
  }
  get subscriptions(): number {
    return this.#subscriptions.size;
  }

  /** Checks what one command did. Throws InvariantError for an entry that is not exact or due. */
  see(events: readonly CoreEvent[]): void {
    for (const event of events) {
      if (event.type === 'interestAccrued') this.#accrued(event);
      else if (event.type === 'subscriptionChanged') this.#changed(event);
    }
  }

  #accrued(entry: InterestAccrued): void {
    const audited = this.#subscriptions.get(entry.applyId);
    const which = `subscription ${entry.applyId}, day ${entry.day}`;
    assert(audited !== undefined, `interest is of a subscription (${which})`);
    assert(entry.day === audited.nextDay, `each day earns once, in order (${which})`);
    audited.nextDay++;
    addTo(audited.own, entry.basis, entry.rate, entry.interest, which);
    addTo(audited.booster, entry.basis, entry.boosterRate, entry.boosterInterest, which);
    audited.earned += BigInt(entry.interest) + BigInt(entry.boosterInterest);
    this.#entries++;
  }

  #changed(event: SubscriptionChanged): void {
    const { applyId, startDay, planType, status } = event;
    let audited = this.#subscriptions.get(applyId);
    if (audited === undefined) {
      audited = {
        nextDay: dayOf(event.createTime) + 1,
        startDay,
        own: nothing(),
        booster: nothing(),
        earned: 0n,
        said: 0n,
        principal: 0n,
      };
      this.#subscriptions.set(applyId, audited);
    }
    const { redeeming, redeemed } = SubscriptionStatus;
    const isOver = status === redeeming || status === redeemed;
    const isEarly = planType !== PlanType.flexible && audited.nextDay < startDay + event.lockDay;
    if (startDay !== audited.startDay) {
      audited.startDay = startDay;
      audited.own = nothing();
      audited.booster = nothing();
    } else if (isOver && isEarly && audited.principal > 0n) {
      // The interest of the term is given up, as far as the principal covers what was paid of it.
      const given = BigInt(event.earned);
      const least = audited.earned - audited.own.interest - audited.booster.interest;
      assert(given >= least && given <= audited.earned, `a forfeit is of one term (${applyId})`);
      audited.earned = given;
    }
    audited.said = BigInt(event.earned);
    audited.principal = BigInt(event.principal);
    if (status === SubscriptionStatus.redeemed) {
      const which = `subscription ${applyId}: ${audited.said}, not ${audited.earned}`;
      assert(audited.said === audited.earned, `what was earned is the sum of its days (${which})`);
    }
  }

  /** Compares with the subscriptions that are still there. Throws InvariantError. */
  finish({ earn }: State): void {
    const { subscriptions } = earn;
    for (let s = subscriptions.after(0); s !== undefined; s = subscriptions.after(s.applyId)) {
      const audited = this.#subscriptions.get(s.applyId);
      const which = `subscription ${s.applyId}`;
      assert(audited !== undefined, `a subscription was opened (${which})`);
      const exact = amount(audited.earned) === s.earned;
      assert(exact, `what was earned is the sum of its days (${which})`);
      const due = s.principal === 0 || s.nextDay <= audited.nextDay;
      assert(due, `no day that is over lacks its interest (${which})`);
    }
  }
}

const nothing = (): Sum => ({ numerator: 0n, interest: 0n });

/** The entries of a term so far are ⌊Σ basis × rate ÷ DAY_DENOMINATOR⌋. */
function addTo(
  sum: Sum,
  basis: number | bigint,
  rate: number,
  interest: number | bigint,
  which: string,
): void {
  sum.numerator += BigInt(basis) * BigInt(rate);
  sum.interest += BigInt(interest);
  assert(sum.interest === sum.numerator / DENOMINATOR, `interest is exact (${which})`);
}
