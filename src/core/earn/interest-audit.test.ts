// The audit of interest accepts the core's events, and rejects any history in which a day was lost,
// doubled or changed.
import { describe, expect, test } from 'bun:test';
import { FIXED, Savings } from '../../../test/support/savings.ts';
import { InvariantError } from '../assert.ts';
import type { CoreEvent, InterestAccrued } from '../event.ts';
import { amount } from '../units.ts';
import { InterestAudit } from './interest-audit.ts';

/** Thirty-five days of a fixed subscription that renews, redeemed early in its fourth term. */
function history(): { savings: Savings; events: CoreEvent[] } {
  const savings = new Savings();
  const terms = { ...FIXED, minLockDay: 10, maxLockDay: 10, rewardFrequency: 3 };
  const planId = savings.offer({ ...terms, supportAutoRenew: true });
  savings.fund(planId, 10 ** 15);
  const subscription = savings.subscribe(planId, 1_234_567_891, { autoRenew: true });
  const events: CoreEvent[] = [...savings.events];
  for (let day = 0; day < 35; day++) {
    savings.passMidnight();
    events.push(...savings.runTimers().events);
  }
  savings.redeem(subscription);
  events.push(...savings.events);
  return { savings, events };
}

function audit(events: readonly CoreEvent[], { exchange }: Savings): InterestAudit {
  const found = new InterestAudit();
  found.see(events);
  found.finish(exchange.state);
  return found;
}

const isEntry = (event: CoreEvent): event is InterestAccrued => event.type === 'interestAccrued';
const more = (entry: InterestAccrued, units: bigint): InterestAccrued => ({
  ...entry,
  interest: amount(BigInt(entry.interest) + units),
});

describe('the audit of interest', () => {
  test('accepts every term of a renewed and early redeemed subscription', () => {
    const { savings, events } = history();
    const { entries, subscriptions } = audit(events, savings);
    expect({ entries, subscriptions }).toEqual({ entries: 34, subscriptions: 1 });
  });

  test.each<[string, (first: InterestAccrued, second: InterestAccrued) => CoreEvent[]]>([
    ['a lost day', (_, second) => [second]],
    ['a doubled day', (first, second) => [first, first, second]],
    ['a unit too much', (first, second) => [more(first, 1n), second]],
    ['a unit moved to the next day', (first, second) => [more(first, -1n), more(second, 1n)]],
  ])('rejects %s', (_, change) => {
    const { savings, events } = history();
    const [first, second] = events.filter(isEntry).slice(12, 14);
    const changed = events.flatMap((event) => {
      if (event === first) return change(first, second!);
      return event === second ? [] : [event];
    });
    expect(() => audit(changed, savings)).toThrow(InvariantError);
  });
});
