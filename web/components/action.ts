// A write as a page sees it: whether it is under way, what it came to, and what is read anew after it.
import { notifications } from '@mantine/notifications';
import { useCallback, useRef, useState } from 'react';
import { isLoggedOut } from '../api/refusal.ts';
import { refresh } from '../live/live.ts';

export interface ActionOptions<R> {
  /** Said in a corner of the page when it is done. */
  readonly done?: string | ((result: R) => string | null);
  /** Names of the feeds that show its effect. */
  readonly refreshes?: readonly (readonly (string | number | null)[])[];
  readonly onDone?: (result: R) => void;
}

export interface Action<A extends readonly unknown[], R> {
  /** Resolves to undefined where it failed; `error` then says why. A second click while it runs does nothing. */
  readonly run: (...args: A) => Promise<R | undefined>;
  readonly pending: boolean;
  readonly error: unknown;
  readonly clear: () => void;
}

export function useAction<A extends readonly unknown[], R>(
  work: (...args: A) => Promise<R>,
  options: ActionOptions<R> = {},
): Action<A, R> {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const busy = useRef(false);
  const run = async (...args: A): Promise<R | undefined> => {
    if (busy.current) return undefined;
    busy.current = true;
    setPending(true);
    setError(null);
    try {
      const result = await work(...args);
      const { done, refreshes = [], onDone } = options;
      const message = typeof done === 'function' ? done(result) : (done ?? null);
      if (message !== null) notifications.show({ message, color: 'teal' });
      refresh(...refreshes);
      onDone?.(result);
      return result;
    } catch (failure) {
      setError(failure);
      if (isLoggedOut(failure)) refresh(['me']);
      return undefined;
    } finally {
      busy.current = false;
      setPending(false);
    }
  };
  const clear = useCallback(() => setError(null), []);
  return { run, pending, error, clear };
}
