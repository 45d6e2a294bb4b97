// Randomness from a seed in place of the runtime's, so that keys, tokens and nonces of a simulation
// are the same in every run.
import { mock } from 'bun:test';
import * as real from 'node:crypto';
import type { Prng } from '../support/prng.ts';

const REAL = { ...real };
const realRandom = Math.random;

/** All randomness of this process comes from `random` until `restoreCrypto`. */
export function seedCrypto(random: () => Prng): void {
  Math.random = () => random().next() / 2 ** 32;
  mock.module('node:crypto', () => ({
    ...REAL,
    randomBytes: (length: number) => Buffer.from(random().bytes(length)),
    randomInt: (low: number, high?: number) =>
      high === undefined ? random().below(low) : low + random().below(high - low),
  }));
}

export function restoreCrypto(): void {
  Math.random = realRandom;
  mock.module('node:crypto', () => REAL);
}
