// The two ways in which identity says no. A Refusal is an answer to a person (a value, never
// thrown) that names the field and what would be accepted; the gateway gives it a code. An
// IdentityError is a message to the operator: the state on disk or the configuration is not usable.

export type RefusalName = 'invalid' | 'emailTaken' | 'userUnknown' | 'tooManyKeys';

export interface Refusal {
  readonly ok: false;
  readonly name: RefusalName;
  /** The field of the request that the sentence is about. */
  readonly field: string;
  /** What is accepted, in words for the person who sent the request. */
  readonly text: string;
}

/** A refusal of `field`; `text` says what would be accepted instead. */
export function refuse(name: RefusalName, field: string, text: string): Refusal {
  return { ok: false, name, field, text };
}

/**
 * Thrown where the process cannot go on with what it found; the message says what to do about it.
 */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
}
