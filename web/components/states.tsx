// What stands where figures will be: while they load, where there are none, and where they could not be had.
import { Alert, Anchor, Button, Center, Skeleton, Stack, Text } from '@mantine/core';
import { IconCloudOff, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ForPeople, isNotReached, Refused } from '../api/refusal.ts';
import type { Live } from '../live/live.ts';
import { nearestText, plain } from './plain.ts';

/** Rows of the height of a table's. */
export function Loading({ rows = 4 }: { readonly rows?: number }) {
  return (
    <Stack gap={10} p="sm" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, i) => `row ${i}`).map((row) => (
        <Skeleton key={row} height={16} />
      ))}
    </Stack>
  );
}

export interface EmptyProps {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  /** What to do about it. */
  readonly action?: ReactNode;
}

export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <Center p="xl">
      <Stack gap={6} align="center" maw={420}>
        <span className="dim" aria-hidden>
          {icon ?? <IconInfoCircle size={26} stroke={1.5} />}
        </span>
        <Text fw={600} size="sm" ta="center">
          {title}
        </Text>
        {children === undefined ? null : (
          <Text size="sm" className="dim" ta="center" component="div">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  );
}

/** Why something could not be shown, and another try. */
export function Failed({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  return (
    <Empty
      icon={<IconCloudOff size={26} stroke={1.5} />}
      title={isNotReached(error) ? 'No connection' : 'This could not be shown'}
      action={
        retry === undefined ? null : (
          <Button variant="default" size="xs" onClick={retry}>
            Try again
          </Button>
        )
      }
    >
      {readingSentence(error)}
    </Empty>
  );
}

export interface LoadedProps<T> {
  readonly live: Live<T>;
  readonly rows?: number;
  /** Shown instead where `isEmpty` says so. */
  readonly empty?: ReactNode;
  readonly isEmpty?: (data: T) => boolean;
  readonly children: (data: T) => ReactNode;
}

/** The data of a feed in whichever state it is; what was there once stays while it is read again. */
export function Loaded<T>({ live, rows, empty, isEmpty, children }: LoadedProps<T>) {
  const { data, error, refetch } = live;
  if (data === undefined) {
    return error === null ? <Loading rows={rows ?? 4} /> : <Failed error={error} retry={refetch} />;
  }
  if (empty !== undefined && isEmpty?.(data)) return empty;
  return children(data);
}

/** Any failure as a sentence for a person. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refused || error instanceof ForPeople) return error.message;
  if (isNotReached(error)) {
    return 'The exchange cannot be reached. What was sent may or may not have arrived.';
  }
  return 'Something went wrong in this page. Reload it; what you sent may have arrived.';
}

/** Why something could not be read: nothing was sent that might have arrived. */
function readingSentence(error: unknown): string {
  if (isNotReached(error)) return 'The exchange cannot be reached.';
  if (error instanceof Refused || error instanceof ForPeople) return plain(error.message);
  return 'Something went wrong in this page. Reload it.';
}

export interface RefusalNoteProps {
  readonly error: unknown;
  /** Takes over the value that would have been accepted. */
  readonly onUse?: (nearest: string, field: string | undefined) => void;
  /** The fields that are rates, which people read in percent. */
  readonly percents?: readonly string[];
}

/** Why a write was refused, with the nearest value that would pass as a click. Nothing where there is no error. */
export function RefusalNote({ error, onUse, percents }: RefusalNoteProps) {
  if (error === null || error === undefined) return null;
  const details = error instanceof Refused ? error.details : {};
  const { nearest, field } = details;
  return (
    <Alert color="red" variant="light" p="xs" role="alert">
      <Text size="sm">{plain(sentenceOf(error))}</Text>
      {nearest === undefined || onUse === undefined ? null : (
        <Anchor component="button" type="button" size="sm" onClick={() => onUse(nearest, field)}>
          Use {nearestText(details, percents)}
        </Anchor>
      )}
    </Alert>
  );
}
