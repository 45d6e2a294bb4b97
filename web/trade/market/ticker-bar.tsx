// The favorite pairs above the desk, with their last price and change; nothing without favorites.
import { memo } from 'react';
import { Link } from 'wouter';
import { Change } from '../../components/figures.tsx';
import { grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { useFavorites } from '../../markets/favorites.tsx';
import { markets as t } from '../../messages/markets.ts';
import { pairRows } from './pair-rows.ts';
import styles from './ticker-bar.module.css';

export const TickerBar = memo(function TickerBar({ current }: { readonly current: string }) {
  const { favorites } = useFavorites();
  const { data: instruments = [] } = useLive(feeds.instruments);
  const { data: tickers } = useLive(feeds.tickers);
  const chosen = instruments.filter(({ symbol }) => favorites.includes(symbol));
  if (chosen.length === 0) return null;
  return (
    <nav className={styles.bar} aria-label={t.favorites}>
      {pairRows(chosen, tickers).map(({ symbol, last, priceDecimals, change }) => (
        <Link
          key={symbol}
          href={`/trade/${symbol}`}
          className={styles.pair}
          aria-current={symbol === current ? 'page' : undefined}
        >
          <b>{symbol}</b>
          <span className="figures">{last === null ? '–' : grouped(last, priceDecimals)}</span>
          <Change rate={change} />
        </Link>
      ))}
    </nav>
  );
});
