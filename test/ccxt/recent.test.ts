// The newest rows of a channel, and how many are new.
import { expect, test } from 'bun:test';
import { Recent } from '../../src/ccxt/recent.ts';

interface Row {
  readonly id: number;
  readonly symbol: string;
}

const LIMIT = 5;
const make = () =>
  new Recent<Row>({
    limit: LIMIT,
    identity: ({ id }) => id,
    symbolOf: ({ symbol }) => symbol,
    moves: true,
  });

test('the news are at most the rows, and memory does not grow', () => {
  const held: WeakRef<object>[] = [];
  const recent = new Recent<{ readonly key: object }>({
    limit: LIMIT,
    identity: ({ key }) => key,
    symbolOf: () => 'A/B',
    moves: true,
  });
  for (let i = 0; i < 1000; i++) {
    const key = { i };
    held.push(new WeakRef(key));
    recent.append({ key });
  }
  // All rows are read, those of the pair never.
  expect(recent.getLimit(undefined, undefined)).toBe(LIMIT);
  expect(recent.getLimit('A/B', undefined)).toBe(LIMIT);
  expect(recent).toHaveLength(LIMIT);
  return new Promise<void>((resolve) => {
    setTimeout(() => {
      Bun.gc(true);
      const kept = held.filter((ref) => ref.deref() !== undefined).length;
      expect(kept).toBeLessThan(500);
      resolve();
    }, 0);
  });
});

test('news are counted from the last read', () => {
  const recent = make();
  for (const id of [1, 2, 3]) recent.append({ id, symbol: id === 2 ? 'C/D' : 'A/B' });
  expect(recent.getLimit('A/B', undefined)).toBe(2);
  expect(recent.getLimit(undefined, 2)).toBe(2);
  recent.append({ id: 3, symbol: 'A/B' });
  expect(recent.getLimit('A/B', undefined)).toBe(1);
  expect(recent.getLimit('C/D', undefined)).toBe(1);
});
