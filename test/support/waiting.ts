// Waiting in tests: for a condition, never for a time. It ends as soon as the condition holds, and
// fails only after far longer than any machine needs.

/** How long anything is waited for. */
export const PATIENCE_MS = 60_000;

/** A condition that does not hold for long is looked at as seldom as this. */
const MAX_PAUSE_MS = 50;

const monotonic = performance.now.bind(performance);
let jumped = 0;

/** The monotonic clock of this process, and of the servers in it, jumps ahead by so much. */
export function jumpAhead(ms: number): void {
  jumped += ms;
  performance.now = () => monotonic() + jumped;
}

/**
 * Resolves when the condition holds. Throws where it does not hold in time: the message ends with
 * what `state` returns then.
 */
export async function until(condition: () => unknown, state?: () => unknown): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    const waited = performance.now() - start;
    if (waited > PATIENCE_MS) {
      const found = state === undefined ? '' : `: ${JSON.stringify(await state())}`;
      throw new Error(`This did not come true: ${condition}${found}`);
    }
    await Bun.sleep(Math.min(5 + waited / 20, MAX_PAUSE_MS));
  }
}
