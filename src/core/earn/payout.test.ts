// Paying interest at the borders: a pool that is filled to the last unit, a reserve that is funded
// again before anybody was paid, and a term that ends while its interest is overdue.
import { describe, expect, test } from 'bun:test';
import { FIXED, Savings, UNIT_A_DAY } from '../../../test/support/savings.ts';
import { checkInvariants } from '../invariants.ts';
import { add, amount, subtract } from '../units.ts';

describe('interest is added to the principal', () => {
  /** The principal and the payout after a day with a unit of interest. */
  function afterADay(terms: object): { principal: unknown; paid: unknown } {
    const savings = new Savings();
    const planId = savings.offer({ autoCompound: true, ...terms });
    savings.fund(planId, 1_000);
    const subscription = savings.subscribe(planId, UNIT_A_DAY);
    const before = savings.available;
    savings.passMidnight(2);
    savings.runTimers();
    checkInvariants(savings.exchange.state);
    return { principal: subscription.principal, paid: subtract(savings.available, before) };
  }
  const joined = { principal: amount(UNIT_A_DAY + 1), paid: amount(0) };
  const paidOut = { principal: amount(UNIT_A_DAY), paid: amount(1) };

  test('up to the last unit of the pool, and is paid out beyond', () => {
    expect(afterADay({ poolCapacity: amount(UNIT_A_DAY + 1) })).toEqual(joined);
    expect(afterADay({ poolCapacity: amount(UNIT_A_DAY) })).toEqual(paidOut);
    expect(afterADay({ poolCapacity: null })).toEqual(joined);
  });

  test('up to what a customer may have, and is paid out beyond', () => {
    expect(afterADay({ userAmountMax: amount(UNIT_A_DAY + 1) })).toEqual(joined);
    expect(afterADay({ userAmountMax: amount(UNIT_A_DAY) })).toEqual(paidOut);
  });
});

/** A plan that owes its subscriber a day, and has nothing. */
function owing(terms = {}) {
  const savings = new Savings();
  const planId = savings.offer({ ...FIXED, ...terms });
  const subscription = savings.subscribe(planId, UNIT_A_DAY);
  savings.passMidnight(2);
  savings.runTimers();
  expect(subscription.overdueNo).toBe(1);
  return { savings, planId, subscription };
}

describe('overdue interest', () => {
  test('is tried once for a reserve that is funded several times before', () => {
    const { savings, planId, subscription } = owing();
    const before = savings.available;
    savings.fund(planId, 1);
    savings.fund(planId, 1);
    expect(savings.earn.retrying).toEqual([planId]);
    expect(savings.exchange.nextTimer).toBe(0);
    savings.runTimers();
    expect(savings.earn.retrying).toEqual([]);
    expect([subscription.overdueNo, subscription.accrued]).toEqual([0, amount(0)]);
    expect(savings.available).toBe(add(before, amount(1)));
  });

  test('plans are tried in the order in which they were funded', () => {
    const { savings, planId } = owing();
    const other = savings.offer(FIXED);
    savings.subscribe(other, UNIT_A_DAY);
    savings.passMidnight(2);
    savings.runTimers();
    for (const each of [other, planId, other]) savings.fund(each, 100);
    expect(savings.earn.retrying).toEqual([other, planId]);
  });

  test('a reserve that is funded where nobody waits has nothing to do', () => {
    const savings = new Savings();
    const planId = savings.offer(FIXED);
    savings.subscribe(planId, UNIT_A_DAY);
    savings.fund(planId, 100);
    expect(savings.earn.retrying).toEqual([]);
  });
});
