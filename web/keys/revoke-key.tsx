// The question before a key is revoked, with the codes that the server asks for.
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
    done: `Revoked the key “${alias}”`,
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
            The key “{alias}” stops working immediately. You cannot undo this. Its open orders stay.
          </Text>
          <ProofFields proof={proof} error={revoke.error} autoFocus />
          <RefusalNote error={unlessQuestion(revoke.error, proof)} />
          <Group justify="flex-end">
            <Button
              variant="default"
              onClick={onClose}
              // Without a code field, the focus is on the button that changes nothing.
              data-autofocus={proof.isComplete || undefined}
            >
              Keep key
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
