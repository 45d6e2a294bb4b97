// Changing the password.
import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Me } from '../../src/sdk/index.ts';
import { NewPassword, usePasswordRejection } from '../account/new-password.tsx';
import { lengthFault } from '../account/password-length.ts';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { Panel, RejectionNote } from '../components/layout.tsx';
import { ProofFields, unlessQuestion, useProof } from '../components/proof.tsx';
import { PlainButton } from '../components/texts.tsx';
import { common } from '../messages/common.ts';
import { security } from '../messages/security.ts';
import { AFTER_AN_ACT } from './feeds.ts';
import styles from './security.module.css';

const t = security.changePassword;

export function PasswordPanel({ me }: { readonly me: Me }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title={security.password}>
      {isOpen ? (
        <ChangePassword email={me.email} onClose={() => setOpen(false)} />
      ) : (
        <div className={styles.row}>
          <Text size="sm">{t.effect}</Text>
          <PlainButton size="xs" onClick={() => setOpen(true)}>
            {t.change}
          </PlainButton>
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
  const form = useForm({ initialValues: { password: '', newPassword: '' } });
  const { password, newPassword } = form.values;
  const proof = useProof();
  const change = useAction(() => userCenter.changePassword({ ...form.values, ...proof.body }), {
    done: t.done,
    refreshes: AFTER_AN_ACT,
    onDone: onClose,
  });
  const rejection = usePasswordRejection(change.error, 'newPassword', newPassword);
  const isReady = password !== '' && lengthFault(newPassword) === null && proof.isComplete;
  return (
    <form className={styles.form} onSubmit={form.onSubmit(() => change.run())}>
      {/* Names the account to password managers. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label={t.current}
        autoComplete="current-password"
        {...form.getInputProps('password')}
        autoFocus
        required
      />
      <NewPassword
        label={t.new}
        value={newPassword}
        onChange={(value) => form.setFieldValue('newPassword', value)}
        rejected={rejection.rejected}
      />
      <ProofFields proof={proof} error={change.error} />
      <RejectionNote error={unlessQuestion(rejection.error, proof)} />
      <Group>
        <Button type="submit" loading={change.pending} disabled={!isReady}>
          {t.submit}
        </Button>
        <PlainButton onClick={onClose}>{common.cancel}</PlainButton>
      </Group>
    </form>
  );
}
