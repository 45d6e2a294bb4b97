// The business clock against wall clocks that step, in time that only passes when the test lets it.
import { beforeEach, describe, expect, test } from 'bun:test';
import { SimulatedTime } from '../../test/sim/simulated-time.ts';
import { State } from '../core/state.ts';
import { BusinessClock } from './clock.ts';

const START = 1_700_000_000_000;

const time = SimulatedTime.forEachTest(START);
let stepped = 0;
beforeEach(() => {
  stepped = 0;
});

const wall = (): number => START + Math.floor(time.now) + stepped;

describe('the business clock', () => {
  test('is the wall clock plus the offset', async () => {
    const state = new State();
    const clock = new BusinessClock(state, wall);
    await time.pass(1_234);
    expect(clock.now()).toBe(START + 1_234);
    state.clockOffset = 86_400_000;
    expect(clock.now()).toBe(START + 1_234 + 86_400_000);
    expect(clock.ahead).toBe(0);
  });

  test('jumps forward with the wall clock', () => {
    const clock = new BusinessClock(new State(), wall);
    stepped = 3_600_000;
    expect(clock.now()).toBe(START + 3_600_000);
  });

  test('runs at nine tenths after a step back until the wall clock has caught up', async () => {
    const clock = new BusinessClock(new State(), wall);
    expect(clock.now()).toBe(START);
    stepped = -60_000;
    expect(clock.now()).toBe(START);
    expect(clock.ahead).toBe(60_000);
    await time.pass(10_000);
    expect(clock.now()).toBe(START + 9_000);
    expect(clock.ahead).toBe(59_000);
    await time.pass(590_000);
    expect(clock.now()).toBe(START + 540_000);
    expect(clock.ahead).toBe(0);
    await time.pass(5_000);
    expect(clock.now()).toBe(START + 545_000);
  });

  test('never goes back behind the last command, and continues from it at a start', async () => {
    const state = new State();
    state.time = START + 30_000;
    const clock = new BusinessClock(state, wall);
    expect(clock.now()).toBe(START + 30_000);
    await time.pass(1_000);
    expect(clock.now()).toBe(START + 30_900);
  });

  test('follows a wall clock that was set back on purpose after a restart', () => {
    const state = new State();
    const clock = new BusinessClock(state, wall);
    expect(clock.now()).toBe(START);
    stepped = -86_400_000;
    clock.restart();
    expect(clock.now()).toBe(START - 86_400_000);
  });
});
