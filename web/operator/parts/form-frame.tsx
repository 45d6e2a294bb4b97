// What all forms of the console have alike: sending with Enter, their spacing, and the buttons of a form that edits.
import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

export interface FormFrameProps {
  readonly onSubmit: () => void;
  readonly gap?: 'md' | 'lg';
  readonly children: ReactNode;
}

export function FormFrame({ onSubmit, gap = 'md', children }: FormFrameProps) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack gap={gap}>{children}</Stack>
    </form>
  );
}

export interface SaveButtonsProps {
  /** Whether there is anything to save. */
  readonly isChanged: boolean;
  readonly pending: boolean;
  readonly onUndo: () => void;
}

export function SaveButtons({ isChanged, pending, onUndo }: SaveButtonsProps) {
  return (
    <Group gap="xs">
      <Button type="submit" loading={pending} disabled={!isChanged}>
        Save changes
      </Button>
      {isChanged ? (
        <Button variant="subtle" onClick={onUndo}>
          Undo
        </Button>
      ) : null}
    </Group>
  );
}
