// New recovery codes. The server shows them only once.
import { Button, Checkbox, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Panel } from '../components/panel.tsx';
import { saveFile } from '../components/save-file.ts';
import { useSession } from '../session/session.ts';
import styles from './security.module.css';

export interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}

export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const { me } = useSession();
  const [isKept, setKept] = useState(false);
  const text = codes.join('\n');
  const save = () =>
    saveFile(
      'agio-recovery-codes.txt',
      'text/plain',
      `${location.host} ${me?.email ?? ''}\n\n${text}\n`,
    );
  return (
    <Panel title="Save your recovery codes">
      <Stack gap="md">
        <Text size="sm">
          If you lose your authenticator, each code logs you in once. This is the only time the
          codes are shown. Keep them away from your phone: in a password manager or on paper.
        </Text>
        <ul className={styles.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group gap="xs">
          <CopyButton value={text} timeout={1500}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                onClick={copy}
                leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              >
                {copied ? 'Copied' : 'Copy all'}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={save} leftSection={<IconDownload size={16} />}>
            Download as text
          </Button>
        </Group>
        <Checkbox
          label="I saved the recovery codes"
          checked={isKept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
        <Group>
          <Button onClick={onKept} disabled={!isKept}>
            Continue
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
