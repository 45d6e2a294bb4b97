// A write of a page: whether it is pending, its error, and the feeds that it refreshes.
import { notifications } from '@mantine/notifications';
import { useCallback, useRef, useState } from 'react';
import { isLoggedOut } from '../api/rejection.ts';
import { refresh } from '../live/live.ts';

export interface ActionOptions<R> {
  /** The notification after success; null for none. */
  readonly done?: string | ((result: R) => string | null);
  /** Keys of the feeds that it changes. */
  readonly refreshes?: readonly (readonly (string | number | null)[])[];
  readonly onDone?: (result: R) => void;
}

export interface Action<A extends readonly unknown[], R> {
  /**
   * Resolves to undefined after a failure, which is in `error`. A second call while it runs does
   * nothing.
   */
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
