// Waiting in tests: for a condition, never for a time. It ends as soon as the condition holds, and
// fails only after far longer than any machine needs.

/** How long anything is waited for. */
export const PATIENCE_MS = 60_000;

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
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) {
      const found = state === undefined ? '' : `: ${JSON.stringify(await state())}`;
      throw new Error(`This did not come true: ${condition}${found}`);
    }
    await Bun.sleep(5);
  }
}
