// Waiting queries against a plain list, and their cost: what a command does not answer, it does not
// look at.
import { expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import { WaitingQueries } from './waiting-queries.ts';

test('those that are ready or expired come in order, each once', () => {
  const random = new Prng(4);
  const queries = new WaitingQueries();
  type One = { minSeq: number; expiresAt: number; run: () => void; reject: () => void };
  let list: One[] = [];
  const rest = (by: 'minSeq' | 'expiresAt', limit: number): One[] => {
    const due = list.filter((one) => one[by] <= limit);
    list = list.filter((one) => one[by] > limit);
    return due.toSorted((a, b) => a[by] - b[by]);
  };
  for (let now = 0; now < 5_000; now++) {
    const one = {
      ...{ minSeq: now + random.below(40), expiresAt: now + random.below(60) },
      ...{ run: () => {}, reject: () => {} },
    };
    queries.add(one);
    list.push(one);
    if (random.oneIn(3)) expect(queries.takeReady(now)).toEqual(rest('minSeq', now));
    if (random.oneIn(3)) expect(queries.takeExpired(now)).toEqual(rest('expiresAt', now));
    expect(queries.size).toBe(list.length);
  }
  expect(queries.takeAll()).toEqual(rest('minSeq', Number.POSITIVE_INFINITY));
  expect(queries.size).toBe(0);
});

test('a command looks at those that it answers, and at one more', () => {
  const queries = new WaitingQueries();
  let looks = 0;
  for (let seq = 1; seq <= 25_000; seq++) {
    queries.add({
      get minSeq() {
        looks++;
        return seq;
      },
      ...{ expiresAt: seq, run: () => {}, reject: () => {} },
    });
  }
  for (let seq = 0; seq < 100; seq++) {
    looks = 0;
    expect(queries.takeReady(seq)).toHaveLength(seq === 0 ? 0 : 1);
    // The heap is lowered by a level of it at a time.
    expect(looks).toBeLessThan(100);
  }
});
