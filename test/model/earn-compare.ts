// Runs a random life of the earn service through the core and the model. A difference is reported
// with the seed, what came before it, and the shortest life that still shows a difference.
import { divergenceOf, reportOf } from './compare.ts';
import type { BranchCounts } from './coverage.ts';
import { EarnLockstep, type EarnProfile, type EarnStep } from './earn-lockstep.ts';
import { EarnWorkload, isOpening } from './earn-workload.ts';

const CHECKPOINT_EVERY = 500;

export interface EarnRun {
  readonly seed: number;
  /** Days of business time. */
  readonly days: number;
  readonly profile: EarnProfile;
}

export interface EarnRunResult {
  readonly commands: number;
  readonly slices: number;
  /** Terms and lives whose entries were found to add up to what was promised and paid. */
  readonly terms: number;
  readonly lives: number;
  readonly branches: BranchCounts;
}

/** Throws with a full report of the first difference. */
export function compareEarn(run: EarnRun, progress?: (days: number) => void): EarnRunResult {
  const lockstep = new EarnLockstep(run.profile);
  const workload = new EarnWorkload(run.seed, lockstep.venue, run.profile);
  const stream: EarnStep[] = [];
  const step = (timed: EarnStep): void => {
    stream.push(timed);
    lockstep.step(timed);
  };
  try {
    while (workload.days < run.days) {
      step(workload.next());
      if (stream.length % CHECKPOINT_EVERY === 0) {
        lockstep.checkpoint();
        progress?.(workload.days);
      }
    }
    step({ time: stream.at(-1)!.time, command: { type: 'drain' } });
    lockstep.checkpoint();
  } catch (error) {
    throw reportOfEarn(run, stream, error);
  }
  const { promises, venue, slices } = lockstep;
  return {
    commands: stream.length,
    slices,
    terms: promises.termsProved,
    lives: promises.livesProved,
    branches: venue.branches,
  };
}

/** The first difference that a life shows, or null. */
export function faultOfEarn(profile: EarnProfile, stream: readonly EarnStep[]): string | null {
  const lockstep = new EarnLockstep(profile);
  return divergenceOf(() => {
    for (const timed of stream) lockstep.step(timed);
    const last = stream.at(-1);
    if (last !== undefined) lockstep.step({ time: last.time, command: { type: 'drain' } });
    lockstep.checkpoint();
  });
}

/** Which rule a fault is about, so that the shortest life shows the same one. */
const kindOf = (fault: string): string =>
  fault.split('\n')[0].split(/[:[(]/)[0].replace(/\d+/g, '') +
  (fault.includes('missing') ? '-' : '');

function reportOfEarn(
  { seed, profile }: EarnRun,
  stream: readonly EarnStep[],
  error: unknown,
): unknown {
  const kind = kindOf((error as Error).message);
  // The opening of an interleaved life makes it ample, and is not dropped.
  const kept = profile === 'interleaved' ? stream.filter(isOpening) : [];
  const title = `seed ${seed}, ${profile}, command ${stream.length}`;
  return reportOf(error, title, stream.slice(kept.length), (candidate) => {
    const found = faultOfEarn(profile, [...kept, ...candidate]);
    return found !== null && kindOf(found) === kind ? found : null;
  });
}
