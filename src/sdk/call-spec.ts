// The form of a call in the generated table of calls.

/** The credentials that a call needs. */
export type Access = 'public' | 'private' | 'session' | 'operator';

/**
 * The reaction to a lost answer. `read`: the SDK asks again. `keyed`: it sends the call again
 * under the same Idempotency-Key. `repeatable`: it sends it again, since a second time changes
 * nothing more. `once`: the caller has to look.
 */
export type Repeat = 'read' | 'keyed' | 'repeatable' | 'once';

export interface CallSpec {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Parts such as {uid} are filled in. */
  readonly path: string;
  readonly access: Access;
  readonly repeat: Repeat;
  /** The answer is in the envelope of the earn area, and a rejection may have status 200. */
  readonly earn?: boolean;
  /** A POST that sends its fields in the query. */
  readonly inQuery?: boolean;
}
