// Errors of identity for the operator: the state on disk or the configuration is not usable.

/** The process cannot continue; the message says what the operator can do. */
export class IdentityError extends Error {
  override readonly name: string = 'IdentityError';
}

/** Something other than agio changed identity.db; `what` names the table and the row. */
export class AlteredError extends IdentityError {
  override readonly name = 'AlteredError';

  constructor(what: string) {
    super(
      `identity.db was altered by something other than agio: ${what}. Find out who can write to ` +
        'the data directory, then restore identity.db and the journal from one backup.',
    );
  }
}
