// The result of a redemption: the example of docs/earn.md, and each kind of loss.
import { describe, expect, test } from 'bun:test';
import { type LedgerEntry, PlanType, RedemptionStatus } from '../../src/sdk/index.ts';
import { creditedOf, forfeitedFrom, outcomeOf, paidOfTerm, partHint } from './redemption.ts';

const term = { coin: 'USDT', amount: '1000' } as const;

test.each([
  [
    'takes back paid interest and forfeits unpaid interest',
    { forfeited: '2.25', paid: '1.75' },
    'You receive 998.25 of 1,000 USDT: 1.75 of paid interest is taken back, and 0.5 of unpaid ' +
      'interest is forfeited.',
  ],
  [
    'before the first payout only forfeits',
    { forfeited: '0.5', paid: '0' },
    'You receive 1,000 of 1,000 USDT: 0.5 of unpaid interest is forfeited.',
  ],
  [
    'after the last payout only takes back',
    { forfeited: '1.75', paid: '1.75' },
    'You receive 998.25 of 1,000 USDT: 1.75 of paid interest is taken back.',
  ],
  [
    'on the day of the subscription costs nothing',
    { forfeited: '0', paid: '0' },
    'You receive 1,000 USDT. Nothing is lost.',
  ],
  ...[null, '2.26'].map(
    (paid) =>
      [
        `promises no amount if the paid interest is ${paid}`,
        { forfeited: '2.25', paid },
        'The term ends early and forfeits its 2.25 USDT of interest: the paid part is taken back ' +
          'from the 1,000 USDT.',
      ] as const,
  ),
])('an early end %s', (_, interest, sentence) => {
  expect(outcomeOf({ ...term, ...interest })).toBe(sentence);
});

test('a flexible subscription returns everything', () => {
  expect(outcomeOf({ ...term, forfeited: null, paid: null })).toBe(
    'You receive 1,000 USDT. You keep its interest; it does not earn today.',
  );
});

const entry = (type: string, amount: string, applyId: string, time = 200) =>
  ({ type, amount, applyId, time }) as LedgerEntry;

test('a term has paid its own interest since its first day', () => {
  const entries = [
    entry('interest', '1.4', '7', 300),
    entry('interest', '0.35', '7'),
    entry('interest', '9', '8'),
    entry('subscription', '-9', '7'),
    // Paid by the previous term, at the midnight that started this one.
    entry('interest', '5', '7', 100),
  ];
  expect(paidOfTerm(entries, { applyId: '7', startDate: '100' })).toBe('1.75');
});

describe('a term that ended early', () => {
  const credited = RedemptionStatus.credited;
  const redemption = { amount: '200', createTime: '5', redeemLockTime: 0, status: credited };
  const early = { planType: PlanType.fixed, startDate: '100', redeemHistories: [redemption] };

  test('forfeits its interest from its first day on', () => {
    expect(forfeitedFrom(early)).toBe(100);
    expect(forfeitedFrom({ ...early, redeemHistories: [] })).toBeNull();
    expect(forfeitedFrom({ ...early, planType: PlanType.flexible })).toBeNull();
  });

  test('credits its amount less the interest that the statement took back', () => {
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

test('a part is at most all, with the decimals of the coin', () => {
  expect(partHint('9', '1.5', 'BTC', 8)?.use).toBe('1.5');
  expect(partHint('0.123456789', '1.5', 'BTC', 8)?.use).toBe('0.12345678');
  expect(partHint('0', '1.5', 'BTC', 8)).not.toBeNull();
  expect(partHint('1.5', '1.5', 'BTC', 8)).toBeNull();
  expect(partHint('', '1.5', 'BTC', 8)).toBeNull();
});
