// When the gateway turns calls away, by samples of the event loop and of the queue: time is a
// number here.
import { describe, expect, test } from 'bun:test';
import type { Problem } from '../../contract/problem.ts';
import { routes } from '../routes/routes.ts';
import { Load, SAMPLE_MS, type ShedCalls, STEPS, shedCallsOf } from './load.ts';

const ORDER: readonly ShedCalls[] = ['public', 'read', 'write', 'order'];

class Bench {
  queue = 0;
  readonly load = new Load(() => this.queue);
  #now = 0;

  /** Samples over this time, each so late. */
  run(ms: number, lateMs: number): void {
    for (let passed = 0; passed < ms; passed += SAMPLE_MS + lateMs) {
      this.#now += SAMPLE_MS + lateMs;
      this.load.observe(lateMs, this.#now);
    }
  }

  get shed(): ShedCalls[] {
    return ORDER.filter((calls) => {
      try {
        this.load.admit(calls);
        return false;
      } catch (error) {
        expect((error as Problem).kind).toBe('overloaded');
        expect((error as Problem).headers).toEqual({ 'Retry-After': '1' });
        return true;
      }
    });
  }
}

describe('a delay of the event loop', () => {
  test('sheds public reads first, orders last, and urgent calls never', () => {
    for (const [n, { delayMs }] of STEPS.entries()) {
      const bench = new Bench();
      bench.run(5000, delayMs);
      expect(bench.shed).toEqual(ORDER.slice(0, n + 1));
      expect(bench.load.level).toBe(n + 1);
      expect(() => bench.load.admit(null)).not.toThrow();
    }
  });

  test('that does not last turns nothing away', () => {
    const bench = new Bench();
    bench.run(20, 2000);
    bench.run(400, 0);
    for (let n = 0; n < 20; n++) {
      bench.run(400, 90);
      bench.run(20, 10);
    }
    expect(bench.shed).toEqual([]);
  });

  test('has to fall to half, and for a second, before calls are taken again', () => {
    const bench = new Bench();
    bench.run(2000, 90);
    expect(bench.shed).toEqual(['public']);
    bench.run(3000, 40);
    expect(bench.shed).toEqual(['public']);
    bench.run(900, 5);
    expect(bench.shed).toEqual(['public']);
    bench.run(300, 5);
    expect(bench.shed).toEqual([]);
    expect(bench.load.shed.public).toBe(3);
  });
});

test('a queue that stays full has the same effect, in the same order', () => {
  for (const [n, { queue }] of STEPS.entries()) {
    const bench = new Bench();
    bench.queue = queue;
    bench.run(1000, 0);
    expect(bench.shed).toEqual(ORDER.slice(0, n + 1));
    bench.queue = 0;
    bench.run(2000, 0);
    expect(bench.shed).toEqual([]);
  }
});

describe('the calls of the service', () => {
  const of = (calls: ShedCalls | null) =>
    routes.filter((route) => shedCallsOf(route) === calls).map(({ path }) => path);

  test('that place orders are the last to go; cancels, amendments and operators stay', () => {
    expect(of('order')).toEqual([
      '/spot-api/api/private/v1/order',
      '/spot-api/api/private/v2/order',
      '/spot-api/api/private/v2/order/oco',
    ]);
    const kept = of(null);
    for (const path of ['order/cancel', 'order/masscancel', 'order/cancelallafter']) {
      expect(kept).toContain(`/spot-api/api/private/v1/${path}`);
    }
    expect(kept).toContain('/spot-api/api/private/v2/order/amend');
    for (const path of ['/health', '/ready', '/metrics']) expect(kept).toContain(path);
    const others = kept.filter((path) => path.includes('-api/') && !/\/orders?(\/|$)/.test(path));
    expect(others).toEqual([]);
  });

  test('of anonymous readers go first, then own reads, then other writes', () => {
    expect(of('public')).toContain('/market-data-server/api/public/v1/l3Orderbook');
    expect(of('read')).toContain('/spot-api/api/private/v1/orders');
    expect(of('read')).toContain('/spot-api/api/private/v1/testorder');
    expect(of('write')).toContain('/earn-api/v1/user/plan/apply');
    expect(of('write')).toContain('/user-center/v1/login');
  });
});
