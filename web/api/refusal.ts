// What a call may end in besides its answer. A Refused is the server's own sentence with what would have been accepted;
// a NotReached says that nobody knows whether a write was carried out.

/** What would have been accepted; values are decimals as text, or words. */
export interface RefusalDetails {
  readonly field?: string;
  readonly rule?: string;
  readonly limit?: string;
  readonly value?: string;
  readonly nearest?: string;
}

/** The server has understood the call and says no; nothing was changed. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    /** The permanent code, such as 100208; of the earn area its errorCode, such as 40002. */
    readonly code: number,
    readonly status: number,
    message: string,
    readonly details: RefusalDetails = {},
    /** When to try again, for 429 and 503. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}

/** There was no answer: the network, or a server that is starting or stopping. */
export class NotReached extends Error {
  override readonly name = 'NotReached';

  constructor() {
    super('The exchange cannot be reached. What was sent may or may not have arrived.');
  }
}

/** Codes that pages act on (docs/errors.md). */
export const Code = {
  invalidField: 100200,
  offIncrement: 100208,
  totpNeeded: 100302,
  emailCodeNeeded: 100306,
  stepUpNeeded: 100311,
  faucetUsed: 100312,
  sessionInvalid: 100401,
  needKyc: 40011,
} as const;

/** Whether the login has ended, so that the caller has to log in again. */
export const isLoggedOut = (error: unknown): boolean =>
  error instanceof Refused && error.status === 401 && error.code === Code.sessionInvalid;

export const hasCode = (error: unknown, code: number): error is Refused =>
  error instanceof Refused && error.code === code;
