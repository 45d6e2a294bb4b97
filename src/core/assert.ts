// Broken invariants. An assertion stays on in production: a venue whose books are wrong must stop,
// not answer. Nothing in the core catches an InvariantError; the engine turns it into a stop.

/** The core broke a promise to itself. The message is the positive rule. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export function assert(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new InvariantError(rule);
}
