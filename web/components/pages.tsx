// Paging of a list with numbered pages. A list that continues from its last row uses pager.tsx.
import { Pagination } from '@mantine/core';
import { count as formatCount } from '../exact/format.ts';
import { common as t } from '../messages/common.ts';
import styles from './pages.module.css';

export interface PagesProps {
  readonly page: number;
  /** The number of pages. */
  readonly total: number;
  readonly onChange: (page: number) => void;
  /** The name of the rows and their count: users, 1234. */
  readonly of?: string;
  readonly count?: number;
}

/** The count, and the pages if there are several. */
export function Pages({ page, total, onChange, of = t.inTotal, count }: PagesProps) {
  if (count === undefined && total <= 1) return null;
  return (
    <div className={styles.pages}>
      <span className="dim figures">
        {count === undefined ? null : t.countOf(formatCount(count), of)}
      </span>
      {total > 1 ? (
        <Pagination
          total={total}
          value={page}
          onChange={onChange}
          size="sm"
          getControlProps={(control) => ({ 'aria-label': t.pageControl(control) })}
          getItemProps={(item) => ({ 'aria-label': t.page(item) })}
        />
      ) : null}
    </div>
  );
}
