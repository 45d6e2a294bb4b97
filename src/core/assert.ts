// Broken invariants. An assertion stays on in production: a venue whose books are wrong must stop,
// not answer. Nothing in the core catches an InvariantError; the engine turns it into a stop.

/** A promise the core made to itself does not hold. The message states the positive rule. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Stops with the positive `rule` when `condition` is false. */
export function assert(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new InvariantError(rule);
}
