// Why the engine did not carry out a command. A business refusal is never one of these; it is an
// outcome.

/**
 * - `overloaded`: too many commands wait for the disk; nothing was done; the same request may be sent
 *   again;
 * - `storageFull`: the disk has no room for the journal; nothing was done; the same request may be
 *   sent again when there is room;
 * - `stopping`: the process is shutting down; nothing was done;
 * - `failed`: the journal or an invariant failed. The outcome of a command in flight is unknown until
 *   the process has restarted.
 */
export type EngineErrorKind = 'overloaded' | 'storageFull' | 'stopping' | 'failed';

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly kind: EngineErrorKind;

  constructor(kind: EngineErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
