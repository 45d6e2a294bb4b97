// A new key: its secret, which the server shows only once, and a first request.
import { Alert, Button, Checkbox, Group, Tabs, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { NewKey } from '../../src/sdk/index.ts';
import { CopyText } from '../components/copy-text.tsx';
import { PageFrame } from '../components/page-frame.tsx';
import { Panel } from '../components/panel.tsx';
import type { KeyRequest } from './key-draft.ts';
import styles from './keys.module.css';
import { shellSnippet, typescriptSnippet } from './snippets.ts';

export function NewKeyCard({ made }: { readonly made: KeyRequest & NewKey }) {
  const [, navigate] = useLocation();
  const [isKept, setKept] = useState(false);
  // The submit button was at the bottom of a long form.
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  return (
    <PageFrame title="API key created" width="narrow">
      <Panel title={<span className="breakable">{made.alias}</span>}>
        <div className={styles.secret}>
          <Alert color="yellow" variant="light" p="xs" icon={<IconAlertTriangle size={18} />}>
            <Text size="sm" fw={600}>
              This is the only time the secret is shown
            </Text>
            Store it where only your program can read it. Anyone with the secret can use the key.
          </Alert>
          <div>
            <Text size="sm" fw={500} mb={4}>
              Key
            </Text>
            <CopyText value={made.apiKey} label="key" />
          </div>
          <div>
            <Text size="sm" fw={500} mb={4}>
              Secret
            </Text>
            <CopyText value={made.secretKey} label="secret" />
          </div>
          <Checkbox
            label="I saved the secret"
            checked={isKept}
            onChange={(event) => setKept(event.currentTarget.checked)}
          />
          <Group>
            <Button onClick={() => navigate('/keys')} disabled={!isKept}>
              Done
            </Button>
          </Group>
        </div>
      </Panel>
      <FirstRequest made={made} />
    </PageFrame>
  );
}

function FirstRequest({ made }: { readonly made: KeyRequest & NewKey }) {
  const inUse = { ...made, url: location.origin };
  return (
    <Panel title="First request">
      <Tabs defaultValue="shell" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="shell">Shell</Tabs.Tab>
          <Tabs.Tab value="typescript">TypeScript</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="shell">
          <CopyText value={shellSnippet(inUse)} label="request for the shell" block />
          <Text size="sm" className="dim" mt="xs">
            Paste it into a terminal; it needs curl and openssl.
          </Text>
        </Tabs.Panel>
        <Tabs.Panel value="typescript">
          <CopyText value={typescriptSnippet(inUse)} label="request in TypeScript" block />
          <Text size="sm" className="dim" mt="xs">
            Save it as first.mts and run <code>npx bun first.mts</code>.
          </Text>
        </Tabs.Panel>
      </Tabs>
      <Text size="sm" className="dim" mt="sm">
        The request contains the secret. It changes nothing: it reads, or checks an order without
        placing it.
      </Text>
    </Panel>
  );
}
