// The star of a pair, which makes it a favorite.
import { ActionIcon } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { markets as t } from '../messages/markets.ts';
import { useFavorites } from './favorites.ts';

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
