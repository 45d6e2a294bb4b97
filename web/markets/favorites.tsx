// The user's favorite pairs, which this browser remembers, and the star that makes a pair one.
import { ActionIcon } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useMemo } from 'react';
import { markets as t } from '../messages/markets.ts';
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

export function FavoriteStar({ symbol }: { readonly symbol: string }) {
  const { favorites, toggle } = useFavorites();
  const isFavorite = favorites.includes(symbol);
  return (
    <ActionIcon
      variant="subtle"
      color={isFavorite ? 'yellow' : 'gray'}
      size="sm"
      onClick={() => toggle(symbol)}
      aria-pressed={isFavorite}
      aria-label={isFavorite ? t.removeFavorite(symbol) : t.addFavorite(symbol)}
    >
      {isFavorite ? <IconStarFilled size={14} /> : <IconStar size={14} stroke={1.6} />}
    </ActionIcon>
  );
}
