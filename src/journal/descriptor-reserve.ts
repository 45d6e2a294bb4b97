// Descriptors that are kept for files that have to be opened, so that a flood of connections
// between two looks of the gateway's guard fails no append. Each thread has its own.
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** Files that one step opens: a segment, its directory, what a reader reads. */
const KEPT = 8;
const PAUSE_MS = 20;
/** The guard makes room within a few looks; a longer wait has another cause. */
const PATIENCE_MS = 30_000;

const kept: number[] = [];

function keep(): void {
  try {
    while (kept.length < KEPT) kept.push(openSync(devNull, 'r'));
  } catch {
    // There is none to spare now.
  }
}

const isExhausted = (error: unknown): boolean => {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
};

/** Runs work that opens a file, with a reserved descriptor if there is no other. */
export async function withDescriptor<T>(work: () => Promise<T>): Promise<T> {
  keep();
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      // Refilling here would take the descriptor that was just released.
      if (!isExhausted(error) || performance.now() > deadline) throw error;
      const spare = kept.pop();
      if (spare === undefined) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      else closeSync(spare);
    }
  }
}

/** Like `withDescriptor`, without waiting: fails when the reserve is empty. */
export function withSpare<T>(work: () => T): T {
  keep();
  for (;;) {
    try {
      return work();
    } catch (error) {
      const spare = isExhausted(error) ? kept.pop() : undefined;
      if (spare === undefined) throw error;
      closeSync(spare);
    }
  }
}
