// Asks for the authenticator again, before an act that the server answered with stepUpNeeded.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import * as people from '../api/people.ts';
import { useSession } from '../session/session.ts';
import { useAction } from './action.ts';
import { ProofFields, unlessQuestion, useProof } from './proof.tsx';
import { RefusalNote } from './states.tsx';

export interface StepUpProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Confirmed for some minutes; the act can be sent again. */
  readonly onDone: () => void;
}

export function StepUp({ opened, onClose, onDone }: StepUpProps) {
  const { me } = useSession();
  const [path] = useLocation();
  return (
    <Modal opened={opened} onClose={onClose} title="Confirm that it is you">
      {me?.totpActive ? (
        <StepUpForm onClose={onClose} onDone={onDone} />
      ) : (
        <Stack gap="md">
          <Text size="sm">
            This is possible only with an authenticator. It is set up in a minute.
          </Text>
          <Button
            component={Link}
            href={`/security/authenticator?next=${encodeURIComponent(path)}`}
          >
            Set up an authenticator
          </Button>
        </Stack>
      )}
    </Modal>
  );
}

function StepUpForm({ onClose, onDone }: Omit<StepUpProps, 'opened'>) {
  const proof = useProof();
  const confirm = useAction(() => people.stepUp(proof.body), { onDone });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm.run();
      }}
    >
      <Stack gap="md">
        <Text size="sm">What follows is then open to you for some minutes.</Text>
        <ProofFields proof={proof} error={confirm.error} />
        <RefusalNote error={unlessQuestion(confirm.error, proof)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={confirm.pending} disabled={!proof.isComplete}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
