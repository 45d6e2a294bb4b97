// A registration or reset that waits for its code, so that a reload returns to the code field. The
// password is never stored.
import { stored } from '../session/stored.ts';

export interface Begun {
  readonly email: string;
  /** Belongs to the emailed code. */
  readonly ticket: string;
  /** Wall clock, ms. */
  readonly sentAt: number;
}

/** Validity of a code (docs/rest.md, user center). */
const CODE_LIFE_MS = 10 * 60_000;

/** null if nothing waits, or its code expired. */
export function readBegun(kept: string | null, now: number): Begun | null {
  if (kept === null) return null;
  const begun = JSON.parse(kept) as Begun;
  return now - begun.sentAt < CODE_LIFE_MS ? begun : null;
}

/** The registration or reset that waits in this tab. */
export function begunIn(flow: string) {
  const place = stored(sessionStorage, flow);
  return {
    use: () => readBegun(place.use(), Date.now()),
    keep: (begun: Begun | null) => place.set(begun === null ? null : JSON.stringify(begun)),
  };
}
