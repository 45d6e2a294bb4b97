// Credits and debits: what the form comes to, and how a repeated reference is told.

import { describe, expect, test } from 'bun:test';
import type { Balance, ListedAsset, User } from '../../../src/sdk/index.ts';
import { availableAfter, isRepeat, parseTransfer, type TransferContext } from './transfer.ts';

const user = { uid: 7, email: 'ada@example.com' } as User;
const assets: readonly ListedAsset[] = [{ assetId: 0, asset: 'USDT', scale: 6, fiat: false }];
const balances = [{ asset: 'USDT', available: '12.5' }] as unknown as readonly Balance[];
const context: TransferContext = { direction: 'credit', user, assets, balances };
const values = { asset: 'USDT', amount: '100.50', reference: ' wire-1 ' };

describe('the form', () => {
  test('is a request with amounts as text', () => {
    expect(parseTransfer(values, context)).toEqual({
      ok: true,
      body: { uid: 7, asset: 'USDT', amount: '100.5', reference: 'wire-1' },
    });
  });

  test('a debit takes no more than is available', () => {
    const debit = { ...context, direction: 'debit' } as const;
    expect(parseTransfer({ ...values, amount: '12.5' }, debit).ok).toBe(true);
    expect(parseTransfer({ ...values, amount: '12.500001' }, debit)).toEqual({
      ok: false,
      faults: {
        amount: 'Only 12.5 USDT is available. Money in orders and Earn cannot be debited.',
      },
    });
    const ofNothing = parseTransfer({ ...values, amount: '1' }, { ...debit, balances: [] });
    expect(ofNothing.ok).toBe(false);
  });

  test('an amount finer than the asset is refused', () => {
    expect(parseTransfer({ ...values, amount: '1.1234567' }, context)).toEqual({
      ok: false,
      faults: { amount: 'USDT has 6 decimals. Enter 1.123456, for example.' },
    });
  });

  test('everything has to be said', () => {
    const nothing = { asset: '', amount: '', reference: '' };
    const checked = parseTransfer(nothing, { ...context, user: null, assets: [] });
    expect(checked.ok ? [] : Object.keys(checked.faults).sort()).toEqual([
      'amount',
      'asset',
      'reference',
      'user',
    ]);
  });
});

test('the balance afterwards', () => {
  expect(availableAfter('credit', '0.1', '0.2')).toBe('0.3');
  expect(availableAfter('debit', '0.1', '0.2')).toBe('0.1');
  expect(availableAfter('debit', '0.1', null)).toBeNull();
});

test('a transfer from before the request has moved nothing now', () => {
  expect(isRepeat(81, { transferId: 52, seq: 82 })).toBe(false);
  expect(isRepeat(82, { transferId: 52, seq: 82 })).toBe(true);
});
