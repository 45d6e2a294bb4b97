// Replaces a function that needs an authenticator, and leads to the setup and back.
import { Button } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Panel } from '../components/panel.tsx';
import { Empty } from '../components/states.tsx';

export interface NeedsAuthenticatorProps {
  /** The page after the setup. */
  readonly next: string;
  readonly children: ReactNode;
}

export function NeedsAuthenticator({ next, children }: NeedsAuthenticatorProps) {
  return (
    <Panel>
      <Empty
        icon={<IconShieldLock size={30} stroke={1.5} />}
        title="First, set up an authenticator"
        action={
          <Button
            component={Link}
            href={`/security/authenticator?next=${encodeURIComponent(next)}`}
            mt="xs"
          >
            Set up an authenticator
          </Button>
        }
      >
        {children}
      </Empty>
    </Panel>
  );
}
