// Margins: their exact effect.
import { describe, expect, test } from 'bun:test';
import type { MemberSubscription } from '../../src/sdk/index.ts';
import { effectOf, marginFault, principalIn, totalsOf } from './margin.ts';

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

test('a margin above the rate has a fault with the rate, before the server is asked', () => {
  expect(marginFault('0.0801', '0.08')).toContain('8.00%');
  expect(marginFault('0.08', '0.08')).toBeNull();
  expect(marginFault(null, '0.08')).toBeNull();
});

test('totals count members once, and the margin of ended subscriptions', () => {
  const held = (uid: number, asset: string, principal: string, redemptionStatus: string) =>
    ({ uid, asset, principal, redemptionStatus, marginAllocation: '0.5' }) as MemberSubscription;
  const list = [
    held(1, 'USDT', '10', 'ACTIVE'),
    held(1, 'BTC', '2', 'REDEEMING'),
    held(2, 'USDT', '5.5', 'ACTIVE'),
    held(3, 'USDT', '9', 'REDEEMED'),
  ];
  expect(totalsOf(list)).toEqual({
    members: 2,
    running: 3,
    coins: [
      { asset: 'BTC', principal: '2', margin: '0.5' },
      { asset: 'USDT', principal: '15.5', margin: '1.5' },
    ],
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
