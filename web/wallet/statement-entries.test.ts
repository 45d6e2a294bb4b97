// The rows of a statement, and the texts for every kind of entry that the server writes.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEntry } from '../../src/sdk/index.ts';
import { detailOf, kindText, rowsOf } from './statement-entries.ts';

let next = 100;
const entry = (type: string, amount: string, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ entryId: next--, time: 1_795_237_741_983, type, asset: 'USDT', amount },
  ...{ balance: '50', tradeId: null, orderId: null, transferId: null, reference: null },
  ...{ applyId: '3', ...more },
});

test('interest that joins the plan is one row, and the balance stays', () => {
  const paid = entry('interest', '0.5', { balance: '50.5' });
  const { rows, last } = rowsOf([entry('subscription', '-0.5'), paid], 25);
  expect(rows).toEqual([{ entry: { ...paid, balance: '50' }, isCompounded: true }]);
  expect(last).toBe(paid.entryId);
});

test.each([
  ['of another subscription', entry('interest', '0.5', { applyId: '4' })],
  ['of another amount', entry('interest', '0.6')],
  ['of another time', entry('interest', '0.5', { time: 1_795_237_741_984 })],
  ['of another asset', entry('interest', '0.5', { asset: 'BTC' })],
  ['of another type', entry('redemption', '0.5')],
])('a subscription and an entry %s are two rows', (_, other) => {
  const { rows } = rowsOf([entry('subscription', '-0.5'), other], 25);
  expect(rows.map(({ isCompounded }) => isCompounded)).toEqual([false, false]);
});

test('a page does not split a pair, and the next one begins below it', () => {
  const [first, taken, paid] = [
    entry('credit', '1'),
    entry('subscription', '-0.5'),
    entry('interest', '0.5'),
  ];
  const page = rowsOf([first, taken, paid], 2);
  expect(page.rows).toHaveLength(2);
  expect(page.last).toBe(paid.entryId);
  const plain = rowsOf([first, entry('credit', '2'), entry('credit', '3')], 2);
  expect(plain.rows).toHaveLength(2);
  expect(rowsOf([], 25)).toEqual({ rows: [], last: null });
});

test('every kind of the statement has a text', () => {
  const view = readFileSync(join(import.meta.dir, '../../src/views/statement.ts'), 'utf8');
  const block = /const KINDS = \{([^}]*)\}/.exec(view)![1]!;
  const kinds = [...block.matchAll(/(\w+): \d+/g)].map(([, kind]) => kind!);
  expect(kinds).toContain('boosterReturn');
  for (const type of kinds) expect(kindText({ type, reference: null })).toMatch(/^[A-Z]/);
});

test.each([
  ['credit', 'faucet-7-USDT-2026-11-21', 'Test money'],
  ['credit', 'wire-1', 'Deposit'],
  ['staking', null, 'staking'],
])('the kind of %p with reference %p is %p', (type, reference, text) => {
  expect(kindText({ type, reference })).toBe(text);
});

test.each([
  [{ orderId: 5, tradeId: 9 }, { text: 'Order 5, trade 9' }],
  [{ orderId: 5 }, { text: 'Order 5' }],
  [{ applyId: '3' }, { text: 'Subscription 3', href: '/earn/subscriptions/3' }],
  [{ transferId: 4, reference: 'wire-1' }, { text: 'Reference wire-1' }],
  [{ transferId: 4, reference: 'faucet-7-BTC-2026-11-21' }, { text: 'Transfer 4' }],
  [{}, null],
])('the detail of %p is %p', (more, detail) => {
  expect(detailOf(entry('trade', '1', { applyId: null, ...more }))).toEqual(detail);
});
