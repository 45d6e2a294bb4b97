// Margins: their exact effect.
import { describe, expect, test } from 'bun:test';
import type { MemberSubscription } from '../../src/sdk/index.ts';
import { effectOf, principalIn } from './margin.ts';

describe('the effect', () => {
  test('is exact on the example', () => {
    expect(effectOf('0.073', '0.01825', '0.0365', '10000')).toEqual({
      before: '0.05475',
      after: '0.0365',
      yearBefore: '547.5',
      yearAfter: '365',
      keptBefore: '182.5',
      keptAfter: '365',
    });
  });

  test('never takes more than the plan pays', () => {
    const { before, keptBefore } = effectOf('0.01', '0.02', '0.005', '10000');
    expect([before, keptBefore]).toEqual(['0', '100']);
  });
});

test('the principal in a plan excludes other plans and redeemed subscriptions', () => {
  const held = (planId: string, principal: string, redemptionStatus: string) =>
    ({ planId, principal, redemptionStatus }) as MemberSubscription;
  const list = [
    held('2', '1000', 'ACTIVE'),
    held('2', '0.5', 'REDEEMING'),
    held('2', '7', 'REDEEMED'),
    held('3', '9', 'ACTIVE'),
  ];
  expect(principalIn(list, '2')).toBe('1000.5');
});
