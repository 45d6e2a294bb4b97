// A titled area of a page.
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './panel.module.css';

export interface PanelProps {
  readonly title?: ReactNode;
  /** Small controls at the right of the title. */
  readonly actions?: ReactNode;
  /** Without padding, for tables and charts. */
  readonly flush?: boolean;
  /** A lower head, for dense pages. */
  readonly dense?: boolean;
  readonly className?: string | undefined;
  /** Heading level; a page's own title is 1. */
  readonly order?: 2 | 3;
  readonly children: ReactNode;
}

export function Panel({
  title,
  actions,
  flush,
  dense,
  className,
  order = 2,
  children,
}: PanelProps) {
  return (
    <section className={[styles.panel, className].filter(Boolean).join(' ')}>
      {title === undefined && actions === undefined ? null : (
        <header className={dense ? `${styles.head} ${styles.dense}` : styles.head}>
          <Title order={order} size="sm" className={styles.title}>
            {title}
          </Title>
          {actions}
        </header>
      )}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}
