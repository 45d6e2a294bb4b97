// A choice of one coin, or of all.
import { Select } from '@mantine/core';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { enterprise as text } from '../messages/enterprise.ts';

export interface CoinChoiceProps {
  /** undefined: all coins. */
  readonly value: string | undefined;
  readonly onChange: (coin: string | undefined) => void;
}

export function CoinChoice({ value, onChange }: CoinChoiceProps) {
  const { data = [] } = useLive(feeds.assets);
  return (
    <Select
      size="xs"
      w={120}
      aria-label={text.coin}
      value={value ?? ''}
      onChange={(coin) => onChange(coin === '' || coin === null ? undefined : coin)}
      data={[{ value: '', label: text.allCoins }, ...data.map(({ asset }) => asset)]}
      allowDeselect={false}
    />
  );
}
