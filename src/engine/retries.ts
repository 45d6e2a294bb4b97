// How often something is tried again that the disk has refused, and the clock that it goes by.

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/** The pause after so many failures in a row, ms. */
export const retryAfterMs = (failures: number): number =>
  Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);

/** A clock that never goes back and is the same in all threads of the process, ms. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;
