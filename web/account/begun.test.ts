// A registration or reset after a reload.
import { expect, test } from 'bun:test';
import { readBegun } from './begun.ts';

test('waits as long as its code is valid', () => {
  const begun = { email: 'ada@example.com', ticket: 't', sentAt: 1_000 };
  const kept = JSON.stringify(begun);
  expect(readBegun(kept, 2_000)).toEqual(begun);
  expect(readBegun(kept, 1_000 + 600_000)).toBeNull();
  expect(readBegun(null, 2_000)).toBeNull();
});
