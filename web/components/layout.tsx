// The frame of a page, its panels and forms, and the states of what they read (loading, empty,
// failed), with the note about a rejected write.
import { Alert, Center, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type Icon, IconCloudOff, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import {
  isNotReached,
  isUnreadable,
  nearestText,
  Rejection,
  readingSentence,
  sentenceOf,
} from '../api/rejection.ts';
import type { Live } from '../live/live.ts';
import { common as t } from '../messages/common.ts';
import frame from './page-frame.module.css';
import styles from './panel.module.css';
import { PlainButton, TextButton } from './texts.tsx';

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
    <div className={`${frame.frame} ${frame[width]}`}>
      <div className={frame.head}>
        <div>
          <Title order={1} size={24} className={frame.title}>
            {title}
          </Title>
          {lead === undefined ? null : <p className={frame.lead}>{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
    </div>
  );
}

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

/** A titled area of a page. */
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

interface FormProps {
  readonly onSubmit: () => void;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Its Enter key and submit button call `onSubmit`; the browser sends nothing. */
export const Form = ({ onSubmit, className, children }: FormProps) => (
  <form
    noValidate
    className={className}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);

interface ScrollableProps {
  readonly label: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** A named region that scrolls; the keyboard can focus it. */
export const Scrollable = ({ label, className, children }: ScrollableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
  <section className={className} tabIndex={0} aria-label={label}>
    {children}
  </section>
);

/** Placeholder rows with the height of table rows. */
export function Loading({ rows = 4 }: { readonly rows?: number }) {
  return (
    <Stack gap={10} p="sm" role="status" aria-label={t.loading}>
      {Array.from({ length: rows }, (_, i) => `row ${i}`).map((row) => (
        <Skeleton key={row} height={16} />
      ))}
    </Stack>
  );
}

export interface EmptyProps {
  readonly icon?: Icon;
  readonly title: string;
  /** Why, or what helps. */
  readonly hint?: ReactNode;
  /** True if it is the whole page. */
  readonly isPage?: boolean;
  /** A button or link that helps. */
  readonly action?: ReactNode;
}

export function Empty(props: EmptyProps) {
  const { icon: Image = IconInfoCircle, title, hint, isPage = false, action } = props;
  return (
    <Center p="xl">
      <Stack gap={6} align="center" maw={420}>
        <span className="dim" aria-hidden>
          <Image size={26} stroke={1.5} />
        </span>
        <Text fw={600} size="sm" ta="center" component={isPage ? 'h1' : 'p'} m={0}>
          {title}
        </Text>
        {hint === undefined ? null : (
          <Text size="sm" className="dim" ta="center" component="div">
            {hint}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  );
}

/** Why a read failed, with a retry button. */
export function Failed({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  return (
    <Empty
      icon={IconCloudOff}
      title={isNotReached(error) && !isUnreadable(error) ? t.noConnection : t.notShown}
      action={
        retry === undefined ? null : (
          <PlainButton size="xs" onClick={retry}>
            {t.tryAgain}
          </PlainButton>
        )
      }
      hint={readingSentence(error)}
    />
  );
}

export interface LoadedProps<T> {
  readonly live: Live<T>;
  readonly rows?: number;
  /** Replaces the content if `isEmpty` returns true. */
  readonly empty?: ReactNode;
  readonly isEmpty?: (data: T) => boolean;
  readonly children: (data: T) => ReactNode;
}

/** Shows a feed in any state; earlier data stays while the feed is read again. */
export function Loaded<T>({ live, rows, empty, isEmpty, children }: LoadedProps<T>) {
  const { data, error, refetch } = live;
  if (data === undefined) {
    return error === null ? <Loading rows={rows ?? 4} /> : <Failed error={error} retry={refetch} />;
  }
  if (empty !== undefined && isEmpty?.(data)) return empty;
  return children(data);
}

export interface RejectionNoteProps {
  readonly error: unknown;
  /** Takes the nearest accepted value. */
  readonly onUse?: (nearest: string, field: string | undefined) => void;
  /** The fields that are rates, shown in percent. */
  readonly percents?: readonly string[];
}

/**
 * Why a write was rejected, with a button for the nearest accepted value. Empty without an error.
 */
export function RejectionNote({ error, onUse, percents }: RejectionNoteProps) {
  if (error === null || error === undefined) return null;
  const details = error instanceof Rejection ? error.details : {};
  const { nearest, field } = details;
  return (
    <Alert color="red" variant="light" p="xs" role="alert">
      <Text size="sm">{sentenceOf(error, percents)}</Text>
      {nearest === undefined || onUse === undefined ? null : (
        <TextButton onClick={() => onUse(nearest, field)}>
          {t.use(nearestText(details, percents))}
        </TextButton>
      )}
    </Alert>
  );
}
