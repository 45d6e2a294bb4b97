// Runs a seeded workload through the core and the model. A difference is reported with the seed,
// the index, the command and what came before it, and with the shortest stream of commands that
// still shows a difference.
import { Coverage } from './coverage.ts';
import { show } from './expectation.ts';
import { Divergence, Lockstep } from './lockstep.ts';
import { type Profile, type Timed, Workload } from './workload.ts';

/** A checkpoint costs as much as the state is large, so long runs have fewer. */
const CHECKPOINT_EVERY = 1_000;
const CHECKPOINT_SHARE = 50;
/** How long to look for a shorter stream. */
const SHRINK_MS = 30_000;
const SHOWN_BEFORE = 20;

export interface Run {
  readonly seed: number;
  readonly commands: number;
  readonly profile: Profile;
}

/** Runs the workload and returns its coverage. Throws with a report of the first difference. */
export function compare(run: Run, progress?: (done: number) => void): Coverage {
  const lockstep = new Lockstep();
  const workload = new Workload(run.seed, lockstep.venue, run.profile);
  const coverage = new Coverage();
  const stream: Timed[] = [];
  let nextCheckpoint = CHECKPOINT_EVERY;
  try {
    for (let i = 1; i <= run.commands; i++) {
      const timed = workload.next();
      stream.push(timed);
      lockstep.step(timed);
      coverage.observe(timed.command, lockstep);
      if (i === nextCheckpoint || i === run.commands) {
        nextCheckpoint += Math.max(CHECKPOINT_EVERY, Math.floor(i / CHECKPOINT_SHARE));
        lockstep.checkpoint();
        coverage.observeBooks(lockstep);
      }
      progress?.(i);
    }
  } catch (error) {
    if (!(error instanceof Divergence)) throw error;
    throw new Error(describe(run, stream, error), { cause: error });
  }
  return coverage;
}

function describe(run: Run, stream: readonly Timed[], error: Divergence): string {
  const line = ({ time, command }: Timed): string => `  ${time} ${show(command)}`;
  const shortest = shrink(stream);
  const again = faultOf(shortest);
  return [
    `Core and model differ: seed ${run.seed}, profile ${run.profile}, command ${stream.length}`,
    `  ${error.message}`,
    `The last ${SHOWN_BEFORE} commands:`,
    ...stream.slice(-SHOWN_BEFORE).map(line),
    `Shortest stream found, ${shortest.length} commands: ${again}`,
    ...shortest.map(line),
  ].join('\n');
}

/** The first difference that a stream of commands shows, or null. */
export function faultOf(stream: readonly Timed[]): string | null {
  const lockstep = new Lockstep();
  try {
    for (const timed of stream) lockstep.step(timed);
    lockstep.checkpoint();
  } catch (error) {
    if (error instanceof Divergence) return error.message;
    throw error;
  }
  return null;
}

/** Drops commands, in ever smaller pieces, while the rest still shows a difference. */
export function shrink(
  stream: readonly Timed[],
  fault?: (candidate: readonly Timed[]) => string | null,
): readonly Timed[];
export function shrink<T>(
  stream: readonly T[],
  fault: (candidate: readonly T[]) => string | null,
): readonly T[];
export function shrink<T>(
  stream: readonly T[],
  fault = faultOf as (candidate: readonly T[]) => string | null,
): readonly T[] {
  const deadline = performance.now() + SHRINK_MS;
  let shortest = stream;
  for (let piece = Math.ceil(stream.length / 2); piece >= 1; piece = Math.floor(piece / 2)) {
    for (let from = 0; from < shortest.length; ) {
      if (performance.now() > deadline) return shortest;
      const candidate = [...shortest.slice(0, from), ...shortest.slice(from + piece)];
      if (fault(candidate) !== null) shortest = candidate;
      else from += piece;
    }
  }
  return shortest;
}
