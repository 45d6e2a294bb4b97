// Whether an authenticator is set up, how many recovery codes are left, and the ways to change that.
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
              ? 'Logging in and sensitive acts ask for a code of your authenticator.'
              : 'An app on your telephone shows a new code every 30 seconds, which is asked for besides the password.'}
          </Text>
          {me.totpActive ? (
            <Text size="sm" className="dim">
              Recovery codes left: {me.recoveryCodesLeft}. To move to another telephone, switch the
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
      Switch off
    </Button>
  </div>
);
