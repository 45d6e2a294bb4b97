// What a caller reads when the views do not answer in time, or the disk takes nothing.
import { Problem } from '../contract/problem.ts';
import { diskTroubleOf } from '../views/disk-trouble.ts';
import type { ViewsUnavailable } from '../views/views.ts';

const RETRY = { 'Retry-After': '1' };

/** 503; `known` is a sentence about what is known without the history. */
export function historyUnavailable({ reason, lag }: ViewsUnavailable, known = ''): Problem {
  const why =
    reason === 'behind'
      ? `The history is ${lag} commands behind.`
      : 'The history cannot be read just now.';
  return new Problem('historyUnavailable', {
    userMsg: `${known}${why} Try again shortly.`,
    // What is wrong with the disk is for operators: /ready and the log say it.
    details: { rule: reason === 'behind' ? 'behind' : 'unavailable' },
    headers: RETRY,
  });
}

/** A part of the call may have been done, so it does not say that nothing was. */
const UNSTORED =
  'The service cannot store data just now. Try again later; look first whether it was done.';

/** 503 for what the disk has refused; null for an error that it is not to blame for. */
export function unstored(error: unknown): Problem | null {
  const trouble = diskTroubleOf(error);
  if (trouble === null || trouble === 'damaged') return null;
  return new Problem('storageFull', { userMsg: UNSTORED, headers: { 'Retry-After': '10' } });
}
