// What a call may end in besides its answer, as pages look at it: the server's own sentence with what would have been accepted,
// or that there was no answer, so that nobody knows whether a write was carried out.

import { NotReached, OutcomeUnknown, Refused } from '../../src/sdk/errors.ts';
import { Code } from '../../src/sdk/refusal-codes.ts';

export { Code, Refused };

/** There was no answer: the network, or a server that is starting or stopping. */
export const isNotReached = (error: unknown): error is NotReached | OutcomeUnknown =>
  error instanceof NotReached || error instanceof OutcomeUnknown;

/** A refusal that leaves open whether an earlier, unanswered attempt of the same write was carried out. */
export const leavesOpen = (error: unknown): boolean =>
  error instanceof Refused && !error.settlesEarlierAttempt;

/** What only the page itself knows to be wrong; its message is a sentence for the person who sees it. */
export class ForPeople extends Error {
  override readonly name = 'ForPeople';
}

/** Whether the login has ended, so that the caller has to log in again. */
export const isLoggedOut = (error: unknown): boolean =>
  error instanceof Refused && error.status === 401 && error.code === Code.unauthorized;

export const hasCode = (error: unknown, code: number): error is Refused =>
  error instanceof Refused && error.code === code;
