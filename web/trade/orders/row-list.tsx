// The rows of an order list: a table, or cards on phones, where a table would scroll sideways.
import { useMediaQuery } from '@mantine/hooks';
import { Fragment, type ReactNode } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import styles from './row-list.module.css';

/** `onCard`: a line of the card, besides its head. */
export type RowColumn<T> = Column<T> & { readonly onCard?: boolean };

export interface RowListProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
  /** The columns of the table; a card shows those with `onCard`. */
  readonly columns: readonly RowColumn<T>[];
  /** The head of a card. */
  readonly head: (row: T) => ReactNode;
  /** At the right of the head of a card. */
  readonly aside: (row: T) => ReactNode;
}

export function RowList<T>({ label, rows, keyOf, columns, head, aside }: RowListProps<T>) {
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  if (!isPhone) return <DataTable label={label} rows={rows} columns={columns} keyOf={keyOf} />;
  const lines = columns.filter(({ onCard }) => onCard);
  return (
    <ul className={styles.list} aria-label={label}>
      {rows.map((row) => (
        <li key={keyOf(row)} className={styles.card}>
          <div className={styles.head}>
            <span>{head(row)}</span>
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
        </li>
      ))}
    </ul>
  );
}
