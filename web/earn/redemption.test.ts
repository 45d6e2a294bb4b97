// The result of a redemption: the example of docs/earn.md, and each kind of loss.
import { describe, expect, test } from 'bun:test';
import { type LedgerEntry, PlanType, RedemptionStatus } from '../../src/sdk/index.ts';
import { earnText } from '../messages/earn.ts';
import {
  creditedOf,
  forfeitedFrom,
  outcomeOf,
  paidOfTerm,
  partHint,
  type Redeeming,
} from './redemption.ts';

const term = { coin: 'USDT', amount: '1000' } as const;

test.each<[string, Pick<Redeeming, 'forfeited' | 'paid'>, readonly string[]]>([
  [
    'an early end takes back paid interest and forfeits unpaid interest',
    { forfeited: '2.25', paid: '1.75' },
    [
      'Amount: 1,000 USDT',
      'Paid interest, taken back: −1.75 USDT',
      'Interest not paid yet: 0.5 USDT',
      'You receive: 998.25 USDT',
      'You lose: 2.25 USDT of interest',
    ],
  ],
  [
    'before the first payout, an early end only forfeits',
    { forfeited: '0.5', paid: '0' },
    [
      'Amount: 1,000 USDT',
      'Interest not paid yet: 0.5 USDT',
      'You receive: 1,000 USDT',
      'You lose: 0.5 USDT of interest',
    ],
  ],
  [
    'after the last payout, an early end only takes back',
    { forfeited: '1.75', paid: '1.75' },
    [
      'Amount: 1,000 USDT',
      'Paid interest, taken back: −1.75 USDT',
      'You receive: 998.25 USDT',
      'You lose: 1.75 USDT of interest',
    ],
  ],
  [
    'on the day of the subscription, an early end costs nothing',
    { forfeited: '0', paid: '0' },
    ['You receive: 1,000 USDT'],
  ],
  [
    'a flexible subscription returns everything',
    { forfeited: null, paid: null },
    ['You receive: 1,000 USDT'],
  ],
  ...[null, '2.26'].map(
    (paid) =>
      [
        `no amount is promised if the paid interest is ${paid}`,
        { forfeited: '2.25', paid },
        [
          'You receive: 1,000 USDT, less the interest that was paid',
          'You lose: 2.25 USDT of interest',
        ],
      ] as [string, Pick<Redeeming, 'forfeited' | 'paid'>, string[]],
  ),
])('%s', (_, interest, lines) => {
  const facts = outcomeOf({ ...term, ...interest });
  expect(facts.map(({ name, value }) => `${name}: ${value}`)).toEqual([...lines]);
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

test('a redemption that takes time says what the amount earns meanwhile', () => {
  const { arrivesAfter, untilThen } = earnText.redeem;
  expect(untilThen).toBe('The amount earns nothing on its way. You cannot undo a redemption.');
  expect(arrivesAfter(48)).toBe(
    `It arrives in your spot balance 48 hours after the request. ${untilThen}`,
  );
});
