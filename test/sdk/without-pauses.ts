// Timers for tests that would otherwise wait for pauses between attempts.
import { spyOn } from 'bun:test';

/** Timers run out immediately, except those that watch for silence. */
export function withoutPauses() {
  const later = setTimeout;
  return spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms: number) =>
    later(act, ms > 20_000 ? ms : 0)) as unknown as typeof setTimeout);
}
