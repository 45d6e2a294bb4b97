// What a caller reads when the views do not answer in time.
import { Problem } from '../contract/problem.ts';
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
