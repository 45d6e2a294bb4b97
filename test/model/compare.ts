// Runs a seeded workload through the core and the model. The report of a difference has the seed,
// the last commands, and the shortest stream that still shows a difference.
import type { BranchCounts } from './coverage.ts';
import { show } from './expectation.ts';
import { Divergence, Lockstep, type LockstepOptions } from './lockstep.ts';
import { type Profile, Workload, type WorkloadStep } from './workload.ts';

/** A checkpoint costs as much as the state is large, so long runs have fewer. */
const CHECKPOINT_EVERY = 1_000;
const CHECKPOINT_SHARE = 50;
/** How long to look for a shorter stream. */
const SHRINK_MS = 30_000;
const SHOWN_BEFORE = 20;

/** Records of `slices` do one or two fills. */
const LOCKSTEPS: { readonly [P in Profile]?: LockstepOptions } = {
  slices: { workScale: 0.0005, settlesFirst: true },
  largest: { settlesFirst: true },
};

export interface Run {
  readonly seed: number;
  readonly commands: number;
  readonly profile: Profile;
  /** The share of the usual work that a record of the core may do; without it, the profile's. */
  readonly workScale?: number;
}

const optionsOf = ({ profile, workScale }: Run): LockstepOptions | undefined =>
  workScale === undefined ? LOCKSTEPS[profile] : { ...LOCKSTEPS[profile], workScale };

/** Returns the branches that the workload met. Throws with a report of the first difference. */
export function compare(run: Run, progress?: (done: number) => void): BranchCounts {
  const lockstep = new Lockstep(optionsOf(run));
  const workload = new Workload(run.seed, lockstep.venue, run.profile);
  const stream: WorkloadStep[] = [];
  let nextCheckpoint = CHECKPOINT_EVERY;
  try {
    for (let i = 1; i <= run.commands; i++) {
      const timed = workload.next();
      stream.push(timed);
      lockstep.step(timed);
      if (i === nextCheckpoint || i === run.commands) {
        nextCheckpoint += Math.max(CHECKPOINT_EVERY, Math.floor(i / CHECKPOINT_SHARE));
        lockstep.checkpoint();
      }
      progress?.(i);
    }
  } catch (error) {
    const title = `seed ${run.seed}, profile ${run.profile}, command ${stream.length}`;
    const fault = (candidate: readonly WorkloadStep[]) => faultOf(candidate, optionsOf(run));
    throw reportOf(error, title, stream, fault);
  }
  return lockstep.venue.branches;
}

interface TimedCommand {
  readonly time: number;
  readonly command: object;
}
type FaultOf<T> = (candidate: readonly T[]) => string | null;

/** The error with its last commands, and the shortest stream that still shows a difference. */
export function reportOf<T extends TimedCommand>(
  error: unknown,
  title: string,
  stream: readonly T[],
  fault: FaultOf<T>,
): unknown {
  if (!(error instanceof Divergence)) return error;
  const line = ({ time, command }: T): string => `  ${time} ${show(command)}`;
  const shortest = shrink(stream, fault);
  const lines = [
    `Core and model differ: ${title}`,
    `  ${error.message}`,
    `The last ${SHOWN_BEFORE} commands:`,
    ...stream.slice(-SHOWN_BEFORE).map(line),
    `Shortest stream found, ${shortest.length} commands: ${shownBy(shortest, fault)}`,
    ...shortest.map(line),
  ];
  return new Error(lines.join('\n'), { cause: error });
}

/** The first difference that a stream of commands shows, or null. */
export function faultOf(stream: readonly WorkloadStep[], options?: LockstepOptions): string | null {
  const lockstep = new Lockstep(options);
  return divergenceOf(() => {
    for (const timed of stream) lockstep.step(timed);
    lockstep.checkpoint();
  });
}

/** The message of the Divergence in `work`, or null. */
export function divergenceOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof Divergence) return error.message;
    throw error;
  }
}

/** A stream without a command that others need may end otherwise, as in a broken invariant. */
function shownBy<T>(stream: readonly T[], fault: FaultOf<T>): string | null {
  try {
    return fault(stream);
  } catch {
    return null;
  }
}

/** Drops commands, in ever smaller pieces, while the rest still shows a fault. */
export function shrink<T>(stream: readonly T[], fault: FaultOf<T>): readonly T[] {
  const deadline = performance.now() + SHRINK_MS;
  let shortest = stream;
  for (let piece = Math.ceil(stream.length / 2); piece >= 1; piece = Math.floor(piece / 2)) {
    for (let from = 0; from < shortest.length; ) {
      if (performance.now() > deadline) return shortest;
      const candidate = [...shortest.slice(0, from), ...shortest.slice(from + piece)];
      if (shownBy(candidate, fault) !== null) shortest = candidate;
      else from += piece;
    }
  }
  return shortest;
}
