// The frame of a page: its title, a lead, and its parts in a column.
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './page-frame.module.css';

export interface PageFrameProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Controls at the right of the title. */
  readonly actions?: ReactNode;
  /** narrow: forms and settings; wide: tables and cards; full: tables with many columns. */
  readonly width?: 'narrow' | 'wide' | 'full';
  readonly children: ReactNode;
}

export function PageFrame({ title, lead, actions, width = 'wide', children }: PageFrameProps) {
  return (
    <div className={`${styles.frame} ${styles[width]}`}>
      <div className={styles.head}>
        <div>
          <Title order={1} size={24} className={styles.title}>
            {title}
          </Title>
          {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
    </div>
  );
}
