// The state of the authenticator and its recovery codes, and links to change them.
import { Badge, Button, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Me } from '../../src/sdk/index.ts';
import { Panel } from '../components/panel.tsx';
import styles from './security.module.css';

export function AuthenticatorPanel({ me }: { readonly me: Me }) {
  const title = (
    <Group gap="xs" component="span">
      Authenticator
      <Badge
        size="sm"
        radius="sm"
        variant="transparent"
        className={me.totpActive ? styles.good : styles.bad}
      >
        {me.totpActive ? 'On' : 'Off'}
      </Badge>
    </Group>
  );
  return (
    <Panel title={title}>
      <div className={styles.row}>
        <div>
          <Text size="sm">
            {me.totpActive
              ? 'Logins and sensitive actions need a code from your authenticator.'
              : 'An app on your phone shows a new code every 30 seconds, which logins need besides the password.'}
          </Text>
          {me.totpActive ? (
            <Text size="sm" className="dim">
              Recovery codes left: {me.recoveryCodesLeft}. To move to another phone, turn the
              authenticator off and set it up again.
            </Text>
          ) : null}
        </div>
        {me.totpActive ? <Change /> : <SetUp />}
      </div>
    </Panel>
  );
}

const SetUp = () => (
  <Button component={Link} href="/security/authenticator">
    Set up
  </Button>
);

const Change = () => (
  <div className={styles.buttons}>
    <Button component={Link} href="/security/recovery" variant="default" size="xs">
      New recovery codes
    </Button>
    <Button component={Link} href="/security/disable" variant="default" size="xs">
      Turn off
    </Button>
  </div>
);
