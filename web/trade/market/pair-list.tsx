// The pairs with their day: searched, sorted, and a way to each.
import { TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { Change } from '../../components/figures.tsx';
import { Loaded } from '../../components/states.tsx';
import { compact, grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { moveAlong } from '../book/rows-keyboard.ts';
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
  ['volume', '24 h volume'],
  ['change', 'Price / 24 h'],
];

export function PairList({ current, onPicked }: PairListProps) {
  const instruments = useLive(feeds.instruments);
  const { data: tickers } = useLive(feeds.tickers);
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<PairSort>('volume');
  const [descending, setDescending] = useState(true);
  const [, navigate] = useLocation();
  const addressOf = usePairAddress();
  const found = foundPairs(pairRows(instruments.data ?? [], tickers), search, sort, descending);
  /** What Enter goes to; without a search it would be a surprise. */
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
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows lead from the field to the links, which are interactive
    <div className={styles.frame} onKeyDown={(event) => moveAlong(event, 'input, a')}>
      <form onSubmit={goNext}>
        <TextInput
          className={styles.search}
          leftSection={<IconSearch size={15} aria-hidden />}
          placeholder="Search"
          aria-label="Search pairs"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          data-autofocus
        />
      </form>
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
        {() =>
          found.length === 0 ? (
            <p className={styles.none}>No pair matches “{search}”.</p>
          ) : (
            <ul className={styles.list}>
              {found.map((row) => (
                <li key={row.symbol}>
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

/** The page of a pair; what stands behind the question mark stays. */
function usePairAddress(): (symbol: string) => string {
  const search = useSearch();
  return (symbol) => `/trade/${symbol}${search === '' ? '' : `?${search}`}`;
}

interface PairLinkProps {
  readonly row: PairRow;
  readonly href: string;
  readonly isCurrent: boolean;
  /** Whether Enter in the search goes here. */
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
          <span className={styles.status}>{STATUS_WORDS[row.status].short}</span>
        )}
      </span>
      <span className={styles.volume} title={`24 h volume ${grouped(row.volume)} ${quote}`}>
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
