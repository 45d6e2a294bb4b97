// The rows of an order list: a table, or cards on phones, where a table would scroll sideways.
import { useMediaQuery } from '@mantine/hooks';
import { Fragment, type ReactNode, useState } from 'react';
import {
  type Column,
  DataTable,
  type Detail,
  ToggleButton,
  useOpenRows,
} from '../../components/data-table.tsx';
import { Loaded } from '../../components/layout.tsx';
import { Pager } from '../../components/paging.tsx';
import { type Feed, useLive } from '../../live/live.ts';
import { common } from '../../messages/common.ts';
import styles from './row-list.module.css';

/** `onCard`: a line of the card, besides its head. */
export type RowColumn<T> = Column<T> & { readonly onCard?: boolean };

interface RowListProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
  /** The columns of the table; a card shows those with `onCard`. */
  readonly columns: readonly RowColumn<T>[];
  /** The head of a card. */
  readonly head: (row: T) => ReactNode;
  /** At the right of the head of a card. */
  readonly aside: (row: T) => ReactNode;
  readonly detail?: Detail<T>;
}

export function RowList<T>(props: RowListProps<T>) {
  const { label, rows, keyOf, columns, head, aside, detail } = props;
  const { isOpen, toggle } = useOpenRows();
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  if (!isPhone) return <DataTable {...{ label, rows, columns, keyOf, detail }} />;
  const lines = columns.filter(({ onCard }) => onCard);
  return (
    <ul className={styles.list} aria-label={label}>
      {rows.map((row) => (
        <li key={keyOf(row)} className={styles.card}>
          <div className={styles.head}>
            <span>
              {detail === undefined ? null : (
                <ToggleButton
                  label={detail.label(row)}
                  isOpen={isOpen(keyOf(row))}
                  onToggle={() => toggle(keyOf(row))}
                />
              )}{' '}
              {head(row)}
            </span>
            <span className={styles.aside}>{aside(row)}</span>
          </div>
          <dl className={styles.facts}>
            {lines.map(({ title, render }) => (
              <Fragment key={title}>
                <dt>{title}</dt>
                <dd>{render(row)}</dd>
              </Fragment>
            ))}
          </dl>
          {detail !== undefined && isOpen(keyOf(row)) ? detail.render(row) : null}
        </li>
      ))}
    </ul>
  );
}

/** A page of a list that continues from its last row. */
export interface RowPage<T> {
  readonly rows: readonly T[];
  /** The id after which the next page continues; null on the last page. */
  readonly next: number | null;
}

interface PagedRowsProps<T> extends Omit<RowListProps<T>, 'rows'> {
  /** The page below an id; null asks for the newest page. */
  readonly feed: (below: number | null) => Feed<RowPage<T>>;
  /** The name of the list for the buttons that turn pages. */
  readonly list: string;
  readonly empty: ReactNode;
}

export function PagedRows<T>({ feed, list, empty, ...rest }: PagedRowsProps<T>) {
  /** Where each page up to this one continues. */
  const [turned, setTurned] = useState<readonly number[]>([]);
  const live = useLive(feed(turned.at(-1) ?? null));
  return (
    <Loaded
      live={live}
      rows={3}
      isEmpty={({ rows, next }) => rows.length === 0 && next === null && turned.length === 0}
      empty={empty}
    >
      {({ rows, next }) => (
        <>
          <RowList {...rest} rows={rows} />
          <Pager
            label={list}
            where={common.page(turned.length + 1)}
            onNewer={turned.length === 0 ? null : () => setTurned(turned.slice(0, -1))}
            onOlder={next === null ? null : () => setTurned([...turned, next])}
          />
        </>
      )}
    </Loaded>
  );
}
