// From one page of a list to the next.
import { Button, Group } from '@mantine/core';
import { grouped } from '../../exact/format.ts';
import styles from './parts.module.css';

export interface PagerProps {
  readonly page: number;
  /** As the answer has them. */
  readonly totalPage: string;
  readonly totalNum: string;
  /** What is counted: users. */
  readonly of: string;
  readonly onPage: (page: number) => void;
}

export function Pager({ page, totalPage, totalNum, of, onPage }: PagerProps) {
  const last = Math.max(1, Number(totalPage));
  return (
    <div className={styles.pager}>
      <span className="dim figures">
        {grouped(totalNum)} {of}
      </span>
      <Group gap="xs">
        <Button size="xs" variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Newer
        </Button>
        <span className="dim figures">
          {grouped(String(page))} / {grouped(String(last))}
        </span>
        <Button
          size="xs"
          variant="default"
          disabled={page >= last}
          onClick={() => onPage(page + 1)}
        >
          Older
        </Button>
      </Group>
    </div>
  );
}
