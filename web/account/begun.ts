// A registration or a reset whose code is on its way: whoever leaves the page, or reloads it, comes back to the field for it. The
// password is not kept anywhere.
import type { Stored } from '../session/stored.ts';

export interface Begun {
  readonly email: string;
  /** The code of a mail goes with the ticket of its own. */
  readonly ticket: string;
  /** Wall clock, ms. */
  readonly sentAt: number;
}

/** So long a code is valid (docs/rest.md, user centre). */
const CODE_LIFE_MS = 10 * 60_000;

/** null where nothing was begun, or its code is not valid any more. */
export function readBegun(kept: string | null, now: number): Begun | null {
  if (kept === null) return null;
  const begun = JSON.parse(kept) as Begun;
  return now - begun.sentAt < CODE_LIFE_MS ? begun : null;
}

export const keepBegun = (place: Pick<Stored, 'set'>, begun: Begun | null): void =>
  place.set(begun === null ? null : JSON.stringify(begun));
