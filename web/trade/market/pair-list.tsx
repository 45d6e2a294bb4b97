// The list of pairs with their last 24 hours: search, sort, and a link to each. Favorites come
// first.
import { TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { moveAlong } from '../../components/arrow-keys.ts';
import { Change } from '../../components/figures.tsx';
import { Loaded } from '../../components/layout.tsx';
import { compact, grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { FavoriteStar, useFavorites } from '../../markets/favorites.tsx';
import { trade as t } from '../../messages/trade.ts';
import styles from './pair-list.module.css';
import { foundPairs, type PairRow, type PairSort, pairRows } from './pair-rows.ts';

export interface PairListProps {
  /** The symbol of the current page. */
  readonly current: string | null;
  readonly onPicked?: () => void;
}

const SORTS: readonly (readonly [PairSort, string])[] = [
  ['name', t.market.pair],
  ['volume', t.market.volume],
  ['change', t.market.priceAndChange],
];

export function PairList({ current, onPicked }: PairListProps) {
  const instruments = useLive(feeds.instruments);
  const { data: tickers } = useLive(feeds.tickers);
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<PairSort>('volume');
  const [descending, setDescending] = useState(true);
  const [, navigate] = useLocation();
  const addressOf = usePairAddress();
  const { favorites } = useFavorites();
  const isOther = ({ symbol }: PairRow): number => (favorites.includes(symbol) ? 0 : 1);
  const found = foundPairs(
    pairRows(instruments.data ?? [], tickers),
    search,
    sort,
    descending,
  ).toSorted((a, b) => isOther(a) - isOther(b));
  /** The pair that Enter opens; none without a search. */
  const next = search.trim() === '' ? undefined : found[0];
  const sortBy = (chosen: PairSort) => {
    setDescending(chosen === sort ? !descending : chosen !== 'name');
    setSort(chosen);
  };
  const goNext = (event: FormEvent) => {
    event.preventDefault();
    if (next === undefined) return;
    navigate(addressOf(next.symbol));
    onPicked?.();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys lead to the links
    <div className={styles.frame} onKeyDown={(event) => moveAlong(event, 'input, a')}>
      <form onSubmit={goNext}>
        <TextInput
          className={styles.search}
          leftSection={<IconSearch size={15} aria-hidden />}
          placeholder={t.market.search}
          aria-label={t.market.searchPairs}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          data-autofocus
          data-pair-search
        />
      </form>
      <SortButtons sort={sort} descending={descending} onSort={sortBy} />
      <Loaded live={instruments}>
        {() =>
          found.length === 0 ? (
            <p className={styles.none}>{t.market.noMatch(search)}</p>
          ) : (
            <ul className={styles.list}>
              {found.map((row) => (
                <li key={row.symbol} className={styles.item}>
                  <FavoriteStar symbol={row.symbol} />
                  <PairLink
                    row={row}
                    href={addressOf(row.symbol)}
                    isCurrent={row.symbol === current}
                    isNext={row === next}
                    onPicked={onPicked}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}

interface SortButtonsProps {
  readonly sort: PairSort;
  readonly descending: boolean;
  readonly onSort: (sort: PairSort) => void;
}

function SortButtons({ sort, descending, onSort }: SortButtonsProps) {
  return (
    <fieldset className={styles.sorts} aria-label={t.market.sortBy}>
      {SORTS.map(([name, label]) => (
        <UnstyledButton
          key={name}
          onClick={() => onSort(name)}
          aria-pressed={sort === name}
          className={styles.sort}
        >
          {label}
          <span aria-hidden>{sort === name ? (descending ? ' ↓' : ' ↑') : ''}</span>
        </UnstyledButton>
      ))}
    </fieldset>
  );
}

/** The address of a pair's page; it keeps the query string. */
function usePairAddress(): (symbol: string) => string {
  const search = useSearch();
  return (symbol) => `/trade/${symbol}${search === '' ? '' : `?${search}`}`;
}

interface PairLinkProps {
  readonly row: PairRow;
  readonly href: string;
  readonly isCurrent: boolean;
  /** Enter in the search opens this pair. */
  readonly isNext: boolean;
  readonly onPicked: (() => void) | undefined;
}

function PairLink({ row, href, isCurrent, isNext, onPicked }: PairLinkProps) {
  const [base, quote] = row.symbol.split('-');
  return (
    <Link
      href={href}
      className={styles.row}
      data-next={isNext || undefined}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onPicked}
    >
      <span>
        <b>{base}</b>
        <span className="dim"> / {quote}</span>
        {row.status === 'LIVE' ? null : (
          <span className={styles.status}>{t.status[row.status].short}</span>
        )}
      </span>
      <span className={styles.volume} title={`${t.market.volume} ${grouped(row.volume)} ${quote}`}>
        {compact(row.volume)} {quote}
      </span>
      <span className={styles.price}>
        <span className="figures">
          {row.last === null ? '–' : grouped(row.last, row.priceDecimals)}
        </span>
        <Change rate={row.change} />
      </span>
    </Link>
  );
}
