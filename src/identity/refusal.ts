// The two ways in which identity says no. A Refusal is an answer to a person (a value, never
// thrown) that names the field and what would be accepted; the gateway gives it a code. An
// IdentityError is a message to the operator: the state on disk or the configuration is not usable.

/** What the administration of users and keys may be refused for. */
export type RefusalName = 'invalid' | 'emailTaken' | 'userUnknown' | 'tooManyKeys';

/**
 * What a person who logs in or proves themselves may be refused for.
 *
 * - `credentialsWrong`: e-mail address or password; it never says which.
 * - `totpNeeded`, `totpWrong`: a code of the authenticator application, or a recovery code.
 * - `totpActive`, `totpInactive`: enrolment where one is active; proof where none is.
 * - `emailCodeNeeded`, `emailCodeWrong`: wrong, expired, used, burnt and foreign codes are one.
 * - `tooManyAttempts`, `tooManyCodes`: with `retryAfterMs`.
 */
export type PersonRefusalName =
  | 'credentialsWrong'
  | 'totpNeeded'
  | 'totpWrong'
  | 'totpActive'
  | 'totpInactive'
  | 'emailCodeNeeded'
  | 'emailCodeWrong'
  | 'tooManyAttempts'
  | 'tooManyCodes';

/** As Refusal, of a person's proof of who they are. */
export interface PersonRefusal {
  readonly ok: false;
  readonly name: PersonRefusalName;
  /** The field of the request that the sentence is about. */
  readonly field: string;
  readonly text: string;
  /** When it is worth trying again, in milliseconds from now; null where waiting does not help. */
  readonly retryAfterMs: number | null;
}

/** A refusal of a person's proof; `text` says what to do. */
export function refusePerson(
  name: PersonRefusalName,
  field: string,
  text: string,
  retryAfterMs: number | null = null,
): PersonRefusal {
  return { ok: false, name, field, text, retryAfterMs };
}

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
  override readonly name: string = 'IdentityError';
}

/** Something other than agio has changed identity.db; `what` names the table and the row. */
export class AlteredError extends IdentityError {
  override readonly name = 'AlteredError';

  constructor(what: string) {
    super(
      `identity.db was altered by something other than agio: ${what}. Find out who can write to ` +
        'the data directory, then restore identity.db and the journal from one backup.',
    );
  }
}
