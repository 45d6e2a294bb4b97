// The first step of a registration or reset: the server emails a code, or says how long to wait.
import { useState } from 'react';
import { Refused } from '../api/refusal.ts';
import { type Action, useAction } from '../components/action.ts';
import { useCountdown } from '../components/countdown.ts';

export interface Mailing<A extends readonly unknown[], R> {
  readonly action: Action<[string, ...A], R>;
  /** Seconds until this address can be tried again; another address has its own limit. */
  readonly leftFor: (address: string) => number;
}

export function useMailing<A extends readonly unknown[], R>(
  send: (address: string, ...rest: A) => Promise<R>,
  onDone: (result: R) => void,
): Mailing<A, R> {
  const countdown = useCountdown();
  const [waits, setWaits] = useState<string | null>(null);
  const sendOrWait = async (address: string, ...rest: A): Promise<R> => {
    try {
      return await send(address, ...rest);
    } catch (error) {
      if (error instanceof Refused) {
        setWaits(address);
        countdown.start((error.retryAfterMs ?? 0) / 1000);
      }
      throw error;
    }
  };
  return {
    action: useAction(sendOrWait, { onDone }),
    leftFor: (address) => (waits === address ? countdown.left : 0),
  };
}

/** The label of the step's button. */
export const continueWord = (left: number): string =>
  left > 0 ? `Again in ${left} s` : 'Continue';
