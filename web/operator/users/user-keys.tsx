// The API keys of one user: the list, revoking a key, and a new key whose secret is shown once.
import { Button, Modal, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import type { NewKey, OperatorCreateKeyRequest, UserKey } from '../../../src/sdk/index.ts';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { NamedText } from '../../components/copy-text.tsx';
import { type Column, column, ListPanel } from '../../components/data-table.tsx';
import { When } from '../../components/figures.tsx';
import { Empty } from '../../components/layout.tsx';
import { Caution, PlainButton } from '../../components/texts.tsx';
import { privilegeWords } from '../../keys/privileges.ts';
import type { Live } from '../../live/live.ts';
import { usersText as text } from '../../messages/operator-users.ts';
import { feedKey, operator } from '../data.ts';
import { Cut, Mark } from '../parts/marks.tsx';
import { RequestFields, useCreateForm } from '../parts/request-form.tsx';
import { EMPTY_KEY, keyLayout } from './user-form.ts';

const columns: readonly Column<UserKey>[] = [
  column.of(text.keyFields.alias[0], ({ alias }) => <Cut text={alias} />),
  column.of(text.key, ({ apiKey }) => <code>{apiKey.slice(0, 12)}…</code>, 'md'),
  column.of(text.keyFields.moduleIds[0], ({ moduleIds }) => privilegeWords(moduleIds), 'sm'),
  column.of(text.lastUsed, ({ lastUsedAt }) => <When at={lastUsedAt} />, 'lg'),
  column.of(text.state, (key) => <KeyState apiKey={key} />),
  column.figure(text.action, (key) => (key.revokedAt === null ? <Revoke apiKey={key} /> : null)),
];

export interface UserKeysProps {
  readonly uid: number;
  readonly live: Live<readonly UserKey[]>;
}

export function UserKeys({ uid, live }: UserKeysProps) {
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewKey | null>(null);
  const show = (key: NewKey) => {
    setCreating(false);
    setCreated(key);
  };
  return (
    <>
      <ListPanel
        title={text.keys}
        label={text.keysNewestFirst}
        live={live}
        columns={columns}
        keyOf={({ keyId }) => keyId}
        empty={<Empty icon={IconKey} title={text.noKeys} hint={text.noKeysHint} />}
        actions={
          <PlainButton size="xs" onClick={() => setCreating(true)}>
            {text.newKey}
          </PlainButton>
        }
      />
      <Modal opened={isCreating} onClose={() => setCreating(false)} title={text.newKey} size="lg">
        <KeyForm uid={uid} onCreated={show} />
      </Modal>
      <NewSecret created={created} onClose={() => setCreated(null)} />
    </>
  );
}

function Revoke({ apiKey: key }: { readonly apiKey: UserKey }) {
  const { uid, alias, apiKey } = key;
  const revoke = useAction(() => operator.revokeKey(uid, apiKey), {
    done: text.revoked,
    refreshes: [feedKey('user', uid)],
  });
  return (
    <ConfirmButton
      label={text.revoke}
      name={text.revokeName(alias)}
      look="row"
      action={revoke}
      question={{
        title: text.revokeTitle(alias),
        consequences: text.revocation(apiKey.slice(0, 8)),
        confirm: text.revokeButton,
        danger: true,
      }}
    />
  );
}

function KeyState({ apiKey: { revokedAt, expiresAt } }: { readonly apiKey: UserKey }) {
  if (revokedAt !== null) return <Mark tone="none">{text.revokedState}</Mark>;
  const isExpired = expiresAt !== null && expiresAt <= Date.now();
  return (
    <Mark tone={isExpired ? 'none' : 'good'}>{isExpired ? text.expiredState : text.liveState}</Mark>
  );
}

interface KeyFormProps {
  readonly uid: number;
  readonly onCreated: (key: NewKey) => void;
}

function KeyForm({ uid, onCreated }: KeyFormProps) {
  const request = useCreateForm({
    initial: EMPTY_KEY,
    layout: keyLayout,
    send: (body: OperatorCreateKeyRequest) => operator.createKey(uid, body),
    refreshes: [feedKey('user', uid)],
    onDone: onCreated,
  });
  return <RequestFields request={request} submit={text.createKey} />;
}

interface NewSecretProps {
  readonly created: NewKey | null;
  readonly onClose: () => void;
}

/** Closes only with its button: a click outside would lose the secret. */
function NewSecret({ created, onClose }: NewSecretProps) {
  return (
    <Modal
      opened={created !== null}
      onClose={onClose}
      title={text.keyCreated}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <NamedText name={text.apiKey} value={created?.apiKey ?? ''} />
        <NamedText name={text.secret} value={created?.secretKey ?? ''} />
        <Caution>{text.secretOnce}</Caution>
        <Button onClick={onClose}>{text.copied}</Button>
      </Stack>
    </Modal>
  );
}
