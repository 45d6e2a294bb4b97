// Small parts of the console's pages: facts, states, cut texts, navigation, and the age of figures.
import { Group, Loader, Text, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { PlainButton, TextLink } from '../../components/texts.tsx';
import { time } from '../../exact/format.ts';
import { type Live, refresh } from '../../live/live.ts';
import { operatorText as text } from '../../messages/operator.ts';
import { CONSOLE } from '../data.ts';
import styles from './parts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export type Tone = 'good' | 'warn' | 'bad' | 'none';

/** A state in words, with a color. */
export function Mark({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={styles.status}>
      <span className={styles.dot} data-tone={tone} aria-hidden />
      {children}
    </span>
  );
}

export function KycMark({ kyc }: { readonly kyc: boolean }) {
  return <Mark tone={kyc ? 'good' : 'none'}>{kyc ? text.verified : text.notVerified}</Mark>;
}

/** A long text in a column: cut and with a tooltip, or in several lines on phones. */
export function Cut({ text: full }: { readonly text: string }) {
  return (
    <span className={styles.cell} title={full}>
      {full}
    </span>
  );
}

export function BackLink({ href, label }: { readonly href: string; readonly label: string }) {
  return <TextLink href={href}>{label}</TextLink>;
}

export interface SubNavProps {
  readonly label: string;
  readonly items: readonly { readonly path: string; readonly title: string }[];
}

/** Navigation within one area of the console. */
export function SubNav({ label, items }: SubNavProps) {
  const [location] = useLocation();
  return (
    <nav className={styles.subnav} aria-label={label}>
      {items.map(({ path, title }) => (
        <Link key={path} href={path} aria-current={location === path ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}

/** When the figures of a page were read, and a button that reads them again. */
export function AsOf({ live }: { readonly live: readonly Live<unknown>[] }) {
  const isReading = live.some(({ isFetching }) => isFetching);
  // A page is as old as its oldest figure; 0 stands for a figure that was never read.
  const readAt = Math.min(...live.map(({ dataUpdatedAt }) => dataUpdatedAt));
  return (
    <Group gap="xs" wrap="nowrap">
      {readAt === 0 ? null : (
        <Text size="xs" className="dim nowrap">
          {text.asOf(time(readAt))}
        </Text>
      )}
      <Tooltip label={text.refreshNote} multiline w={260}>
        {/* The library's own loading state slides the label out of the button. */}
        <PlainButton
          size="xs"
          leftSection={isReading ? <Loader size={14} aria-hidden /> : <IconRefresh size={14} />}
          aria-busy={isReading}
          onClick={() => refresh(CONSOLE)}
        >
          {text.refresh}
        </PlainButton>
      </Tooltip>
    </Group>
  );
}
