// Whether the browser has a network.
import { useSyncExternalStore } from 'react';

/** Whether the browser reports no network, which it does long before a request times out. */
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
