// The rejection that a thrown error becomes: of the engine, the views, the disk, or an internal
// error.
import { asEarnProblem, Problem, type ProblemName } from '../../contract/problem.ts';
import { EngineError } from '../../engine/command-port.ts';
import { NotLeadingError } from '../../identity/result.ts';
import { diskTroubleOf } from '../../views/disk-trouble.ts';
import { ViewsUnavailable } from '../../views/views.ts';

/** The Problem of an error; `log` receives an error that has no other rejection. */
export function problemOf(error: unknown, log: (error: unknown) => void): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof EngineError && error.kind !== 'failed') {
    const kind = error.kind === 'leaderLost' ? 'outcomeUnknown' : error.kind;
    return shortly(kind, kind === 'notReady' ? error.message : undefined);
  }
  // The term ended during a call; what it wrote before may be durable.
  if (error instanceof NotLeadingError) return shortly('outcomeUnknown');
  if (error instanceof ViewsUnavailable) return historyUnavailable(error);
  // The engine has reported the failure once, and many calls may have been in flight.
  if (error instanceof EngineError) return new Problem('internal');
  log(error);
  return unstored(error) ?? new Problem('internal');
}

/** `userMsg` replaces the sentence of the table. */
const shortly = (name: ProblemName, userMsg?: string): Problem =>
  new Problem(name, {
    ...(userMsg === undefined ? {} : { userMsg }),
    headers: { 'Retry-After': '1' },
  });

/** The Problem as the earn area has it. */
export function earnProblemOf(error: unknown, problem: Problem): Problem {
  const failed = error instanceof EngineError && error.kind === 'failed';
  return failed ? new Problem('transactionFailed') : asEarnProblem(problem);
}

/** The Problem of views that do not answer in time; `known` is a sentence of earlier facts. */
export function historyUnavailable({ reason, lag }: ViewsUnavailable, known = ''): Problem {
  const why =
    reason === 'behind'
      ? `The history is ${lag.toLocaleString('en')} commands behind.`
      : 'The history cannot be read just now.';
  return new Problem('historyUnavailable', {
    userMsg: `${known}${why} Try again shortly.`,
    // Only operators learn the fault of the disk: /ready and the log have it.
    details: { rule: reason === 'behind' ? 'behind' : 'unavailable' },
    headers: { 'Retry-After': '1' },
  });
}

/** The Problem of a disk that takes no writes; null for an error with another cause. */
function unstored(error: unknown): Problem | null {
  const trouble = diskTroubleOf(error);
  if (trouble === null || trouble === 'damaged') return null;
  return new Problem('storageFull', {
    // A part of the call may be done, so the sentence does not exclude that.
    userMsg:
      'The service cannot store data just now. Try again later; first check whether the request ' +
      'was done.',
    headers: { 'Retry-After': '10' },
  });
}
