// Some seconds of the soak, with every test run; `npm run soak -- --minutes 10` is the long one.
import { expect, test } from 'bun:test';
import { soakBooks } from './book-soak.ts';

const SECONDS = 5;

test('books equal those of REST', async () => {
  const report = await soakBooks(SECONDS, 1);
  expect(report.messages).toBeGreaterThan(100);
  expect(report.reconnects).toBeGreaterThan(0);
  expect(report.gaps).toBeGreaterThan(0);
  expect(report.compared).toBeGreaterThan(50);
});
