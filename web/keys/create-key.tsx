// The form for a new API key: its privileges, its limits, and the two codes that it takes.
import { Anchor, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Me, NewKey } from '../../src/sdk/index.ts';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { EmailCodeField, TotpField } from '../components/code-fields.tsx';
import { PageFrame } from '../components/page-frame.tsx';
import { Panel } from '../components/panel.tsx';
import { EmailCodeFor } from '../components/proof.tsx';
import { RefusalNote } from '../components/states.tsx';
import { NeedsAuthenticator } from '../security/needs-authenticator.tsx';
import { EMPTY_DRAFT, faultsOf, type KeyDraft, type KeyRequest, requestOf } from './key-draft.ts';
import { KeyFields } from './key-fields.tsx';
import styles from './keys.module.css';
import { NewKeyCard } from './new-key.tsx';

export function CreateKey({ me }: { readonly me: Me }) {
  const [made, setMade] = useState<(KeyRequest & NewKey) | null>(null);
  if (made !== null) return <NewKeyCard made={made} />;
  return (
    <PageFrame title="Create an API key" width="narrow">
      {me.totpActive ? (
        <CreateForm isEnterpriseAdmin={me.enterpriseAdmin} onMade={setMade} />
      ) : (
        <NeedsAuthenticator next="/keys/new">
          An API key can trade with your money, so creating one needs a code from your
          authenticator.
        </NeedsAuthenticator>
      )}
    </PageFrame>
  );
}

interface CreateFormProps {
  readonly isEnterpriseAdmin: boolean;
  readonly onMade: (made: KeyRequest & NewKey) => void;
}

function CreateForm({ isEnterpriseAdmin, onMade }: CreateFormProps) {
  const [draft, setDraft] = useState<KeyDraft>(EMPTY_DRAFT);
  const [isTried, setTried] = useState(false);
  const [totp, setTotp] = useState('');
  const [mailed, setMailed] = useState('');
  const faults = faultsOf(draft, Date.now());
  const create = useAction(
    async () => {
      const request = requestOf(draft, Date.now());
      const codes = { emailAuthCode: mailed, googleAuthCode: totp };
      return { ...request, ...(await userCenter.createKey({ ...request, ...codes })) };
    },
    { refreshes: [['keys'], ['audit'], ['me']], onDone: onMade },
  );
  const submit = () => {
    setTried(true);
    if (Object.keys(faults).length === 0) create.run();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      noValidate
    >
      <Stack gap="md">
        <KeyFields
          draft={draft}
          onChange={setDraft}
          faults={isTried ? faults : {}}
          isEnterpriseAdmin={isEnterpriseAdmin}
        />
        <Panel title="Confirm your identity">
          <div className={styles.fields}>
            <EmailCodeField
              value={mailed}
              onChange={setMailed}
              send={() => userCenter.sendEmailCode({ operationType: EmailCodeFor.newApiKey })}
            />
            <TotpField value={totp} onChange={setTotp} />
            <RefusalNote error={create.error} />
            <Group>
              <Button
                type="submit"
                loading={create.pending}
                disabled={mailed === '' || totp === ''}
              >
                Create key
              </Button>
              <Anchor component={Link} href="/keys" size="sm">
                Cancel
              </Anchor>
            </Group>
          </div>
        </Panel>
      </Stack>
    </form>
  );
}
