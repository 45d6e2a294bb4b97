// A write that the exchange lets through only with a fresh authenticator code: where it says so the code is asked for, and the
// write is sent again.
import { type ReactNode, useState } from 'react';
import { Code, hasCode } from '../api/refusal.ts';
import { type Action, type ActionOptions, useAction } from './action.ts';
import { StepUp } from './step-up.tsx';

export interface SteppedUp<A extends readonly unknown[], R> extends Action<A, R> {
  /** To be placed beside the control that runs the action, and outside of a form. */
  readonly dialog: ReactNode;
}

/** As useAction, for calls that may be answered with stepUpNeeded; closing the dialog sends nothing. */
export function useSteppedUp<A extends readonly unknown[], R>(
  work: (...args: A) => Promise<R>,
  options: ActionOptions<R> = {},
): SteppedUp<A, R> {
  const [waiting, setWaiting] = useState<A | null>(null);
  const asking = async (...args: A): Promise<R> => {
    try {
      return await work(...args);
    } catch (error) {
      if (hasCode(error, Code.stepUpNeeded)) setWaiting(args);
      throw error;
    }
  };
  const action = useAction(asking, options);
  const again = () => {
    setWaiting(null);
    if (waiting !== null) action.run(...waiting);
  };
  return {
    ...action,
    // That a code is needed is a question, not a mistake.
    error: hasCode(action.error, Code.stepUpNeeded) ? null : action.error,
    dialog: <StepUp opened={waiting !== null} onClose={() => setWaiting(null)} onDone={again} />,
  };
}
