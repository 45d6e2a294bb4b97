// A random life of earn in every CI run: core and model over fixed seeds, and a count of what they
// met. Longer lives: npm run model -- --earn. The harness itself is proved by a core and by events
// that are wrong on purpose.
import { afterAll, describe, expect, test } from 'bun:test';
import type { CoreEvent, InterestAccrued } from '../../src/core/event.ts';
import { amount } from '../../src/core/units.ts';
import { BranchCounts } from './coverage.ts';
import { compareEarn, type EarnRun, faultOfEarn } from './earn-compare.ts';
import { EARN_BRANCHES } from './earn-coverage.ts';
import { EarnLockstep, type EarnStep } from './earn-lockstep.ts';
import { Promises } from './earn-promises.ts';
import { EarnWorkload } from './earn-workload.ts';

const RUNS: readonly EarnRun[] = [
  ...[1, 2, 3, 4, 5, 6].map((seed) => ({ seed, days: 60, profile: 'drained' }) as const),
  ...[7, 8, 9, 10].map((seed) => ({ seed, days: 365, profile: 'drained' }) as const),
  ...[1, 2, 3, 4, 5, 6].map((seed) => ({ seed, days: 60, profile: 'interleaved' }) as const),
];

/** Fewer than this would be luck. */
const LEAST = 2;

describe('core and model agree on earn', () => {
  const total = new BranchCounts();
  let terms = 0;
  let lives = 0;
  for (const run of RUNS) {
    const name = `${run.days} days, ${run.profile}, seed ${run.seed}`;
    test(name, () => {
      const result = compareEarn(run);
      total.add(result.branches);
      terms += result.terms;
      lives += result.lives;
    });
  }

  test('every branch was reached', () => {
    expect(total.missing(EARN_BRANCHES, LEAST)).toEqual([]);
    expect(EARN_BRANCHES.length).toBeGreaterThan(60);
  });

  test('events alone prove terms and subscriptions', () => {
    expect(terms).toBeGreaterThan(500);
    expect(lives).toBeGreaterThan(500);
  });

  afterAll(() => {
    if (process.env.AGIO_MODEL_COVERAGE === '1') console.log(total.toString());
  });
});

/** The beginning of a life, with what the core has told. */
function life(commands: number): {
  lockstep: EarnLockstep;
  stream: EarnStep[];
  told: CoreEvent[];
} {
  const lockstep = new EarnLockstep('drained');
  const workload = new EarnWorkload(3, lockstep.venue, 'drained');
  const told: CoreEvent[] = [];
  const stream = Array.from({ length: commands }, () => {
    const timed = workload.next();
    lockstep.step(timed);
    told.push(...lockstep.told);
    return timed;
  });
  return { lockstep, stream, told };
}

describe('the comparison of earn notices', () => {
  test('a reserve that paid a unit too much', () => {
    const { lockstep } = life(600);
    lockstep.compare();
    lockstep.venue.earn.plans[0].reserve += 1n;
    expect(() => lockstep.compare()).toThrow('balance of owner -2, asset 0, account 7');
  });

  test('a principal that is not the model’s', () => {
    const { lockstep } = life(600);
    const one = lockstep.venue.earn.subscriptions.find(({ principal }) => principal > 0n)!;
    lockstep.exchange.state.earn.subscriptions.find(one.applyId)!.autoRenew = !one.autoRenew;
    expect(() => lockstep.compare()).toThrow(`subscription ${one.applyId}.autoRenew`);
  });

  test('an entry that is missing, repeated, or a unit too large', () => {
    const { told } = life(900);
    expect(new Promises().observe(told)).toBeNull();
    const entryOf = (applyId: number, day: number) => (event: CoreEvent) =>
      event.type === 'interestAccrued' && event.applyId === applyId && event.day === day;
    // One that another follows.
    const at = told.findIndex(
      (event) =>
        event.type === 'interestAccrued' && told.some(entryOf(event.applyId, event.day + 1)),
    );
    const entry = told[at] as InterestAccrued;
    const larger = { ...entry, interest: amount(BigInt(entry.interest) + 1n) };
    const faultWith = (...instead: CoreEvent[]) =>
      new Promises().observe(told.toSpliced(at, 1, ...instead));
    expect(faultWith()).toContain(`of subscription ${entry.applyId}`);
    expect(faultWith(entry, entry)).toContain(`expected day ${entry.day + 1}`);
    expect(faultWith(larger)).toContain('is not what basis, rate and carry come to');
  });

  test('a stream without a difference', () => {
    expect(faultOfEarn('drained', life(400).stream)).toBeNull();
  });
});
