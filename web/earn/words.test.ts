// Texts for terms, payout intervals and statuses.
import { expect, test } from 'bun:test';
import { PlanType, SubscriptionStatus } from '../../src/sdk/index.ts';
import {
  arrivalFact,
  arrivalWord,
  compoundsOf,
  interestFact,
  rateParts,
  redeemedText,
  rhythmWord,
  statusWord,
  TYPE_CHOICES,
  termWord,
  typeWord,
  waitSentence,
} from './words.ts';

const { flexible, fixed, customized } = PlanType;

test.each([
  [{ planType: flexible }, 'No fixed term'],
  [{ planType: fixed, lockDay: 30 }, '30 days'],
  [{ planType: fixed, lockDay: 1 }, '1 day'],
  [{ planType: customized, minLockDay: 7, maxLockDay: 365 }, '7 to 365 days'],
  [{ planType: customized, minLockDay: 7, maxLockDay: 7 }, '7 days'],
])('the term of %p is %p', (plan, text) => {
  expect(termWord({ lockDay: null, minLockDay: null, maxLockDay: null, ...plan })).toBe(text);
});

test('a plan type has the same name as a choice and elsewhere', () => {
  expect(TYPE_CHOICES.map(({ value }) => value)).toEqual([1, 2, 3]);
  for (const { value, label } of TYPE_CHOICES) expect(typeWord(value)).toBe(label);
});

test.each([
  [1, 30, 'every day'],
  [7, null, 'every 7 days'],
  [29, 30, 'every 29 days'],
  [30, 30, 'at the end of the term'],
  [90, 30, 'at the end of the term'],
])('a payout after %p days in a term of %p is %p', (every, lockDay, text) => {
  expect(rhythmWord(every, lockDay)).toBe(text);
});

test.each([
  [0, 'immediately', ''],
  [1, 'in 1 hour', 'It arrives in your spot balance 1 hour after the request.'],
  [24, 'in 24 hours', 'It arrives in your spot balance 24 hours after the request.'],
])('a lock time of %p h', (lockHours, arrival, wait) => {
  expect(arrivalWord(lockHours)).toBe(arrival);
  expect(arrivalFact(lockHours).value).toBe(arrival);
  if (wait === '') expect(waitSentence(lockHours)).toBe('');
  else expect(waitSentence(lockHours)).toStartWith(wait);
});

test.each([
  [SubscriptionStatus.processing, 86_399_999, 'Starts at the next 00:00 UTC'],
  [SubscriptionStatus.processing, 86_400_000, 'Earning'],
  [SubscriptionStatus.redeeming, 0, 'Redeeming'],
  [SubscriptionStatus.partiallyRedeeming, 0, 'Earning, partly redeeming'],
  [SubscriptionStatus.redeemed, 0, 'Ended'],
])('status %p at %p is %p', (status, now, text) => {
  expect(statusWord({ status, startDate: '86400000' }, now).text).toBe(text);
});

test.each([
  [null, 'Interest', 'credited every day'],
  [true, 'Interest is added', 'every day, to the amount'],
  [false, 'Interest is paid', 'every day'],
])('a plan that compounds (%p) names interest %p', (compounds, name, value) => {
  expect(interestFact('every day', compounds)).toMatchObject({ name, value });
});

test.each([
  [flexible, null, null],
  [flexible, { autoCompound: true }, true],
  [flexible, { autoCompound: false }, false],
  [fixed, null, false],
])('plan type %p with the preview %p compounds: %p', (planType, terms, compounds) => {
  expect(compoundsOf({ plan: { planType }, terms })).toBe(compounds);
});

test.each([
  [flexible, 0, 'Redeemed 1,000.5 USDT. The money is in your spot balance.'],
  [flexible, 24, 'Redeemed 1,000.5 USDT. The money arrives in your spot balance in 24 hours.'],
  [fixed, 1, 'Redeemed early. The money arrives in your spot balance in 1 hour.'],
  [flexible, null, 'Redeemed 1,000.5 USDT.'],
])('a redemption of plan type %p with a lock time of %p h', (planType, lockHours, text) => {
  expect(redeemedText({ planType, amount: '1000.5', coin: 'USDT' }, lockHours)).toBe(text);
});

test('a rate with a booster has two parts', () => {
  expect(rateParts({ apy: '0.1', totalApy: '0.12' })).toBe('10.00% and 2.00% from the booster');
  expect(rateParts({ apy: '0.1', totalApy: '0.1' })).toBeNull();
});
