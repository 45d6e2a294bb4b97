// Rows on a telephone, where a table would have to be scrolled sideways: each row with its head, what to do about it, and its
// facts below.
import { Fragment, type ReactNode } from 'react';
import styles from './row-cards.module.css';

export interface RowCardsProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly head: (row: T) => ReactNode;
  /** At the right of the head. */
  readonly aside: (row: T) => ReactNode;
  readonly facts: (row: T) => readonly (readonly [string, ReactNode])[];
}

export function RowCards<T>({ label, rows, keyOf, head, aside, facts }: RowCardsProps<T>) {
  return (
    <ul className={styles.list} aria-label={label}>
      {rows.map((row) => (
        <li key={keyOf(row)} className={styles.card}>
          <div className={styles.head}>
            <span>{head(row)}</span>
            <span className={styles.aside}>{aside(row)}</span>
          </div>
          <dl className={styles.facts}>
            {facts(row).map(([name, value]) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </Fragment>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}
