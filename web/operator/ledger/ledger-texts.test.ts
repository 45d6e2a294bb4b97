// The ledger in words: owners of accounts, what stays in them, and the effect of a transfer.
import { describe, expect, test } from 'bun:test';
import type { Balance, Income, User } from '../../../src/sdk/index.ts';
import { claimText, ownerText, transferSentences } from './ledger-texts.ts';

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

test('an account has the name of its owner', () => {
  expect(ownerText(fees, names)).toBe('Trading fees');
  expect(ownerText(reserve, names)).toBe('Reserve of plan 3 · Savings');
  expect(ownerText(margin, names)).toBe('Margins of 1');
});

test('the panel explains what cannot be withdrawn', () => {
  expect(claimText(fees)).toBeNull();
  expect(claimText(reserve)).toStartWith('2.5 is interest');
  expect(claimText({ ...margin, withdrawable: '0' })).toStartWith('12.5 would go back');
});

describe('the effect of a transfer', () => {
  const transfer = { uid: 7, asset: 'USDT', amount: '0.1', reference: 'wire-1' };
  const user = { uid: 7, email: 'ada@example.com' } as User;
  const balances = [{ asset: 'USDT', available: '0.2' }] as unknown as readonly Balance[];

  test.each([
    ['credit', balances, 'Available now: 0.2 USDT. Afterwards: 0.3 USDT.'],
    ['debit', balances, 'Available now: 0.2 USDT. Afterwards: 0.1 USDT.'],
    ['credit', [], 'Available now: 0 USDT. Afterwards: 0.1 USDT.'],
  ] as const)('a %s shows the balance afterwards', (direction, held, sentence) => {
    expect(transferSentences(direction, transfer, user, held)).toContain(sentence);
  });

  test('says nothing about a balance that is unknown', () => {
    const sentences = transferSentences('debit', transfer, user, undefined);
    expect(sentences.join(' ')).not.toContain('Available');
    expect(sentences[0]).toContain('ada@example.com (user 7)');
  });
});
