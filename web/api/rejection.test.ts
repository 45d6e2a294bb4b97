// Sentences of the API without the names of the wire.
import { expect, test } from 'bun:test';
import { inPercent, nearestText, plain } from './rejection.ts';

test.each([
  ['Invalid field: orderQty. It must be positive.', 'Check the quantity. It must be positive.'],
  [
    'Invalid field: orderId. The instrument does not accept this now.',
    'The instrument does not accept this now.',
  ],
  ['Invalid field: applyId. No such subscription.', 'No such subscription.'],
  ['Invalid field: planName. Too long.', 'Check the plan name. Too long.'],
  ['Insufficient balance.', 'Insufficient balance.'],
  [
    'Invalid field: orderQty. Insufficient balance: this order costs 2 USDT; you have 1 USDT.',
    'Insufficient balance: this order costs 2 USDT; you have 1 USDT.',
  ],
])('%p is %p', (sentence, shown) => {
  expect(plain(sentence)).toBe(shown);
});

test('a sentence about a rate speaks percent', () => {
  const details = { field: 'maxApr', limit: '0.05', value: '0.04', nearest: '0.05' };
  const sentence = 'It must not be below 0.05; 0.04 was sent.';
  expect(inPercent(sentence, details, ['maxApr'])).toBe(
    'It must not be below 5.00%; 4.00% was sent.',
  );
  expect(inPercent('At most 1.', { field: 'apr', limit: '1' }, ['apr'])).toBe('At most 100.00%.');
  expect(inPercent(sentence, details, ['apr'])).toBe(sentence);
});

test('the nearest value has its unit and grouped digits', () => {
  expect(nearestText({ field: 'orderQty', nearest: '1234.5', nearestUnit: 'BTC' })).toBe(
    '1,234.5 BTC',
  );
  expect(nearestText({ field: 'lockDay', nearest: '7', nearestUnit: 'days' })).toBe('7 days');
  expect(nearestText({ field: 'makerFee', nearest: '0.05' }, ['makerFee'])).toBe('5.00%');
  expect(nearestText({ field: 'quoteAssetMinOrderSize', nearest: '1000' })).toBe('1,000');
  expect(nearestText({ field: 'asset', nearest: '2026-11-22' })).toBe('2026-11-22');
});
