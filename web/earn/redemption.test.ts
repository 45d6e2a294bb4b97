// The result of a redemption: the example of docs/earn.md, and each kind of loss.

import { describe, expect, test } from 'bun:test';
import { type LedgerEntry, PlanType, RedemptionStatus } from '../../src/sdk/index.ts';
import { creditedOf, givenUpFrom, outcomeOf, paidOfTerm, partHint } from './redemption.ts';

const term = { planType: PlanType.fixed, coin: 'USDT', amount: '1000' } as const;

describe('ending a term', () => {
  test('takes back what was paid and gives up what was not', () => {
    expect(outcomeOf({ ...term, forfeited: '2.25', paid: '1.75' })).toEqual({
      back: '998.25',
      sentence:
        'You receive 998.25 of 1,000 USDT: 1.75 of paid interest is taken back, and 0.5 of unpaid interest is forfeited.',
    });
  });

  test('before the first payout only gives up', () => {
    expect(outcomeOf({ ...term, forfeited: '0.5', paid: '0' })).toEqual({
      back: '1000',
      sentence: 'You receive 1,000 of 1,000 USDT: 0.5 of unpaid interest is forfeited.',
    });
  });

  test('where all was paid takes back', () => {
    expect(outcomeOf({ ...term, forfeited: '1.75', paid: '1.75' }).sentence).toBe(
      'You receive 998.25 of 1,000 USDT: 1.75 of paid interest is taken back.',
    );
  });

  test('on the day of subscribing costs nothing', () => {
    expect(outcomeOf({ ...term, forfeited: '0', paid: '0' }).back).toBe('1000');
  });

  test('promises no figure where it is not known what was paid', () => {
    for (const paid of [null, '2.26']) {
      const { back, sentence } = outcomeOf({ ...term, forfeited: '2.25', paid });
      expect(back).toBeNull();
      expect(sentence).toContain('2.25 USDT');
    }
  });
});

test('of a flexible subscription everything comes back', () => {
  const { back } = outcomeOf({ ...term, planType: PlanType.flexible, forfeited: null, paid: null });
  expect(back).toBe('1000');
});

test('what a term has paid is its own interest since its first day', () => {
  const entry = (
    type: string,
    amount: string,
    time: number,
    applyId: string | null,
  ): LedgerEntry => ({
    entryId: 1,
    time,
    type,
    asset: 'USDT',
    amount,
    balance: '0',
    tradeId: null,
    orderId: null,
    transferId: null,
    reference: null,
    applyId,
  });
  const entries = [
    entry('interest', '1.4', 300, '7'),
    entry('interest', '0.35', 200, '7'),
    entry('interest', '9', 200, '8'),
    entry('subscription', '-9', 200, '7'),
    // Paid by the previous term, at the midnight that started this one.
    entry('interest', '5', 100, '7'),
  ];
  expect(paidOfTerm(entries, { applyId: '7', startDate: '100' })).toBe('1.75');
});

describe('a term that was ended early', () => {
  const redemption = {
    amount: '200',
    createTime: '5',
    redeemLockTime: 0,
    status: RedemptionStatus.credited,
  };
  const early = {
    planType: PlanType.fixed,
    startDate: '100',
    redeemHistories: [redemption],
  } as const;

  test('has lost its interest from its first day on', () => {
    expect(givenUpFrom(early)).toBe(100);
    expect(givenUpFrom({ ...early, redeemHistories: [] })).toBeNull();
    expect(givenUpFrom({ ...early, planType: PlanType.flexible })).toBeNull();
  });

  test('brought its amount less what was taken back, as the statement has it', () => {
    const entry = (type: string, amount: string, applyId: string) =>
      ({ type, amount, applyId }) as LedgerEntry;
    const entries = [
      entry('forfeit', '-0.384', '7'),
      entry('redemption', '200', '7'),
      entry('forfeit', '-9', '8'),
    ];
    expect(creditedOf(entries, '7')).toBe('199.616');
    expect(creditedOf(entries.slice(1), '7')).toBe('200');
    expect(creditedOf(entries, '8')).toBeNull();
  });
});

test('a part is at most all, and not finer than the coin', () => {
  expect(partHint('9', '1.5', 'BTC', 8)?.use).toBe('1.5');
  expect(partHint('0.123456789', '1.5', 'BTC', 8)?.use).toBe('0.12345678');
  expect(partHint('0', '1.5', 'BTC', 8)).not.toBeNull();
  expect(partHint('1.5', '1.5', 'BTC', 8)).toBeNull();
  expect(partHint('', '1.5', 'BTC', 8)).toBeNull();
});
