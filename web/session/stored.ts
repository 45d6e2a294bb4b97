// A short text in the browser's storage. It survives a reload, and components follow its changes.
import { useSyncExternalStore } from 'react';

export interface StoredText {
  readonly get: () => string | null;
  /** null removes it. */
  readonly set: (value: string | null) => void;
  readonly use: () => string | null;
}

/** All tabs share `localStorage`; `sessionStorage` belongs to one tab. */
export function stored(storage: Storage, key: string): StoredText {
  const listeners = new Set<() => void>();
  const emit = () => {
    for (const listener of listeners) listener();
  };
  window.addEventListener('storage', (event) => {
    if (event.storageArea === storage && event.key === key) emit();
  });
  const get = () => storage.getItem(key);
  return {
    get,
    set(value) {
      if (value === null) storage.removeItem(key);
      else storage.setItem(key, value);
      emit();
    },
    use: () =>
      useSyncExternalStore((listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      }, get),
  };
}

/** A setting of this browser with a fixed list of values. */
export function storedChoice<T extends string>(
  key: string,
  values: readonly T[],
  initial: T = values[0]!,
) {
  const text = stored(localStorage, key);
  const choiceOf = (chosen: string | null): T =>
    values.find((value) => value === chosen) ?? initial;
  return {
    get: (): T => choiceOf(text.get()),
    use: (): T => choiceOf(text.use()),
    set: (value: T): void => text.set(value),
  };
}
