// Replacing the recovery codes.
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { PageFrame } from '../components/page-frame.tsx';
import { Panel } from '../components/panel.tsx';
import { ProofFields, unlessQuestion, useProof } from '../components/proof.tsx';
import { RefusalNote } from '../components/states.tsx';
import { useSession } from '../session/session.ts';
import { AFTER_AN_ACT } from './feeds.ts';
import { NeedsAuthenticator } from './needs-authenticator.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './security.module.css';

export function NewRecoveryCodes() {
  const { me } = useSession();
  const [, navigate] = useLocation();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <PageFrame title="New recovery codes" width="narrow">
      {codes !== null ? (
        <RecoveryCodes codes={codes} onKept={() => navigate('/security')} />
      ) : me?.totpActive ? (
        <Make left={me.recoveryCodesLeft} onMade={setCodes} />
      ) : (
        <NeedsAuthenticator next="/security">
          Recovery codes replace an authenticator, and you have not set one up.
        </NeedsAuthenticator>
      )}
    </PageFrame>
  );
}

interface MakeProps {
  readonly left: number;
  readonly onMade: (codes: readonly string[]) => void;
}

function Make({ left, onMade }: MakeProps) {
  const proof = useProof();
  const make = useAction(() => userCenter.renewRecoveryCodes(proof.body), {
    refreshes: AFTER_AN_ACT,
    onDone: ({ recoveryCodes }) => onMade(recoveryCodes),
  });
  return (
    <Panel>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          make.run();
        }}
      >
        <Text size="sm">
          This creates ten new codes. The previous codes ({left} left) no longer work.
        </Text>
        <ProofFields proof={proof} error={make.error} recovery={false} />
        <RefusalNote error={unlessQuestion(make.error, proof)} />
        <Group>
          <Button type="submit" loading={make.pending} disabled={!proof.isComplete}>
            Create new codes
          </Button>
          <Anchor component={Link} href="/security" size="sm">
            Cancel
          </Anchor>
        </Group>
      </form>
    </Panel>
  );
}
