// Margins: parsing, and their exact effect.
import { describe, expect, test } from 'bun:test';
import type { MemberSubscription } from '../../src/sdk/index.ts';
import { effectOf, principalIn, readMargin } from './margin.ts';

describe('a typed margin', () => {
  test('is a percentage from 0 to the plan’s rate', () => {
    expect(readMargin('0', '0.06')).toEqual({ margin: '0', fault: null });
    expect(readMargin('0.5', '0.06').margin).toBe('0.005');
    expect(readMargin('6', '0.06').margin).toBe('0.06');
  });

  test('above the rate is told the rate', () => {
    expect(readMargin('6.000001', '0.06')).toMatchObject({ margin: null, use: '6' });
  });

  test('has at most the digits of a rate', () => {
    expect(readMargin('1.123456', '0.06').margin).toBe('0.01123456');
    expect(readMargin('1.1234567', '0.06').margin).toBeNull();
  });

  test('is none yet where nothing was typed', () => {
    expect(readMargin('', '0.06')).toEqual({ margin: null, fault: null });
    expect(readMargin('-1', '0.06').fault).not.toBeNull();
  });
});

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

test('what members have in a plan leaves out other plans and what is over', () => {
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
