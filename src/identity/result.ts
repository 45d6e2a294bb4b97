// How identity answers a user: with a value, or with a rejection that names the field of the
// request; the gateway gives it a code and a status. Within a use case or a transaction a rejection
// is thrown, and its end returns it. A thrown IdentityError is for the operator: the process cannot
// continue with this disk or configuration.

/** Why an act was rejected; the audit log has these names, so they are permanent. */
export const DENIALS = [
  // A field that identity does not accept; `rule` says why.
  'invalidField',
  'emailTaken',
  'userUnknown',
  // The email address or the password; a rejection never says which.
  'credentialsWrong',
  // A code of the authenticator app, or a recovery code.
  'totpNeeded',
  'totpWrong',
  // Enrollment where an authenticator is active; proof where none is.
  'totpActive',
  'totpInactive',
  // A wrong, expired, used or foreign code, or one with too many tries.
  'emailCodeNeeded',
  'emailCodeWrong',
  // Both have `retryAfterMs`.
  'tooManyAttempts',
  'tooManyCodes',
  'sessionInvalid',
  'loginNotRecent',
  'userSuspended',
  // Too many passwords wait to be hashed; has `retryAfterMs`.
  'overloaded',
] as const;

export type DenialName = (typeof DENIALS)[number];

export interface Denial {
  readonly ok: false;
  readonly name: DenialName;
  /** The field of the request that caused the rejection; null for the request as a whole. */
  readonly field: string | null;
  /** The broken rule, as one stable word. */
  readonly rule: string;
  /** The remedy; absent where the standard sentence of `name` has it. */
  readonly text?: string;
  /** When a retry can succeed, in milliseconds from now; null where waiting does not help. */
  readonly retryAfterMs: number | null;
}

export interface Success<T> {
  readonly ok: true;
  readonly value: T;
}

/** `F` is the type of a failure. */
export type Result<T, F = Denial> = Success<T> | F;

export const success = <T>(value: T): Success<T> => ({ ok: true, value });

/** A rejection because of `field`; the rule is the rejection's name by default. */
export const deny = (
  name: DenialName,
  field: string | null,
  {
    rule = name,
    retryAfterMs,
    ...text
  }: { readonly rule?: string; readonly text?: string; readonly retryAfterMs?: number } = {},
): Denial => ({ ok: false, name, field, rule, retryAfterMs: retryAfterMs ?? null, ...text });

/** A value of `field` that is not accepted; `text` says what is. */
export const denyField = (field: string, text: string, rule = 'invalid'): Denial =>
  deny('invalidField', field, { rule, text });

/** A failed outcome within a use case (accounts.ts) or a transaction (proofs.ts). */
export class DeniedError<F extends { readonly name: string } = Denial> extends Error {
  override readonly name = 'DeniedError';

  constructor(readonly denial: F) {
    super(denial.name);
  }
}

/** Throws DeniedError. */
export function reject<F extends { readonly name: string }>(denial: F): never {
  throw new DeniedError(denial);
}

/** The value of a result. Throws DeniedError. */
export const unwrap = <T>(result: Result<T>): T => (result.ok ? result.value : reject(result));

/** The process cannot continue; the message says what the operator can do. */
export class IdentityError extends Error {
  override readonly name: string = 'IdentityError';
}

/** No master key that was given fits; it says nothing about the files. */
export class MasterKeyError extends IdentityError {
  override readonly name = 'MasterKeyError';
}

/** Something other than agio changed identity.db; `what` says what does not fit. */
export class AlteredError extends IdentityError {
  override readonly name = 'AlteredError';

  constructor(what: string) {
    super(
      `identity.db was altered by something other than agio: ${what}. Find out who can write to ` +
        'the data directory, then restore identity.db and the journal from one backup.',
    );
  }
}

/** This node does not lead its cluster, so it cannot write identity; nothing was changed. */
export class NotLeadingError extends Error {
  override readonly name = 'NotLeadingError';

  constructor(options?: ErrorOptions) {
    super('This node does not lead the cluster: only the leader writes identity.', options);
  }
}
