// Broken invariants. An assertion stays on in production: a venue whose books are wrong must stop,
// not answer. Nothing in the core catches an InvariantError; the engine turns it into a stop.

/** The core broke a promise to itself. The message is the positive rule. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** `where`: the place of a rule that holds in many, which is made only for the error. */
export function assert(condition: boolean, rule: string, where?: () => string): asserts condition {
  if (!condition) throw new InvariantError(where === undefined ? rule : `${rule} (${where()})`);
}
