// Asks once more before a key is ended, with the codes that the server wants for it.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Key } from '../../src/sdk/index.ts';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { ProofFields, unlessQuestion, useProof } from '../components/proof.tsx';
import { RefusalNote } from '../components/states.tsx';

export interface RevokeKeyProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
}

export function RevokeKey({ apiKey: { apiKey, alias }, onClose }: RevokeKeyProps) {
  const proof = useProof();
  const revoke = useAction(() => userCenter.deleteKey({ apiKey, ...proof.body }), {
    done: `The key “${alias}” is revoked`,
    refreshes: [['keys'], ['audit'], ['me']],
    onDone: onClose,
  });
  return (
    <Modal opened onClose={onClose} title="Revoke this key?">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          revoke.run();
        }}
      >
        <Stack gap="md">
          <Text size="sm" className="breakable">
            Programs that use “{alias}” are refused at once, and the key can never be used again.
            Open orders that it placed stay.
          </Text>
          <ProofFields proof={proof} error={revoke.error} autoFocus />
          <RefusalNote error={unlessQuestion(revoke.error, proof)} />
          <Group justify="flex-end">
            <Button
              variant="default"
              onClick={onClose}
              // Where no code is asked for, what changes nothing has the focus.
              data-autofocus={proof.isComplete || undefined}
            >
              Keep it
            </Button>
            <Button type="submit" color="red" loading={revoke.pending} disabled={!proof.isComplete}>
              Revoke
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
