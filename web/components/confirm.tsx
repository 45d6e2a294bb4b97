// The question before a change with consequences: what happens, to whom, line by line.
import { Button, Group, List, Modal, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { common as text } from '../messages/common.ts';
import type { Action } from './action.ts';
import { RejectionNote } from './layout.tsx';
import { PlainButton } from './texts.tsx';

export interface Question {
  /** Names the thing. */
  readonly title: string;
  /** The effects, one line each. */
  readonly consequences: readonly string[];
  /** The button repeats the verb of the title. */
  readonly confirm: string;
  /** The other button, if the change cancels something itself. */
  readonly keep?: string;
  /** True if the change takes something away. */
  readonly danger?: boolean;
}

interface ConfirmProps {
  readonly question: Question;
  /** Fields that the change needs as well. */
  readonly children?: ReactNode;
  readonly pending?: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function Confirm(props: ConfirmProps) {
  const { question, children, pending = false, error, onConfirm, onClose } = props;
  const { title, consequences, confirm, keep = text.cancel, danger } = question;
  return (
    <Modal opened onClose={onClose} title={title} size="md">
      <Stack gap="md">
        <List size="sm" spacing={6}>
          {consequences.map((line) => (
            <List.Item key={line} className="breakable">
              {line}
            </List.Item>
          ))}
        </List>
        {children}
        <RejectionNote error={error} />
        <Group justify="flex-end" gap="xs">
          <PlainButton onClick={onClose}>{keep}</PlainButton>
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

/**
 * Asks before an action on a subject, which is null while no question is open. The question closes
 * when the action succeeds.
 */
export function useConfirm<T extends {}>(action: Action<[T], unknown>) {
  const [subject, setSubject] = useState<T | null>(null);
  const ask = (about: T) => {
    action.clear();
    setSubject(about);
  };
  const confirm = async (about: T) => {
    if ((await action.run(about)) !== undefined) setSubject(null);
  };
  const dialog = (question: (about: T) => Question, children?: ReactNode) =>
    subject === null ? null : (
      <Confirm
        question={question(subject)}
        pending={action.pending}
        error={action.error}
        onConfirm={() => confirm(subject)}
        onClose={() => setSubject(null)}
      >
        {children}
      </Confirm>
    );
  return { subject, ask, dialog };
}

export interface ConfirmButtonProps {
  readonly label: string;
  /** For screen readers, where the label alone does not name the thing. */
  readonly name?: string;
  readonly question: Question;
  readonly action: Action<[], unknown>;
  readonly look?: 'default' | 'filled' | 'danger' | 'row';
  readonly disabled?: boolean;
  readonly children?: ReactNode;
}

/** A button that asks before it acts. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, name, question, action, look = 'default', disabled, children } = props;
  const { ask, dialog } = useConfirm<true>(action);
  return (
    <>
      <Button
        size={look === 'row' ? 'compact-xs' : 'xs'}
        variant={look === 'filled' ? 'filled' : 'default'}
        c={look === 'danger' ? 'var(--sell)' : undefined}
        aria-label={name}
        disabled={disabled ?? false}
        onClick={() => ask(true)}
      >
        {label}
      </Button>
      {dialog(() => question, children)}
    </>
  );
}
