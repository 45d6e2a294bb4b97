// Budgets, and the turns of bulk work, in time that only passes when a test lets it.
import { beforeEach, describe, expect, test } from 'bun:test';
import { SimulatedTime } from '../../test/sim/simulated-time.ts';
import { Budget, Payer, Payers, requireCredit } from './budget.ts';
import { TURN_TERMS } from './limits.ts';
import { Turns } from './turns.ts';

const time = SimulatedTime.forEachTest();
/** Milliseconds that pieces of work have taken, besides the time between them. */
let worked = 0;
beforeEach(() => {
  worked = 0;
  performance.now = () => time.now + worked;
});

const TERMS = { burst: 100, perSecond: 10 };
const payer = (): Payer => new Payer('address', { bytes: TERMS, time: TERMS });

describe('a budget', () => {
  test('may go into debt once, and knows how long it takes to pay it off', async () => {
    const budget = new Budget(TERMS);
    budget.spend(100);
    expect(budget.inDebt).toBe(true);
    budget.spend(50);
    const ms = budget.msUntil(0);
    expect(ms).toBe(5001);
    await time.pass(ms - 2);
    expect(budget.inDebt).toBe(true);
    await time.pass(2);
    expect(budget.inDebt).toBe(false);
  });

  test('never holds more than its burst', async () => {
    const budget = new Budget(TERMS);
    await time.pass(1_000_000);
    budget.spend(100);
    expect(budget.inDebt).toBe(true);
  });

  test('that is used up rejects by its name, with the time to wait', () => {
    const budget = new Budget(TERMS);
    requireCredit('bytes of the address', budget);
    budget.spend(110);
    const reject = () => requireCredit('bytes of the address', budget);
    expect(reject).toThrow(
      expect.objectContaining({
        code: '100429',
        details: { rule: 'budget', value: 'bytes of the address', retryAfterMs: 1001 },
        headers: { 'Retry-After': '2' },
      }),
    );
  });
});

describe('a payer', () => {
  test('is remembered without connections until its debt is paid', async () => {
    const payers = new Payers({ bytes: TERMS, time: TERMS });
    payers.ofAddress('::1').bytes.spend(150);
    payers.ofAccount(1);
    payers.sweep();
    expect(payers.size).toBe(1);
    expect(payers.ofAddress('::1').bytes.inDebt).toBe(true);
    await time.pass(15_000);
    payers.sweep();
    expect(payers.size).toBe(0);
  });

  test('in debt is forgotten once very many others are', () => {
    const payers = new Payers({ bytes: TERMS, time: TERMS });
    const connected = payers.ofAddress('2001:db8::/56');
    connected.connections++;
    for (let i = 0; i < 60_000; i++) payers.ofAddress(`2001:db8:${i}::/56`).bytes.spend(150);
    expect(payers.size).toBe(50_000);
    expect(payers.ofAddress('2001:db8::/56')).toBe(connected);
    expect(payers.ofAddress('2001:db8:59999::/56').bytes.inDebt).toBe(true);
    expect(payers.ofAddress('2001:db8:1::/56').bytes.inDebt).toBe(false);
  });

  test('is kept while it has connections', () => {
    const payers = new Payers({ bytes: TERMS, time: TERMS });
    const address = payers.ofAddress('::1');
    address.connections++;
    payers.sweep();
    expect(payers.ofAddress('::1')).toBe(address);
  });
});

describe('turns', () => {
  const fail = (error: unknown): never => {
    throw error;
  };
  /** A piece that takes so many milliseconds. */
  const piece =
    (ms: number, done: () => void = () => {}): (() => void) =>
    () => {
      worked += ms;
      done();
    };

  test('give bulk work its share of the thread, and no more in a row than its burst', async () => {
    const turns = new Turns(fail);
    const one = payer();
    let left = 1000;
    const more = (): void => {
      if (--left > 0) turns.add(one, piece(0.4, more));
    };
    turns.add(one, piece(0.4, more));
    await time.pass(400);
    const elapsed = time.now + worked;
    const share = (elapsed * TURN_TERMS.perSecond) / 1000;
    expect(worked).toBeGreaterThan(share / 2);
    expect(worked).toBeLessThanOrEqual(share + TURN_TERMS.burst + 0.4);
  });

  test('go round the payers, however much one of them has to do', async () => {
    const turns = new Turns(fail);
    const done: string[] = [];
    const [flooder, customer] = [payer(), payer()];
    for (let i = 0; i < 100; i++)
      turns.add(
        flooder,
        piece(0.4, () => done.push('flooder')),
      );
    for (let i = 0; i < 2; i++)
      turns.add(
        customer,
        piece(0.4, () => done.push('customer')),
      );
    await time.pass(1000);
    expect(done.slice(0, 4)).toEqual(['flooder', 'customer', 'flooder', 'customer']);
    expect(done).toHaveLength(102);
  });

  test('charge each piece to its payer', async () => {
    const turns = new Turns(fail);
    const [flooder, customer] = [payer(), payer()];
    turns.add(flooder, piece(120));
    turns.add(customer, piece(1));
    await time.pass(1000);
    expect([flooder.time.inDebt, customer.time.inDebt]).toEqual([true, false]);
  });

  test('are not lost to live work: bulk work continues behind it', async () => {
    const turns = new Turns(fail);
    const one = payer();
    turns.now(one, piece(500));
    let done = false;
    turns.add(
      one,
      piece(0.1, () => {
        done = true;
      }),
    );
    await time.pass(100);
    expect(done).toBe(true);
  });

  test('continue after a piece that has failed', async () => {
    const warnings: unknown[] = [];
    const turns = new Turns((error) => warnings.push(error));
    let done = false;
    turns.add(payer(), () => fail(new Error('broken')));
    turns.add(payer(), () => {
      done = true;
    });
    await time.pass(10);
    expect([done, warnings.length]).toEqual([true, 1]);
  });
});
