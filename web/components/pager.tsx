// Paging of a list that continues from its last row.
import { Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { common as t } from '../messages/common.ts';

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
      <Button
        variant="default"
        size="xs"
        leftSection={<IconChevronLeft size={14} />}
        disabled={onNewer === null}
        onClick={() => onNewer?.()}
      >
        {t.newer}
      </Button>
      <Button
        variant="default"
        size="xs"
        rightSection={<IconChevronRight size={14} />}
        disabled={onOlder === null}
        onClick={() => onOlder?.()}
      >
        {t.older}
      </Button>
    </Group>
  );
}
