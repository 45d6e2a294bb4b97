// Time as it passes, whatever the wall clock does: deadlines, and pauses that can be ended.

/** What timers take; whoever waits longer, or forever, waits this long. */
const LONGEST_MS = 2 ** 31 - 1;

export interface Deadline {
  /** What is left of the time, ms; 0 when it has passed. */
  left(): number;
}

export function startDeadline(ms: number): Deadline {
  const end = performance.now() + ms;
  return { left: () => Math.max(0, end - performance.now()) };
}

/** Whether `work` was over in time. Rejects with what it rejects with, and with the signal's reason as soon as it is aborted. */
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
    // Nothing is left that keeps a process alive.
    over.abort();
  }
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
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
