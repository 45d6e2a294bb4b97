// The two kinds of paging: by numbered pages, and from the last row of a page to older rows.
import { Group, Pagination, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { count as formatCount } from '../exact/format.ts';
import { common as t } from '../messages/common.ts';
import styles from './paging.module.css';
import { PlainButton } from './texts.tsx';

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

export interface PagerProps {
  /** The name of the list for screen readers, such as "statement". */
  readonly label: string;
  /** Such as "Page 2 of 7". */
  readonly where: string;
  /** null at the newest page. */
  readonly onNewer: (() => void) | null;
  /** null at the oldest page. */
  readonly onOlder: (() => void) | null;
}

/** Empty if there is only one page. */
export function Pager({ label, where, onNewer, onOlder }: PagerProps) {
  if (onNewer === null && onOlder === null) return null;
  return (
    <Group justify="flex-end" gap="xs" p="xs" component="nav" aria-label={t.pagesOf(label)}>
      <Text size="sm" className="dim figures" aria-live="polite">
        {where}
      </Text>
      <PlainButton
        size="xs"
        leftSection={<IconChevronLeft size={14} />}
        disabled={onNewer === null}
        onClick={() => onNewer?.()}
      >
        {t.newer}
      </PlainButton>
      <PlainButton
        size="xs"
        rightSection={<IconChevronRight size={14} />}
        disabled={onOlder === null}
        onClick={() => onOlder?.()}
      >
        {t.older}
      </PlainButton>
    </Group>
  );
}
