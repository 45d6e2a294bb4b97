// The model in every CI run: 400,000 commands over fixed seeds and all profiles, and a count of
// what they met. Longer runs: npm run model. The harness itself is proved by a core that is wrong
// on purpose.
import { afterAll, describe, expect, test } from 'bun:test';
import { lots } from '../../src/core/units.ts';
import { compare, faultOf, type Run, reportOf, shrink } from './compare.ts';
import { BRANCHES, BranchCounts } from './coverage.ts';
import { Divergence, Lockstep } from './lockstep.ts';
import { Workload, type WorkloadStep } from './workload.ts';

const RUNS: readonly Run[] = [
  { seed: 1, commands: 24_000, profile: 'mixed' },
  { seed: 2, commands: 24_000, profile: 'mixed' },
  { seed: 3, commands: 24_000, profile: 'mixed' },
  { seed: 4, commands: 24_000, profile: 'mixed' },
  { seed: 31, commands: 24_000, profile: 'mixed' },
  { seed: 12, commands: 24_000, profile: 'mixed' },
  { seed: 25, commands: 24_000, profile: 'mixed' },
  { seed: 5, commands: 80_000, profile: 'busyKey' },
  { seed: 6, commands: 16_000, profile: 'crowd' },
  { seed: 13, commands: 16_000, profile: 'crowd' },
  { seed: 7, commands: 24_000, profile: 'cascade' },
  { seed: 21, commands: 12_000, profile: 'cascade' },
  { seed: 31, commands: 24_000, profile: 'cascade' },
  { seed: 8, commands: 24_000, profile: 'boundary' },
  { seed: 31, commands: 24_000, profile: 'boundary' },
  { seed: 9, commands: 24_000, profile: 'slices' },
  { seed: 10, commands: 24_000, profile: 'slices' },
  { seed: 22, commands: 12_000, profile: 'exits' },
  { seed: 11, commands: 600, profile: 'largest' },
  { seed: 14, commands: 300, profile: 'largest', workScale: 0.02 },
];

/** Fewer than this would be luck. */
const LEAST = 3;
describe('core and model agree', () => {
  const total = new BranchCounts();
  for (const run of RUNS) {
    const name = `${run.commands} commands, ${run.profile}, seed ${run.seed}`;
    test(name, () => total.add(compare(run)));
  }

  test('every branch was reached', () => {
    expect(total.missing(BRANCHES, LEAST)).toEqual([]);
    expect(BRANCHES.length).toBeGreaterThan(50);
  });

  afterAll(() => {
    if (process.env.AGIO_MODEL_COVERAGE === '1') console.log(total.toString());
  });
});

describe('the comparison notices', () => {
  const stream = (length: number): WorkloadStep[] => {
    const lockstep = new Lockstep();
    const workload = new Workload(7, lockstep.venue, 'mixed');
    return Array.from({ length }, () => {
      const timed = workload.next();
      lockstep.step(timed);
      return timed;
    });
  };

  test('money that came from nowhere', () => {
    const lockstep = new Lockstep();
    for (const timed of stream(300)) lockstep.step(timed);
    lockstep.checkpoint();
    lockstep.venue.give(1, 0, 1n);
    expect(() => lockstep.checkpoint()).toThrow('balance of owner 1, asset 0');
  });

  test('a core that restores to another state', () => {
    const lockstep = new Lockstep();
    for (const timed of stream(300)) lockstep.step(timed);
    lockstep.exchange.state.next.orderId++;
    expect(() => lockstep.checkpoint()).toThrow();
  });

  test('and shrinks a failing stream to what matters', () => {
    // An order of a fraction of a lot is what the edge must never let through: the model has no
    // such number.
    const bad = stream(400).map((timed, i): WorkloadStep => {
      if (i < 390 || timed.command.type !== 'placeOrder') return timed;
      return { ...timed, command: { ...timed.command, orderQty: lots(0.5) } };
    });
    const faults = (candidate: readonly WorkloadStep[]): string | null => {
      try {
        return faultOf(candidate);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(faults(bad)).not.toBeNull();
    const shortest = shrink(bad, faults);
    expect(faults(shortest)).not.toBeNull();
    expect(shortest.length).toBeLessThan(25);
  });

  test('and reports the first difference where a shorter stream ends in another error', () => {
    const first = new Divergence('the first difference');
    // The second command needs the first one, and the third shows the difference.
    const fault = (candidate: readonly WorkloadStep[]): string | null => {
      const times = candidate.map(({ time }) => time);
      if (times.includes(2) && !times.includes(1)) throw new Error('a broken invariant');
      return times.includes(3) ? 'a difference' : null;
    };
    const command = { type: 'runTimers' } as const;
    const all = [1, 2, 3, 4].map((time) => ({ time, command }));
    const report = reportOf(first, 'seed 7', all, fault) as Error;
    expect(report.cause).toBe(first);
    expect(report.message).toContain('seed 7\n  the first difference\n');
    expect(report.message).toContain('Shortest stream found, 1 commands: a difference');
  });
});
