// All markets: search, favorites, and an order by name, price, change or volume.
import { SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch, IconStar } from '@tabler/icons-react';
import { useState } from 'react';
import { Empty, Loaded, PageFrame, Panel } from '../components/layout.tsx';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { markets as t } from '../messages/markets.ts';
import { trade } from '../messages/trade.ts';
import { foundPairs, type PairSort, pairRows } from '../trade/market/pair-rows.ts';
import { useFavorites } from './favorites.tsx';
import { MarketTable } from './market-table.tsx';
import styles from './markets.module.css';

export default function MarketsPage() {
  const instruments = useLive(feeds.instruments);
  const { data: tickers = [] } = useLive(feeds.tickers);
  const { favorites } = useFavorites();
  const [search, setSearch] = useState('');
  const [onlyFavorites, setOnlyFavorites] = useState(false);
  const [{ sort, descending }, setOrder] = useState<{ sort: PairSort; descending: boolean }>({
    sort: 'volume',
    descending: true,
  });
  const sorting = {
    sort,
    descending,
    onSort: (next: PairSort) =>
      setOrder({ sort: next, descending: next === sort ? !descending : next !== 'name' }),
  };
  return (
    <PageFrame
      title={t.title}
      lead={instruments.data === undefined ? undefined : t.lead(instruments.data.length)}
      actions={
        <div className={styles.tools}>
          <SegmentedControl
            size="xs"
            aria-label={t.which}
            data={[
              { value: 'all', label: t.all },
              { value: 'favorites', label: t.favorites },
            ]}
            value={onlyFavorites ? 'favorites' : 'all'}
            onChange={(which) => setOnlyFavorites(which === 'favorites')}
          />
          <TextInput
            size="xs"
            leftSection={<IconSearch size={14} aria-hidden />}
            aria-label={t.search}
            placeholder={t.search}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        </div>
      }
    >
      <Panel flush>
        <Loaded
          live={instruments}
          isEmpty={(all) => all.length === 0}
          empty={<Empty title={trade.page.noPairs} hint={trade.page.noPairsWhy} />}
        >
          {(all) => {
            const rows = foundPairs(pairRows(all, tickers), search, sort, descending).filter(
              ({ symbol }) => !onlyFavorites || favorites.includes(symbol),
            );
            if (rows.length > 0) return <MarketTable {...{ rows, tickers, sorting }} />;
            if (search.trim() !== '') return <Empty title={t.noMatch(search)} />;
            return <Empty icon={IconStar} title={t.noFavorites} hint={t.noFavoritesWhy} />;
          }}
        </Loaded>
      </Panel>
    </PageFrame>
  );
}
