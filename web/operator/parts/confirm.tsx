// The question before something that cannot simply be taken back: what will happen, to whom, line by line.
import { Button, Group, List, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { RefusalNote } from '../../components/states.tsx';

export interface ConfirmProps {
  readonly opened: boolean;
  readonly title: string;
  /** What will happen, one line each. */
  readonly consequences: readonly ReactNode[];
  /** What has to be filled in as well. */
  readonly children?: ReactNode;
  /** On the button: what it does, not "OK". */
  readonly confirm: string;
  readonly danger?: boolean;
  readonly pending: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm(props: ConfirmProps) {
  const { opened, title, consequences, children, confirm, danger, pending, error } = props;
  const { onConfirm, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="md">
      <Stack gap="md">
        <List size="sm" spacing={6}>
          {consequences.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines stay in their places
            <List.Item key={index} className="breakable">
              {line}
            </List.Item>
          ))}
        </List>
        {children}
        <RefusalNote error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            color={danger ? 'var(--sell-solid)' : undefined}
            loading={pending}
            onClick={onConfirm}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
