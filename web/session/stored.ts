// A short text that outlives a reload, and that components see change: in this tab, or in all tabs of the browser.
import { useSyncExternalStore } from 'react';

export interface Stored {
  readonly get: () => string | null;
  /** null forgets it. */
  readonly set: (value: string | null) => void;
  readonly use: () => string | null;
}

/** `localStorage` is shared by all tabs, `sessionStorage` belongs to one and ends with it. */
export function stored(storage: Storage, key: string): Stored {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  window.addEventListener('storage', (event) => {
    if (event.storageArea === storage && event.key === key) tell();
  });
  const get = () => storage.getItem(key);
  return {
    get,
    set(value) {
      if (value === null) storage.removeItem(key);
      else storage.setItem(key, value);
      tell();
    },
    use: () =>
      useSyncExternalStore((listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      }, get),
  };
}
