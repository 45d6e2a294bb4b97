// Some seconds of the soak, with every test run; `npm run soak -- --minutes 10` is the long one.
import { expect, test } from 'bun:test';
import { soakBooks } from './book-soak.ts';

test('books kept from the stream equal those of REST, through gaps and reconnects', async () => {
  const report = await soakBooks(6, 1);
  expect(report.messages).toBeGreaterThan(100);
  expect(report.reconnects).toBeGreaterThan(0);
  expect(report.gaps).toBeGreaterThan(0);
  expect(report.compared).toBeGreaterThan(50);
});
