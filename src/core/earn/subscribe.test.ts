// The recommendation of a rejection where no value would be accepted. The rules themselves are in
// docs/earn.md and the model.
import { expect, test } from 'bun:test';
import { FIXED, Savings } from '../../../test/support/savings.ts';
import { BTC, USDT } from '../../../test/support/venue.ts';
import type { Outcome } from '../outcome.ts';
import { amount, RATE_ONE } from '../units.ts';

const nearestOf = (outcome: Outcome) => {
  if (outcome.ok) throw new Error('it was accepted');
  return { name: outcome.reject.name, nearest: outcome.reject.nearest };
};
const money = (assetId: number, n: number) => ({ unit: 'amount', assetId, n: amount(n) });

test('the room of a pool is named when a customer may subscribe so little', () => {
  for (const [room, nearest] of [
    [10, money(USDT, 10)],
    [9, null],
    [0, null],
  ] as const) {
    const savings = new Savings({ users: 2 });
    const planId = savings.offer({ userAmountMin: amount(10), poolCapacity: amount(100 + room) });
    savings.subscribe(planId, 100, { uid: 2 });
    expect<unknown>(nearestOf(savings.apply(planId, 11))).toEqual({ name: 'poolFull', nearest });
  }
});

test('what a customer has of the booster’s coin is named when it is enough of a booster', () => {
  // One unit of BTC for each of USDT.
  const booster = { assetId: BTC, ratio: RATE_ONE, rate: 1 };
  for (const [has, nearest] of [
    [10, money(BTC, 10)],
    [9, null],
    [0, null],
  ] as const) {
    const savings = new Savings();
    const uid = savings.addUser(amount(has), amount(10));
    const planId = savings.offer({ ...FIXED, booster });
    const outcome = savings.apply(planId, 10, { uid, boosterAmount: amount(11) });
    expect<unknown>(nearestOf(outcome)).toEqual({ name: 'earnBalance', nearest });
  }
});

test('what a customer has is named when it is anything', () => {
  for (const [has, nearest] of [
    [3, money(USDT, 3)],
    [0, null],
  ] as const) {
    const savings = new Savings();
    const uid = savings.addUser(amount(0), amount(has));
    const outcome = savings.apply(savings.offer(), 10, { uid });
    expect<unknown>(nearestOf(outcome)).toEqual({ name: 'earnBalance', nearest });
  }
});
