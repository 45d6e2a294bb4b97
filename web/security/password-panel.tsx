// Changing the password.
import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import type { Me } from '../../src/sdk/index.ts';
import { NewPassword, usePasswordRefusal } from '../account/new-password.tsx';
import { lengthFault } from '../account/password-length.ts';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { Panel } from '../components/panel.tsx';
import { ProofFields, unlessQuestion, useProof } from '../components/proof.tsx';
import { RefusalNote } from '../components/states.tsx';
import { AFTER_AN_ACT } from './feeds.ts';
import styles from './security.module.css';

export function PasswordPanel({ me }: { readonly me: Me }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title="Password">
      {isOpen ? (
        <ChangePassword email={me.email} onClose={() => setOpen(false)} />
      ) : (
        <div className={styles.row}>
          <div>
            <Text size="sm">A change ends all your other logins. API keys stay as they are.</Text>
          </div>
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            Change
          </Button>
        </div>
      )}
    </Panel>
  );
}

interface ChangePasswordProps {
  readonly email: string;
  readonly onClose: () => void;
}

function ChangePassword({ email, onClose }: ChangePasswordProps) {
  const [password, setPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const proof = useProof();
  const change = useAction(
    () => userCenter.changePassword({ password, newPassword, ...proof.body }),
    {
      done: 'Password changed',
      refreshes: AFTER_AN_ACT,
      onDone: onClose,
    },
  );
  const refusal = usePasswordRefusal(change.error, 'newPassword', newPassword);
  const isReady = password !== '' && lengthFault(newPassword) === null && proof.isComplete;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        change.run();
      }}
    >
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoFocus
        required
      />
      <NewPassword
        label="New password"
        value={newPassword}
        onChange={setNewPassword}
        refused={refusal.refused}
      />
      <ProofFields proof={proof} error={change.error} />
      <RefusalNote error={unlessQuestion(refusal.error, proof)} />
      <Group>
        <Button type="submit" loading={change.pending} disabled={!isReady}>
          Change password
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
