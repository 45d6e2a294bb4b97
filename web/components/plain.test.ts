// Sentences of the API without the names of the wire.
import { expect, test } from 'bun:test';
import { plain } from './plain.ts';

test.each([
  ['Invalid field: orderQty. It must be positive.', 'Check the quantity. It must be positive.'],
  [
    'Invalid field: orderId. The instrument does not accept this now.',
    'The instrument does not accept this now.',
  ],
  ['Invalid field: applyId. No such subscription.', 'No such subscription.'],
  ['Invalid field: planName. Too long.', 'Check the plan name. Too long.'],
  ['Insufficient balance.', 'Insufficient balance.'],
])('%p is %p', (sentence, shown) => {
  expect(plain(sentence)).toBe(shown);
});
