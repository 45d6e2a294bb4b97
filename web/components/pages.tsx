// The way through a list whose pages have numbers; for one that goes on from its last row there is pager.tsx.
import { Pagination } from '@mantine/core';
import { grouped } from '../exact/format.ts';
import styles from './pages.module.css';

export interface PagesProps {
  readonly page: number;
  /** How many pages there are, as the server says it or as it was counted here. */
  readonly total: string | number;
  readonly onChange: (page: number) => void;
  /** What is counted, and how many there are: "users", "1234". */
  readonly of?: string;
  readonly count?: string;
}

/** The count, and the pages where there is more than one. */
export function Pages({ page, total, onChange, of = 'in all', count }: PagesProps) {
  if (count === undefined && Number(total) <= 1) return null;
  return (
    <div className={styles.pages}>
      <span className="dim figures">{count === undefined ? null : `${grouped(count)} ${of}`}</span>
      {Number(total) > 1 ? (
        <Pagination
          total={Number(total)}
          value={page}
          onChange={onChange}
          size="sm"
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
        />
      ) : null}
    </div>
  );
}
