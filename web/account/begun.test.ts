// A registration or reset after a reload.
import { expect, test } from 'bun:test';
import { type Begun, keepBegun, readBegun } from './begun.ts';

const begun: Begun = { email: 'ada@example.com', ticket: 't', sentAt: 1_000 };

test('is there as long as its code is valid', () => {
  let kept: string | null = null;
  const place = {
    set: (value: string | null) => {
      kept = value;
    },
  };
  keepBegun(place, begun);
  expect(readBegun(kept, 2_000)).toEqual(begun);
  expect(readBegun(kept, 1_000 + 600_000)).toBeNull();
  keepBegun(place, null);
  expect(readBegun(kept, 2_000)).toBeNull();
});
