// Rate limits against a naive bucket in exact integers, and the bounds of the map.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { RateLimiter } from './rate-limit.ts';

const START = 1763690000000;
const limiter = (quota: number, windowSeconds: number, burst?: number, maxKeys?: number) =>
  new RateLimiter({ name: 'order', quota, windowSeconds, ...(burst ? { burst } : {}) }, maxKeys);

/** Takes until rejected; the number that passed. */
function drain(limit: RateLimiter, key: string, now: number): number {
  let passed = 0;
  while (limit.take(key, now)) passed++;
  return passed;
}

describe('a bucket', () => {
  test('passes the burst immediately, then one for each interval', () => {
    const limit = limiter(10, 1, 25);
    expect(drain(limit, 'a', START)).toBe(25);
    expect(limit.take('a', START + 99)).toBe(false);
    expect(limit.take('a', START + 100)).toBe(true);
    expect(limit.take('a', START + 100)).toBe(false);
    expect(drain(limit, 'a', START + 600)).toBe(5);
    expect(drain(limit, 'a', START + 60_000)).toBe(25);
  });

  test('takes several; more than a bucket holds come out of a full one and leave a debt', () => {
    const limit = limiter(10, 1);
    expect(limit.take('a', START, 8)).toBe(true);
    expect(limit.take('a', START, 5)).toBe(false);
    expect([limit.remaining('a', START), limit.waitSeconds('a', START, 5)]).toEqual([2, 1]);
    expect(limit.take('a', START, 2)).toBe(true);
    expect(limit.take('b', START, 50)).toBe(true);
    expect(limit.header('b', START)).toBe('"order";r=0;t=5');
    expect(limit.waitSeconds('b', START)).toBe(5);
    expect(limit.take('b', START + 4_000)).toBe(false);
    expect(limit.take('b', START + 4_100)).toBe(true);
  });

  test('is charged into a debt, which is bounded', () => {
    const limit = limiter(10, 1);
    limit.spend('a', 3, 2000, START);
    expect(limit.remaining('a', START)).toBe(7);
    limit.spend('a', 9, 2000, START);
    expect([limit.take('a', START + 200), limit.take('a', START + 300)]).toEqual([false, true]);
    limit.spend('a', 1_000_000, 2000, START + 300);
    expect(limit.waitSeconds('a', START + 300)).toBe(3);
    limit.spend('a', 1, 2000, START + 300);
    expect(limit.take('a', START + 2300)).toBe(false);
    expect(limit.take('a', START + 2400)).toBe(true);
  });

  test('counts each key for itself', () => {
    const limit = limiter(1, 1);
    expect(drain(limit, 'a', START)).toBe(1);
    expect(drain(limit, 'b', START)).toBe(1);
  });

  test('has the remainder and the reset time', () => {
    const limit = limiter(2, 10);
    const after = (at: number) => {
      const now = START + at;
      return [limit.take('a', now), limit.header('a', now), limit.waitSeconds('a', now)];
    };
    expect(after(0)).toEqual([true, '"order";r=1;t=5', 0]);
    expect(after(0)).toEqual([true, '"order";r=0;t=10', 5]);
    expect(after(1000)).toEqual([false, '"order";r=0;t=9', 4]);
    expect(after(4999)).toEqual([false, '"order";r=0;t=6', 1]);
    expect(after(5000)).toEqual([true, '"order";r=0;t=10', 5]);
  });

  test('a rejected take costs nothing, and a question never does', () => {
    const limit = limiter(1, 1);
    expect(limit.header('a', START)).toBe('"order";r=1;t=0');
    expect(limit.admits('a', START)).toBe(true);
    expect(limit.size).toBe(0);
    limit.take('a', START);
    for (let i = 0; i < 50; i++) {
      expect(limit.take('a', START + 500)).toBe(false);
      expect(limit.admits('a', START + 500)).toBe(false);
      expect(limit.waitSeconds('a', START + 500)).toBe(1);
    }
    expect(limit.admits('a', START + 1000)).toBe(true);
    expect(limit.take('a', START + 1000)).toBe(true);
  });

  test('Retry-After is the truth: then it passes, one interval earlier it may not', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 40 }),
        (quota, windowSeconds, pauses) => {
          const limit = limiter(quota, windowSeconds);
          let now = START;
          for (const pause of pauses) {
            now += pause;
            if (limit.take('a', now)) continue;
            const wait = limit.waitSeconds('a', now);
            expect(limit.admits('a', now + wait * 1000)).toBe(true);
            const earlier = now + (wait - 1) * 1000 - 1;
            expect(limit.admits('a', Math.max(now, earlier))).toBe(false);
          }
        },
      ),
    );
  });

  test('agrees with a bucket counted in integers', () => {
    // In units of 1/quota ms a request costs windowMs units, and quota units return each ms.
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 }),
        (quota, windowSeconds, burst, pauses) => {
          const limit = limiter(quota, windowSeconds, burst);
          const cost = windowSeconds * 1000;
          let level = cost * burst;
          let now = START;
          for (const pause of pauses) {
            now += pause;
            level = Math.min(cost * burst, level + pause * quota);
            const allowed = level >= cost;
            if (allowed) level -= cost;
            expect(limit.take('a', now)).toBe(allowed);
            expect(limit.remaining('a', now)).toBe(Math.floor(level / cost));
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the map', () => {
  test('forgets buckets that are full again', () => {
    const limit = limiter(1, 1);
    for (let i = 0; i < 1000; i++) limit.take(`old${i}`, START);
    expect(limit.size).toBe(1000);
    for (let i = 0; i < 1000; i++) limit.take(`new${i}`, START + 5000);
    expect(limit.size).toBe(1000);
    for (let i = 0; i < 20; i++) limit.take(`later${i}`, START + 10_000);
    expect(limit.size).toBeLessThan(1000);
  });

  test('keys that come and go do not push out those in use', () => {
    const limit = limiter(1, 1, 1000, 100);
    for (let i = 0; i < 50; i++) drain(limit, `busy${i}`, START);
    for (let i = 0; i < 5000; i++) limit.take(`once${i}`, START + i * 100);
    for (let i = 0; i < 50; i++) {
      expect(limit.remaining(`busy${i}`, START + 500_000)).toBe(500);
    }
  });

  test('never holds more than its cap, also when every bucket is in use', () => {
    const limit = limiter(1, 1, 10, 100);
    for (let i = 0; i < 5000; i++) {
      expect(limit.take(`once${i}`, START)).toBe(true);
      expect(limit.size).toBeLessThanOrEqual(100);
    }
    expect(limit.remaining('once4999', START)).toBe(9);
  });

  test('a cap of one still works', () => {
    const limit = limiter(1, 1, 1, 1);
    expect(limit.take('a', START)).toBe(true);
    expect(limit.take('a', START)).toBe(false);
    expect(limit.take('b', START)).toBe(true);
    expect(limit.size).toBe(1);
  });
});

describe('with other nodes', () => {
  /** A limit whose urgent news are counted. */
  function shared(burst: number) {
    const limit = limiter(10, 1, burst);
    let urgent = 0;
    limit.share(() => urgent++);
    return { limit, urgent: () => urgent };
  }

  test('what passed is told once; what was rejected or charged is not', () => {
    const { limit } = shared(3);
    drain(limit, 'a', START);
    limit.take('b', START);
    limit.charge('c', 2, START);
    expect(limit.takeNews()).toEqual([
      ['a', 3],
      ['b', 1],
    ]);
    expect(limit.takeNews()).toEqual([]);
  });

  test('news are bounded while nobody takes them', () => {
    const { limit } = shared(3);
    const longest = `${'f'.repeat(39)} ${'k'.repeat(64)}`;
    for (let i = 0; i < 30_000; i++) limit.take(`${longest}${i}`, START);
    limit.take(`${longest}0`, START);
    const news = limit.takeNews();
    expect(news.length).toBe(20_000);
    expect(news[0]).toEqual([`${longest}0`, 2]);
    limit.take('later', START);
    expect(limit.takeNews()).toEqual([['later', 1]]);
  });

  test('a debt to other nodes is paid by the pauses between requests', () => {
    const { limit } = shared(5);
    expect(drain(limit, 'a', START)).toBe(5);
    limit.charge('a', 10, START);
    expect(limit.take('a', START + 1000)).toBe(false);
    expect(limit.take('a', START + 1100)).toBe(true);
    limit.charge('new', 5, START);
    expect(limit.take('new', START)).toBe(false);
  });

  test('news are urgent when a caller has taken a twentieth of the burst', () => {
    const { limit, urgent } = shared(100);
    for (let i = 0; i < 4; i++) for (const key of ['a', 'b', 'c']) limit.take(key, START);
    expect(urgent()).toBe(0);
    limit.take('a', START);
    expect(urgent()).toBe(1);
    limit.takeNews();
    for (let i = 0; i < 4; i++) limit.take('a', START);
    expect(urgent()).toBe(1);
    limit.take('a', START);
    expect(urgent()).toBe(2);
  });
});

describe('headers', () => {
  test('are structured fields with a quoted name', () => {
    const limit = limiter(100, 10);
    limit.take('a', START);
    expect(limit.policyHeader).toBe('"order";q=100;w=10');
    expect(limit.header('a', START)).toBe('"order";r=99;t=1');
  });

  test('describe the bucket, so that r is never above q', () => {
    expect(limiter(50, 1, 100).policyHeader).toBe('"order";q=100;w=2');
  });

  test('Retry-After is in whole seconds, at least one', () => {
    const limit = limiter(1000, 1);
    drain(limit, 'a', START);
    expect(limit.waitSeconds('a', START)).toBe(1);
  });
});

test('a policy that cannot be kept is rejected', () => {
  const build = (policy: object) => () =>
    new RateLimiter({ name: 'a', quota: 1, windowSeconds: 1, ...policy });
  for (const wrong of [
    { name: 'A"' },
    { quota: 0 },
    { quota: 1.5 },
    { burst: 0 },
    { windowSeconds: 0 },
    { quota: 1e6 },
  ]) {
    expect(build(wrong)).toThrow(RangeError);
  }
});
