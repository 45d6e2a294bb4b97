// The API keys of one user: the list, ending one, and a new one whose secret is shown once.
import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import * as operator from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { CopyText } from '../../components/copy-text.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { When } from '../../components/figures.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import type { Live } from '../../live/live.ts';
import { keys } from '../feeds.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Cut, Mark } from '../parts/facts.tsx';
import { KeyForm } from './key-form.tsx';
import { moduleNames } from './user-form.ts';

export interface UserKeysProps {
  readonly uid: string;
  readonly live: Live<readonly operator.ApiKey[]>;
}

export function UserKeys({ uid, live }: UserKeysProps) {
  const [ending, setEnding] = useState<operator.ApiKey | null>(null);
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<operator.KeyWithSecret | null>(null);
  const revoke = useAction(operator.revokeKey, {
    done: 'The key is ended.',
    refreshes: [keys.user(uid)],
    onDone: () => setEnding(null),
  });
  const create = useAction(operator.createKey, {
    refreshes: [keys.user(uid)],
    onDone: (key) => {
      setCreating(false);
      setCreated(key);
    },
  });
  return (
    <Panel
      title="API keys"
      flush
      actions={
        <Button size="xs" variant="default" onClick={() => setCreating(true)}>
          New key
        </Button>
      }
    >
      <Loaded
        live={live}
        isEmpty={(all) => all.length === 0}
        empty={
          <Empty icon={<IconKey size={26} stroke={1.5} />} title="No keys">
            Programs of this customer trade with a key. Customers make their own on the page “API
            keys”.
          </Empty>
        }
      >
        {(all) => (
          <DataTable
            label="API keys, newest first"
            rows={all}
            columns={columnsWith(setEnding)}
            keyOf={({ keyId }) => keyId}
          />
        )}
      </Loaded>
      <Modal opened={creating} onClose={() => setCreating(false)} title="New API key" size="lg">
        <KeyForm
          pending={create.pending}
          error={create.error}
          onSubmit={(body) => create.run(uid, body)}
        />
      </Modal>
      <NewSecret created={created} onClose={() => setCreated(null)} />
      <Confirm
        opened={ending !== null}
        title="End the API key"
        consequences={ending === null ? [] : endingOf(ending)}
        confirm="End the key"
        danger
        pending={revoke.pending}
        error={revoke.error}
        onConfirm={() => revoke.run(uid, ending!.apiKey)}
        onClose={() => setEnding(null)}
      />
    </Panel>
  );
}

const endingOf = ({ alias, apiKey }: operator.ApiKey): string[] => [
  `The key “${alias}” (${apiKey.slice(0, 8)}…) stops working at once, and its secret is destroyed.`,
  'Programs that use it are refused from then on. Open orders stay.',
  'It cannot be taken back; make a new key instead.',
];

const columnsWith = (end: (key: operator.ApiKey) => void): readonly Column<operator.ApiKey>[] => [
  { title: 'Name', render: ({ alias }) => <Cut text={alias} /> },
  { title: 'Key', from: 'md', render: ({ apiKey }) => <code>{apiKey.slice(0, 12)}…</code> },
  { title: 'Privileges', from: 'sm', render: ({ moduleIds }) => moduleNames(moduleIds) },
  { title: 'Last used', from: 'lg', render: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
  { title: 'State', render: (key) => <KeyState apiKey={key} /> },
  {
    title: 'Action',
    align: 'right',
    render: (key) =>
      key.revokedAt !== null ? null : (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`End the key ${key.alias}`}
          onClick={() => end(key)}
        >
          End…
        </Button>
      ),
  },
];

function KeyState({ apiKey }: { readonly apiKey: operator.ApiKey }) {
  const { revokedAt, expiresAt } = apiKey;
  if (revokedAt !== null) return <Mark tone="none">Ended</Mark>;
  if (expiresAt !== null && Number(expiresAt) <= Date.now()) {
    return <Mark tone="none">Expired</Mark>;
  }
  return <Mark tone="good">Live</Mark>;
}

interface NewSecretProps {
  readonly created: operator.KeyWithSecret | null;
  readonly onClose: () => void;
}

/** Closed only on purpose: a click beside it would lose the secret. */
function NewSecret({ created, onClose }: NewSecretProps) {
  return (
    <Modal
      opened={created !== null}
      onClose={onClose}
      title="The key is made"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {created === null ? null : (
        <Stack gap="md">
          <div>
            <Text size="sm" mb={4}>
              API key
            </Text>
            <CopyText value={created.apiKey} label="API key" />
          </div>
          <div>
            <Text size="sm" mb={4}>
              Secret
            </Text>
            <CopyText value={created.secretKey} label="secret" />
          </div>
          <Alert color="yellow" variant="light" p="xs">
            The secret is shown now and never again. Copy it, and hand it over by a safe way.
          </Alert>
          <Button onClick={onClose}>I have copied the secret</Button>
        </Stack>
      )}
    </Modal>
  );
}
