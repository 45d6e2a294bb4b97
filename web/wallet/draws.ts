// The draws of test money that this browser remembers.
import { DAY_MS } from '../exact/format.ts';

/** The last draw of each asset, as 00:00 UTC of its day, epoch ms. */
type Draws = ReadonlyMap<string, number>;

/** `now`: business time; null while it is unknown. */
export const isDrawn = (draws: Draws, asset: string, now: number | null): boolean =>
  now !== null && draws.get(asset) === dayOf(now);

export const withDraw = (draws: Draws, asset: string, now: number | null): Draws =>
  now === null ? draws : new Map([...draws, [asset, dayOf(now)]]);

const dayOf = (now: number): number => now - (now % DAY_MS);

/** Reads the stored text; a text of another form has no draws. */
export function parseDraws(text: string | null): Draws {
  try {
    return new Map(JSON.parse(text ?? '[]') as [string, number][]);
  } catch {
    return new Map();
  }
}
