// Elapsed time, independent of the wall clock: deadlines, and pauses that can be aborted.

/** The maximum of a timer; longer waits are cut to it. */
const LONGEST_MS = 2 ** 31 - 1;

export interface Deadline {
  /** The remaining time, ms; 0 when it is over. */
  left(): number;
}

export function startDeadline(ms: number): Deadline {
  const end = performance.now() + ms;
  return { left: () => Math.max(0, end - performance.now()) };
}

/**
 * True if `work` finished in time. Rejects as `work` does, and with the signal's reason when
 * aborted.
 */
export async function isDoneWithin(
  work: Promise<unknown>,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const over = new AbortController();
  const ends = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
  try {
    return await Promise.race([work.then(() => true), pause(ms, ends).then(() => false)]);
  } finally {
    // Nothing keeps the process alive.
    over.abort();
  }
}

/** Waits; rejects with the signal's reason when aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(ms, LONGEST_MS),
    );
    signal?.addEventListener('abort', stop, { once: true });
  });
}
