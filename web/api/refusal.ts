// What a call may end in besides its answer, as pages look at it: the server's own sentence with what would have been accepted,
// or that there was no answer, so that nobody knows whether a write was carried out.
import { NotReached, OutcomeUnknown, Refused } from '../../src/sdk/errors.ts';

export { Refused };

/** There was no answer: the network, or a server that is starting or stopping. */
export const isNotReached = (error: unknown): error is NotReached | OutcomeUnknown =>
  error instanceof NotReached || error instanceof OutcomeUnknown;

/** They come before the server looks at a write, or at its Idempotency-Key. */
const PASSING: readonly number[] = [401, 403, 429, 503];

/** A refusal of the caller, or for the moment: it says nothing of the same write that was sent before and never answered. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Refused && PASSING.includes(error.status);

/** What only the page itself knows to be wrong; its message is a sentence for the person who sees it. */
export class ForPeople extends Error {
  override readonly name = 'ForPeople';
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
