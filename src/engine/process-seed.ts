// The secret of this process that its hash tables are seeded with (core/keyed-hash.ts). It changes
// no result, so a leader, its follower and a replay each have one of their own.
import { randomInt } from 'node:crypto';
import type { HashSeed } from '../core/keyed-hash.ts';
import { State } from '../core/state.ts';

const WORDS = 2 ** 32;

export const PROCESS_SEED: HashSeed = { a: randomInt(WORDS), b: randomInt(WORDS) };

/** The state before the first command. */
export const emptyState = (): State => new State(PROCESS_SEED);
