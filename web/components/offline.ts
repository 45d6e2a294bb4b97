// Whether there is a network at all, as far as the browser knows.
import { useSyncExternalStore } from 'react';

/** Whether the browser knows that it has no network, which it does long before a request is given up. */
export function useOffline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener);
      window.addEventListener('offline', listener);
      return () => {
        window.removeEventListener('online', listener);
        window.removeEventListener('offline', listener);
      };
    },
    () => !navigator.onLine,
  );
}
