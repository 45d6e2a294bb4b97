// The way from page to page of a list that is longer than one.
import { Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';

export interface PagerProps {
  /** What is paged, for who cannot see it: "statement". */
  readonly label: string;
  /** Such as "Page 2 of 7". */
  readonly where: string;
  /** null at the newest page. */
  readonly onNewer: (() => void) | null;
  /** null at the oldest page. */
  readonly onOlder: (() => void) | null;
}

/** Nothing where there is one page only. */
export function Pager({ label, where, onNewer, onOlder }: PagerProps) {
  if (onNewer === null && onOlder === null) return null;
  return (
    <Group justify="flex-end" gap="xs" p="xs" component="nav" aria-label={`Pages of the ${label}`}>
      <Text size="sm" className="dim figures" aria-live="polite">
        {where}
      </Text>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconChevronLeft size={14} />}
        disabled={onNewer === null}
        onClick={() => onNewer?.()}
      >
        Newer
      </Button>
      <Button
        variant="default"
        size="xs"
        rightSection={<IconChevronRight size={14} />}
        disabled={onOlder === null}
        onClick={() => onOlder?.()}
      >
        Older
      </Button>
    </Group>
  );
}
