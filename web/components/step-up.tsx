// A fresh second factor for sensitive writes. If the server answers stepUpNeeded, a dialog asks for
// the code and sends the write again.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { userCenter } from '../api/clients.ts';
import { Code, hasCode } from '../api/rejection.ts';
import { common as t } from '../messages/common.ts';
import { useSession } from '../session/session.ts';
import { type Action, type ActionOptions, useAction } from './action.ts';
import { Form, RejectionNote } from './layout.tsx';
import { ProofFields, unlessQuestion, useProof } from './proof.tsx';
import { LinkButton, PlainButton } from './texts.tsx';

export interface StepUpAction<A extends readonly unknown[], R> extends Action<A, R> {
  /** Belongs beside the control that runs the action, outside of a form. */
  readonly dialog: ReactNode;
}

/** useAction for calls that may need a step-up. Closing the dialog sends nothing. */
export function useStepUpAction<A extends readonly unknown[], R>(
  work: (...args: A) => Promise<R>,
  options: ActionOptions<R> = {},
): StepUpAction<A, R> {
  const [waiting, setWaiting] = useState<A | null>(null);
  const attempt = async (...args: A): Promise<R> => {
    try {
      return await work(...args);
    } catch (error) {
      if (hasCode(error, Code.stepUpNeeded)) setWaiting(args);
      throw error;
    }
  };
  const action = useAction(attempt, options);
  const again = () => {
    setWaiting(null);
    if (waiting !== null) action.run(...waiting);
  };
  return {
    ...action,
    // The dialog shows this one.
    error: hasCode(action.error, Code.stepUpNeeded) ? null : action.error,
    dialog: <StepUp opened={waiting !== null} onClose={() => setWaiting(null)} onDone={again} />,
  };
}

interface StepUpProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The session is confirmed for some minutes, so the write can be sent again. */
  readonly onDone: () => void;
}

function StepUp({ opened, onClose, onDone }: StepUpProps) {
  const { me } = useSession();
  const [path] = useLocation();
  return (
    <Modal opened={opened} onClose={onClose} title={t.stepUp.title}>
      {me?.totpActive ? (
        <StepUpForm onClose={onClose} onDone={onDone} />
      ) : (
        <Stack gap="md">
          <Text size="sm">{t.stepUp.noAuthenticator}</Text>
          <LinkButton href={`/security/authenticator?next=${encodeURIComponent(path)}`}>
            {t.stepUp.setUp}
          </LinkButton>
        </Stack>
      )}
    </Modal>
  );
}

function StepUpForm({ onClose, onDone }: Omit<StepUpProps, 'opened'>) {
  const proof = useProof();
  const confirm = useAction(() => userCenter.stepUp(proof.body), { onDone });
  return (
    <Form onSubmit={() => confirm.run()}>
      <Stack gap="md">
        <Text size="sm">{t.stepUp.lead}</Text>
        <ProofFields proof={proof} error={confirm.error} />
        <RejectionNote error={unlessQuestion(confirm.error, proof)} />
        <Group justify="flex-end">
          <PlainButton onClick={onClose}>{t.cancel}</PlainButton>
          <Button type="submit" loading={confirm.pending} disabled={!proof.isComplete}>
            {t.confirm}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
