// The pairs with their day: searched, sorted, and a way to each.
import { TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import { Change } from '../../components/figures.tsx';
import { Loaded } from '../../components/states.tsx';
import { compact, grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { STATUS_WORDS } from '../pair.ts';
import styles from './pair-list.module.css';
import { foundPairs, type PairRow, type PairSort, pairRows } from './pair-rows.ts';

export interface PairListProps {
  /** The symbol that is being looked at. */
  readonly current: string | null;
  readonly onPicked?: () => void;
}

const SORTS: readonly (readonly [PairSort, string])[] = [
  ['name', 'Pair'],
  ['volume', 'Volume'],
  ['change', '24 h'],
];

export function PairList({ current, onPicked }: PairListProps) {
  const instruments = useLive(feeds.instruments);
  const { data: tickers } = useLive(feeds.tickers);
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<PairSort>('volume');
  const [descending, setDescending] = useState(true);
  const sortBy = (next: PairSort) => {
    setDescending(next === sort ? !descending : next !== 'name');
    setSort(next);
  };
  return (
    <div className={styles.frame}>
      <TextInput
        className={styles.search}
        leftSection={<IconSearch size={15} aria-hidden />}
        placeholder="Search"
        aria-label="Search pairs"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        data-autofocus
      />
      <fieldset className={styles.sorts} aria-label="Sort by">
        {SORTS.map(([name, label]) => (
          <UnstyledButton
            key={name}
            onClick={() => sortBy(name)}
            aria-pressed={sort === name}
            className={styles.sort}
          >
            {label}
            <span aria-hidden>{sort === name ? (descending ? ' ↓' : ' ↑') : ''}</span>
          </UnstyledButton>
        ))}
      </fieldset>
      <Loaded live={instruments}>
        {(all) => {
          const found = foundPairs(pairRows(all, tickers), search, sort, descending);
          if (found.length === 0) return <p className={styles.none}>No pair matches “{search}”.</p>;
          return (
            <ul className={styles.list}>
              {found.map((row) => (
                <li key={row.symbol}>
                  <PairLink row={row} isCurrent={row.symbol === current} onPicked={onPicked} />
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </div>
  );
}

interface PairLinkProps {
  readonly row: PairRow;
  readonly isCurrent: boolean;
  readonly onPicked: (() => void) | undefined;
}

function PairLink({ row, isCurrent, onPicked }: PairLinkProps) {
  const search = useSearch();
  const [base, quote] = row.symbol.split('-');
  return (
    <Link
      href={`/trade/${row.symbol}${search === '' ? '' : `?${search}`}`}
      className={styles.row}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onPicked}
    >
      <span>
        <b>{base}</b>
        <span className="dim"> / {quote}</span>
        {row.status === 'LIVE' ? null : (
          <span className={styles.status}>{STATUS_WORDS[row.status].short}</span>
        )}
      </span>
      <span className={styles.volume} title={`24 h volume ${grouped(row.volume)} ${quote}`}>
        {compact(row.volume)}
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
