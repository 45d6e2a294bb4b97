// Texts for terms, payout intervals and statuses.
import { describe, expect, test } from 'bun:test';
import { PlanType, SubscriptionStatus } from '../../src/sdk/index.ts';
import {
  arrivalFact,
  arrivalWord,
  compoundsOf,
  interestFact,
  rateParts,
  redeemedWords,
  rhythmWord,
  statusWord,
  TYPE_CHOICES,
  termWord,
  typeWord,
  waitSentence,
} from './words.ts';

describe('terms', () => {
  const none = { lockDay: null, minLockDay: null, maxLockDay: null };

  test('of each kind of plan', () => {
    expect(termWord({ ...none, planType: PlanType.flexible })).toBe('No fixed term');
    expect(termWord({ ...none, planType: PlanType.fixed, lockDay: 30 })).toBe('30 days');
    expect(termWord({ ...none, planType: PlanType.fixed, lockDay: 1 })).toBe('1 day');
    expect(
      termWord({ planType: PlanType.customized, lockDay: null, minLockDay: 7, maxLockDay: 365 }),
    ).toBe('7 to 365 days');
    expect(
      termWord({ planType: PlanType.customized, lockDay: null, minLockDay: 7, maxLockDay: 7 }),
    ).toBe('7 days');
  });
});

test('a kind of plan has one name, where it is chosen and where it is told', () => {
  expect(TYPE_CHOICES.map(({ value }) => value)).toEqual([1, 2, 3]);
  for (const { value, label } of TYPE_CHOICES) expect(typeWord(value)).toBe(label);
});

describe('rhythm', () => {
  test('daily, in periods, and at the end where no period fits into the term', () => {
    expect(rhythmWord(1, 30)).toBe('every day');
    expect(rhythmWord(7, null)).toBe('every 7 days');
    expect(rhythmWord(30, 30)).toBe('at the end of the term');
    expect(rhythmWord(90, 30)).toBe('at the end of the term');
    expect(rhythmWord(29, 30)).toBe('every 29 days');
  });

  test('arrival', () => {
    expect(arrivalWord(0)).toBe('immediately');
    expect(arrivalWord(1)).toBe('in 1 hour');
    expect(arrivalWord(24)).toBe('in 24 hours');
    expect(arrivalFact(24).value).toBe('in 24 hours');
  });

  test('a wait is said where there is one', () => {
    expect(waitSentence(0)).toBe('');
    expect(waitSentence(1)).toStartWith('It arrives in your spot balance 1 hour after');
  });
});

describe('status', () => {
  const startDate = '86400000';
  const word = (status: SubscriptionStatus, now: number) =>
    statusWord({ status, startDate }, now).text;

  test('earns from its first day on, not before', () => {
    expect(word(SubscriptionStatus.processing, 86_399_999)).toBe('Starts at the next 00:00 UTC');
    expect(word(SubscriptionStatus.processing, 86_400_000)).toBe('Earning');
  });

  test('redemptions and the end', () => {
    expect(word(SubscriptionStatus.redeeming, 0)).toBe('Redeeming');
    expect(word(SubscriptionStatus.partiallyRedeeming, 0)).toBe('Earning, partly redeeming');
    expect(word(SubscriptionStatus.redeemed, 0)).toBe('Ended');
  });
});

describe('interest', () => {
  test('is only said to be paid or added where that is known', () => {
    expect(interestFact('every day', null)).toMatchObject({
      name: 'Interest',
      value: 'credited every day',
    });
    expect(interestFact('every day', true).value).toBe('every day, to the amount');
    expect(interestFact('every day', false)).toEqual({
      name: 'Interest is paid',
      value: 'every day',
    });
  });

  test('of a flexible plan is what its preview says, and a term never compounds', () => {
    const plan = { planType: PlanType.flexible } as const;
    expect(compoundsOf({ plan, terms: null })).toBeNull();
    expect(compoundsOf({ plan, terms: { autoCompound: true } })).toBe(true);
    expect(compoundsOf({ plan, terms: { autoCompound: false } })).toBe(false);
    expect(compoundsOf({ plan: { planType: PlanType.fixed }, terms: null })).toBe(false);
  });
});

test('a redemption without a lock time has arrived; with one it is said when it does', () => {
  const part = { planType: PlanType.flexible, amount: '1000.5', coin: 'USDT' } as const;
  expect(redeemedWords(part, 0)).toBe('Redeemed 1,000.5 USDT. The money is in your spot balance.');
  expect(redeemedWords(part, 24)).toBe(
    'Redeemed 1,000.5 USDT. The money arrives in your spot balance in 24 hours.',
  );
  expect(redeemedWords({ ...part, planType: PlanType.fixed }, 1)).toBe(
    'Redeemed early. The money arrives in your spot balance in 1 hour.',
  );
  expect(redeemedWords(part, null)).toBe('Redeemed 1,000.5 USDT.');
});

test('the rate that accrues is said with its parts where a booster adds to it', () => {
  expect(rateParts({ apy: '0.1', totalApy: '0.12' })).toBe('10.00% and 2.00% from the booster');
  expect(rateParts({ apy: '0.1', totalApy: '0.1' })).toBeNull();
});
