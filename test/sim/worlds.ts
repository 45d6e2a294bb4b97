// Simulations of whole worlds, which begin on a foundation in a simulated time. With every other
// seed, records do a fill or two, so that ends fall between the slices of orders.
import { beforeAll, expect, test } from 'bun:test';
import { smallRecords } from '../support/small-records.ts';
import { runSeeds } from './seeds.ts';
import { SimulatedTime } from './simulated-time.ts';

/** 2026-01-01 00:00 UTC. */
const EPOCH = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

interface Simulation {
  run(): Promise<unknown>;
  /** Differs where anything that is there in the end differs. */
  digest(): string;
  remove(): void;
}

interface Worlds<Foundation> {
  /** The name of the test that no seed breaks. */
  readonly promise: string;
  readonly seeds: number;
  /** Called before each world with its seed, and with 0 before a foundation. */
  readonly onSeed?: (seed: number) => void;
  readonly found: (time: SimulatedTime) => Promise<Foundation>;
  readonly simulate: (seed: number, time: SimulatedTime, on: Foundation) => Simulation;
  /** Throws unless enough went wrong in so many seeds: otherwise they would prove nothing. */
  readonly requireTrouble: () => void;
}

/** Tests the worlds of many seeds. Returns their foundations, once there are some. */
export function testWorlds<Foundation>(worlds: Worlds<Foundation>): readonly Foundation[] {
  const { promise, seeds, onSeed = () => undefined, found, simulate, requireTrouble } = worlds;
  const foundations: Foundation[] = [];

  async function runSeed(seed: number): Promise<string> {
    const isSliced = seed % 2 === 0;
    using _ = isSliced ? smallRecords() : null;
    const time = new SimulatedTime(EPOCH + MINUTE);
    onSeed(seed);
    time.install();
    const simulation = simulate(seed, time, foundations[isSliced ? 1 : 0]!);
    try {
      await time.until(simulation.run());
      return simulation.digest();
    } finally {
      time.uninstall();
      simulation.remove();
    }
  }

  async function foundOne(): Promise<void> {
    const time = new SimulatedTime(EPOCH);
    onSeed(0);
    time.install();
    try {
      foundations.push(await time.until(found(time)));
    } finally {
      time.uninstall();
    }
  }

  beforeAll(async () => {
    await foundOne();
    using _ = smallRecords();
    await foundOne();
  });

  test(promise, async () => {
    if (await runSeeds(seeds, runSeed)) requireTrouble();
  }, 3_600_000);

  test('a seed is the whole story: it gives the same world again', async () => {
    const first = await runSeed(1);
    expect(await runSeed(1)).toBe(first);
    expect(await runSeed(2)).not.toBe(first);
  }, 60_000);

  return foundations;
}
