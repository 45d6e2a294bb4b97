// The user's favorite pairs, which this browser remembers.
import { useMemo } from 'react';
import { stored } from '../session/stored.ts';

const text = stored(localStorage, 'agio.favorites');

/** Keeps the list small, whatever is stored. */
const MAX_FAVORITES = 100;

/** Reads the stored text; a text of another form is an empty list. */
export function parseFavorites(stored: string | null): readonly string[] {
  const symbols = (stored ?? '').split(' ').filter((symbol) => /^[A-Z0-9-]{3,40}$/.test(symbol));
  return [...new Set(symbols)].slice(0, MAX_FAVORITES);
}

export const toggled = (favorites: readonly string[], symbol: string): readonly string[] =>
  favorites.includes(symbol)
    ? favorites.filter((other) => other !== symbol)
    : [...favorites, symbol].slice(-MAX_FAVORITES);

export function useFavorites() {
  const kept = text.use();
  const favorites = useMemo(() => parseFavorites(kept), [kept]);
  return {
    favorites,
    toggle: (symbol: string) => text.set(toggled(favorites, symbol).join(' ')),
  };
}
