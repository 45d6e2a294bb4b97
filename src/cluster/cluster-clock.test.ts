// The clock of a cluster against a store whose answers take some time.
import { expect, test } from 'bun:test';
import { ClusterClock } from './cluster-clock.ts';

const NOON = 1_700_000_000_000;

/** A store whose answers take some time, and a machine with a monotonic clock of its own. */
function opened() {
  let monotonic = 5_000;
  let store = NOON;
  const pass = (ms: number): void => {
    monotonic += ms;
    store += ms;
  };
  const clock = new ClusterClock(() => monotonic);
  const ask = (there: number, back: number): Promise<unknown> =>
    clock.ask(async () => {
      pass(there);
      const answer = { lease: null, rules: null, storeTime: store };
      pass(back);
      return answer;
    });
  const step = (ms: number): void => {
    store += ms;
  };
  return { clock, ask, pass, step, storeTime: () => store };
}

test('it has no time before the store has told its own', () => {
  expect(() => opened().clock.now()).toThrow(TypeError);
});

test('it shows the time of the store, also between two answers', async () => {
  const { clock, ask, pass, storeTime } = opened();
  await ask(2, 2);
  expect(clock.now()).toBe(storeTime());
  pass(60_000);
  expect(clock.now()).toBe(storeTime());
});

test('an uneven trip moves it by a share of its error only', async () => {
  const { clock, ask, storeTime } = opened();
  await ask(2, 2);
  await ask(100, 0);
  expect(Math.abs(clock.now() - storeTime())).toBeLessThanOrEqual(6);
});

test('a trip that took very long teaches nothing', async () => {
  const { clock, ask, storeTime } = opened();
  await ask(2, 2);
  await ask(5_000, 0);
  expect(clock.now()).toBe(storeTime());
});

test('a step of the store’s clock is followed immediately', async () => {
  const { clock, ask, step, storeTime } = opened();
  await ask(2, 2);
  step(-3_600_000);
  await ask(2, 2);
  expect(clock.now()).toBe(storeTime());
});
