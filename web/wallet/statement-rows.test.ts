// The rows of a statement: a compounded payout is one row.

import { expect, test } from 'bun:test';
import type { LedgerEntry } from '../../src/sdk/index.ts';
import { rowsOf } from './statement-rows.ts';

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

test('a subscription and interest that have nothing to do with each other are two', () => {
  const taken = entry('subscription', '-0.5');
  for (const other of [
    entry('interest', '0.5', { applyId: '4' }),
    entry('interest', '0.6'),
    entry('interest', '0.5', { time: 1_795_237_741_984 }),
    entry('interest', '0.5', { asset: 'BTC' }),
    entry('redemption', '0.5'),
  ]) {
    expect(rowsOf([taken, other], 25).rows.map(({ isCompounded }) => isCompounded)).toEqual([
      false,
      false,
    ]);
  }
});

test('a page does not cut a pair in two, and the next one begins below it', () => {
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
