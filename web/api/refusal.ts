// The errors of calls as the pages use them: a refusal with the server's sentence, or no answer,
// which leaves open whether a write was carried out.
import { NotReached, OutcomeUnknown, Refused } from '../../src/sdk/errors.ts';
import { Code } from '../../src/sdk/generated/codes.ts';

export { Code, Refused };

/** There was no answer, because of the network or a server that starts or stops. */
export const isNotReached = (error: unknown): error is NotReached | OutcomeUnknown =>
  error instanceof NotReached || error instanceof OutcomeUnknown;

/**
 * A refusal that leaves open whether an earlier, unanswered attempt of the same write was carried
 * out.
 */
export const leavesOpen = (error: unknown): boolean =>
  error instanceof Refused && !error.settlesEarlierAttempt;

/** An error that the page itself found. Its message is a sentence for the user. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** Whether the session has ended, so that the user must log in again. */
export const isLoggedOut = (error: unknown): boolean =>
  error instanceof Refused && error.status === 401 && error.code === Code.unauthorized;

export const hasCode = (error: unknown, code: number): error is Refused =>
  error instanceof Refused && error.code === code;
