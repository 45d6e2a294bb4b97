// Turning the authenticator off, with the password and a last code.
import { Alert, Anchor, Button, Group, PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, Redirect, useLocation } from 'wouter';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { PageFrame } from '../components/page-frame.tsx';
import { Panel } from '../components/panel.tsx';
import { ProofFields, unlessQuestion, useProof } from '../components/proof.tsx';
import { RefusalNote } from '../components/states.tsx';
import { useSession } from '../session/session.ts';
import { AFTER_AN_ACT } from './feeds.ts';
import styles from './security.module.css';

export function DisableAuthenticator() {
  const { me } = useSession();
  const [, navigate] = useLocation();
  const [password, setPassword] = useState('');
  const proof = useProof();
  const disable = useAction(() => userCenter.disableTotp({ password, ...proof.body }), {
    done: 'Authenticator turned off',
    refreshes: AFTER_AN_ACT,
    onDone: () => navigate('/security'),
  });
  if (!me?.totpActive) return <Redirect to="/security" replace />;
  return (
    <PageFrame title="Turn the authenticator off" width="narrow">
      <Panel>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            disable.run();
          }}
        >
          <Alert color="yellow" variant="light" p="xs">
            <Text size="sm">
              After this, the password alone gives access to your account, and you cannot create API
              keys. Your other sessions end, and the recovery codes no longer work.
            </Text>
          </Alert>
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            required
          />
          <ProofFields proof={proof} error={disable.error} />
          <RefusalNote error={unlessQuestion(disable.error, proof)} />
          <Group>
            <Button
              type="submit"
              color="red"
              loading={disable.pending}
              disabled={password === '' || !proof.isComplete}
            >
              Turn off
            </Button>
            <Anchor component={Link} href="/security" size="sm">
              Cancel
            </Anchor>
          </Group>
        </form>
      </Panel>
    </PageFrame>
  );
}
