// The way through the pages of a list.
import { Pagination } from '@mantine/core';
import styles from './enterprise.module.css';

export interface PagesProps {
  readonly page: number;
  /** As the exchange says it: how many pages, how many rows. */
  readonly total: string;
  readonly count: string;
  readonly onChange: (page: number) => void;
}

export function Pages({ page, total, count, onChange }: PagesProps) {
  return (
    <div className={styles.pages}>
      <span className="dim figures">{count} in all</span>
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
