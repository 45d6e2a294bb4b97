// Withdrawals of income: whose an account is in words, and what the form comes to.
import { describe, expect, test } from 'bun:test';
import type { Income, ListedAsset } from '../../../src/sdk/index.ts';
import { claimText, ownerText, parseWithdrawal } from './income.ts';

const assets: readonly ListedAsset[] = [{ assetId: 0, asset: 'USDT', scale: 6, fiat: false }];
const fees: Income = {
  account: 'feeRevenue',
  planId: null,
  enterpriseId: null,
  asset: 'USDT',
  balance: '12.5',
  withdrawable: '12.5',
};
const reserve: Income = { ...fees, account: 'reserve', planId: '3', withdrawable: '10' };
const margin: Income = { ...fees, account: 'enterpriseMargin', enterpriseId: 1 };
const names = { plans: new Map([['3', 'Savings']]), enterprises: new Map<number, string>() };

test('an account is named by whose it is', () => {
  expect(ownerText(fees, names)).toBe('Trading fees');
  expect(ownerText(reserve, names)).toBe('Reserve of plan 3 · Savings');
  expect(ownerText(margin, names)).toBe('Margins of 1');
});

test('what stays is explained', () => {
  expect(claimText(fees)).toBeNull();
  expect(claimText(reserve)).toStartWith('2.5 is interest');
  expect(claimText({ ...margin, withdrawable: '0' })).toStartWith('12.5 would go back');
});

describe('the form', () => {
  const values = { amount: '1.50', reference: ' fees-1 ' };

  test('is a request that names the owner', () => {
    const body = { asset: 'USDT', amount: '1.5', reference: 'fees-1' };
    expect(parseWithdrawal(values, fees, assets)).toEqual({
      ok: true,
      body: { account: 'feeRevenue', ...body },
    });
    expect(parseWithdrawal(values, reserve, assets)).toEqual({
      ok: true,
      body: { account: 'reserve', planId: '3', ...body },
    });
  });

  test('takes no more than can be withdrawn', () => {
    expect(parseWithdrawal({ ...values, amount: '10' }, reserve, assets).ok).toBe(true);
    expect(parseWithdrawal({ ...values, amount: '10.000001' }, reserve, assets)).toEqual({
      ok: false,
      faults: { amount: 'Enter at most 10 USDT.' },
    });
  });
});
