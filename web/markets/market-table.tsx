// Markets as rows: star, pair, price, the last 24 hours and a link to trade.
import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Ticker } from '../../src/sdk/index.ts';
import { AssetIcon } from '../components/asset-icon.tsx';
import { Change } from '../components/figures.tsx';
import { compact, grouped } from '../exact/format.ts';
import { markets as t } from '../messages/markets.ts';
import type { PairRow, PairSort } from '../trade/market/pair-rows.ts';
import { assetsOf } from '../trade/pair.ts';
import { FavoriteStar } from './favorites.tsx';
import styles from './markets.module.css';
import { Sparkline } from './sparkline.tsx';

interface Sorting {
  readonly sort: PairSort;
  readonly descending: boolean;
  readonly onSort: (sort: PairSort) => void;
}

interface MarketTableProps {
  readonly rows: readonly PairRow[];
  readonly tickers: readonly Ticker[];
  /** Without it, the columns cannot be sorted. */
  readonly sorting?: Sorting;
}

export function MarketTable({ rows, tickers, sorting }: MarketTableProps) {
  const bySymbol = new Map(tickers.map((ticker) => [ticker.symbol, ticker]));
  const { columns } = t;
  const head = (sort: PairSort | null, label: string): ReactNode =>
    sort === null || sorting === undefined ? (
      label
    ) : (
      <UnstyledButton
        className={styles.sort}
        onClick={() => sorting.onSort(sort)}
        aria-label={t.sortBy(label)}
        aria-pressed={sorting.sort === sort}
      >
        {label}
        <span aria-hidden>{sorting.sort !== sort ? '' : sorting.descending ? ' ↓' : ' ↑'}</span>
      </UnstyledButton>
    );
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={t.title}>
        <thead>
          <tr>
            <th scope="col">{head('name', columns.pair)}</th>
            <th scope="col">{head('price', columns.price)}</th>
            <th scope="col">{head('change', columns.change)}</th>
            <th scope="col" data-wide>
              {columns.high}
            </th>
            <th scope="col" data-wide>
              {columns.low}
            </th>
            <th scope="col" data-middle>
              {head('volume', columns.volume)}
            </th>
            <th scope="col" data-middle>
              {columns.day}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.symbol} row={row} ticker={bySymbol.get(row.symbol)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: PairRow;
  readonly ticker: Ticker | undefined;
}

function Row({ row, ticker }: RowProps) {
  const { symbol, last, priceDecimals, change, volume } = row;
  const [base, quote] = assetsOf(symbol);
  const price = (value: string | null | undefined): string =>
    value == null ? '–' : grouped(value, priceDecimals);
  return (
    <tr>
      <th scope="row">
        <span className={styles.name}>
          <FavoriteStar symbol={symbol} />
          <Link href={`/trade/${symbol}`} className={styles.pair}>
            <AssetIcon asset={base} />
            <b>{base}</b>
            <span className="dim"> / {quote}</span>
          </Link>
        </span>
      </th>
      <td className="figures">{price(last)}</td>
      <td>
        <Change rate={change} />
      </td>
      <td className="figures" data-wide>
        {price(ticker?.highPrice)}
      </td>
      <td className="figures" data-wide>
        {price(ticker?.lowPrice)}
      </td>
      <td className="figures" data-middle>
        {compact(volume)} <span className="dim">{quote}</span>
      </td>
      <td data-middle>
        <Sparkline ticker={ticker} change={change} />
      </td>
    </tr>
  );
}
