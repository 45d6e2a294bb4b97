// Recovery codes: new ones, which the server shows only once, and their replacement.
import { Button, Checkbox, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Me } from '../../src/sdk/index.ts';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { saveFile } from '../components/copy-text.tsx';
import { Form, PageFrame, Panel, RejectionNote } from '../components/layout.tsx';
import { ProofFields, unlessQuestion, useProof } from '../components/proof.tsx';
import { PlainButton, TextLink } from '../components/texts.tsx';
import { common } from '../messages/common.ts';
import { security } from '../messages/security.ts';
import { useSession } from '../session/session.ts';
import { NeedsAuthenticator } from './authenticator.tsx';
import { AFTER_AN_ACT } from './feeds.ts';
import styles from './security.module.css';

const t = security.recovery;

export interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onSaved: () => void;
}

export function RecoveryCodes({ codes, onSaved }: RecoveryCodesProps) {
  const { me } = useSession();
  const [isSaved, setSaved] = useState(false);
  const text = codes.join('\n');
  const file = `${location.host} ${me?.email ?? ''}\n\n${text}\n`;
  return (
    <Panel title={t.saveTitle}>
      <Stack gap="md">
        <Text size="sm">{t.saveWhy}</Text>
        <ul className={styles.codes} aria-label={t.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group gap="xs">
          <CopyButton value={text} timeout={1500}>
            {({ copied, copy }) => (
              <PlainButton
                onClick={copy}
                leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              >
                {copied ? t.copied : t.copyAll}
              </PlainButton>
            )}
          </CopyButton>
          <PlainButton
            onClick={() => saveFile('agio-recovery-codes.txt', 'text/plain', file)}
            leftSection={<IconDownload size={16} />}
          >
            {t.download}
          </PlainButton>
        </Group>
        <Checkbox
          label={t.saved}
          checked={isSaved}
          onChange={(event) => setSaved(event.currentTarget.checked)}
        />
        <Group>
          <Button onClick={onSaved} disabled={!isSaved}>
            {security.continue}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}

/** The page that replaces the recovery codes. */
export function NewRecoveryCodes({ me }: { readonly me: Me }) {
  const [, navigate] = useLocation();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <PageFrame title={t.newTitle} width="narrow">
      {codes !== null ? (
        <RecoveryCodes codes={codes} onSaved={() => navigate('/security')} />
      ) : me.totpActive ? (
        <Create left={me.recoveryCodesLeft} onCreated={setCodes} />
      ) : (
        <NeedsAuthenticator reason={t.needsAuthenticator} next="/security" />
      )}
    </PageFrame>
  );
}

interface CreateProps {
  readonly left: number;
  readonly onCreated: (codes: readonly string[]) => void;
}

function Create({ left, onCreated }: CreateProps) {
  const proof = useProof();
  const create = useAction(() => userCenter.renewRecoveryCodes(proof.body), {
    refreshes: AFTER_AN_ACT,
    onDone: ({ recoveryCodes }) => onCreated(recoveryCodes),
  });
  return (
    <Panel>
      <Form className={styles.form} onSubmit={() => create.run()}>
        <Text size="sm">{t.newEffect(left)}</Text>
        <ProofFields proof={proof} error={create.error} recovery={false} />
        <RejectionNote error={unlessQuestion(create.error, proof)} />
        <Group>
          <Button type="submit" loading={create.pending} disabled={!proof.isComplete}>
            {t.create}
          </Button>
          <TextLink href="/security">{common.cancel}</TextLink>
        </Group>
      </Form>
    </Panel>
  );
}
