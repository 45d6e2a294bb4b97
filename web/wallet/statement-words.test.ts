// The texts of the statement, for every kind of entry that the server writes.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEntry } from '../../src/sdk/index.ts';
import { detailOf, kindWords } from './statement-words.ts';

const ENTRY: LedgerEntry = {
  ...{ entryId: 1, time: 1_795_237_741_983, type: 'trade', asset: 'BTC' },
  ...{ amount: '1', balance: '1', tradeId: null, orderId: null, transferId: null },
  ...{ reference: null, applyId: null },
};

test('every kind that the statement has is said in words', () => {
  const view = readFileSync(join(import.meta.dir, '../../src/views/statement.ts'), 'utf8');
  const block = /const KINDS = \{([^}]*)\}/.exec(view)![1]!;
  const kinds = [...block.matchAll(/(\w+): \d+/g)].map(([, kind]) => kind!);
  expect(kinds).toContain('boosterReturn');
  for (const type of kinds) expect(kindWords({ type, reference: null })).toMatch(/^[A-Z]/);
});

test('play money is told from deposits by its reference', () => {
  const reference = 'faucet-7-USDT-2026-11-21';
  expect(kindWords({ type: 'credit', reference })).toBe('Test money');
  expect(kindWords({ type: 'credit', reference: 'wire-1' })).toBe('Deposit');
  expect(kindWords({ type: 'staking', reference: null })).toBe('staking');
});

test('what an entry belongs to, with the way to it where it has a page', () => {
  expect(detailOf({ ...ENTRY, orderId: 5, tradeId: 9 })).toEqual({ text: 'Order 5, trade 9' });
  expect(detailOf({ ...ENTRY, applyId: '3' })).toEqual({
    text: 'Subscription 3',
    href: '/earn/subscriptions/3',
  });
  const transfer = { ...ENTRY, transferId: 4 };
  expect(detailOf({ ...transfer, reference: 'wire-1' })?.text).toBe('Reference wire-1');
  expect(detailOf({ ...transfer, reference: 'faucet-7-BTC-2026-11-21' })?.text).toBe('Transfer 4');
  expect(detailOf(ENTRY)).toBeNull();
});
