// When the figures of a page were read, and reading them again. They are not read all the time: each reading is written
// to the audit log.
import { Button, Group, Text, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { time } from '../../exact/format.ts';
import { type Live, refresh } from '../../live/live.ts';
import { keys } from '../feeds.ts';

const NOTE =
  'Read when the page opens, after a change, and here: each reading is in the audit log.';

export function AsOf({ live }: { readonly live: readonly Live<unknown>[] }) {
  const reading = live.some(({ isFetching }) => isFetching);
  // The page is as old as the oldest of its figures; 0 is one that was never read.
  const readAt = Math.min(...live.map(({ dataUpdatedAt }) => dataUpdatedAt));
  return (
    <Group gap="xs" wrap="nowrap">
      {readAt === 0 ? null : (
        <Text size="xs" className="dim nowrap">
          as of {time(readAt)}
        </Text>
      )}
      <Tooltip label={NOTE} multiline w={260}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRefresh size={14} />}
          loading={reading}
          onClick={() => refresh(keys.all)}
        >
          Refresh
        </Button>
      </Tooltip>
    </Group>
  );
}
