// Terms that cannot be offered; each field is tried over HTTP in test/contract, and these are what
// only fields together show.
import { expect, test } from 'bun:test';
import { RATE } from '../../../test/support/plan-terms.ts';
import { Savings } from '../../../test/support/savings.ts';
import { PlanType } from './plan.ts';

test('a term of one length has one rate', () => {
  const customized = { planType: PlanType.customized, minLockDay: 10 };
  const savings = new Savings();
  expect(savings.offer({ ...customized, maxLockDay: 10 })).toBe(1);
  expect(savings.offer({ ...customized, maxLockDay: 11, maxRate: RATE + 1 })).toBe(2);
  // There would be no line between the two.
  expect(() => savings.offer({ ...customized, maxLockDay: 10, maxRate: RATE + 1 })).toThrow(
    'createPlan was rejected: invalidTerms',
  );
});
