// The newest items of a stream are bounded in bytes, not in number.
import { expect, test } from 'bun:test';
import { Newest } from './newest.ts';

test('the newest items stay within the bytes, and the newest one stays in any case', () => {
  const newest = new Newest<number>(100);
  for (let n = 1; n <= 30; n++) newest.push(n, 10);
  expect(newest.items).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
  newest.push(31, 95);
  expect(newest.items).toEqual([31]);
  newest.push(32, 1_000);
  expect(newest.items).toEqual([32]);
  newest.push(33, 1);
  expect(newest.items).toEqual([33]);
});
