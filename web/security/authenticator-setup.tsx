// Setting up an authenticator: the secret as a QR code and as text, a first code, and the recovery
// codes.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import type { RecoveryCodes as MadeCodes, TotpEnrolment } from '../../src/sdk/index.ts';
import { nextPath } from '../account/address.ts';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { TotpField } from '../components/code-fields.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { PageFrame } from '../components/page-frame.tsx';
import { Panel } from '../components/panel.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { Empty, RefusalNote } from '../components/states.tsx';
import { useSession } from '../session/session.ts';
import { AFTER_AN_ACT } from './feeds.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './security.module.css';

export function AuthenticatorSetup() {
  const { me } = useSession();
  const [, navigate] = useLocation();
  const next = nextPath(useSearch(), '/security');
  const [enrolment, setEnrolment] = useState<TotpEnrolment | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <PageFrame title="Set up an authenticator" width="narrow">
      {codes !== null ? (
        <RecoveryCodes codes={codes} onKept={() => navigate(next)} />
      ) : me?.totpActive ? (
        <SetUpAlready next={next} />
      ) : enrolment === null ? (
        <Prepare onReady={setEnrolment} />
      ) : (
        <Connect enrolment={enrolment} onDone={(made) => setCodes(made.recoveryCodes)} />
      )}
    </PageFrame>
  );
}

const SetUpAlready = ({ next }: { readonly next: string }) => (
  <Panel>
    <Empty
      title="An authenticator is set up"
      action={
        <Button component={Link} href={next} mt="xs">
          Continue
        </Button>
      }
    />
  </Panel>
);

function Prepare({ onReady }: { readonly onReady: (enrolment: TotpEnrolment) => void }) {
  const enroll = useAction(() => userCenter.enrollTotp(), { onDone: onReady });
  return (
    <Panel title="1. Get an authenticator app">
      <Stack gap="md">
        <Text size="sm">
          Any app for time-based codes (TOTP) does: the one in your password manager, Aegis, Google
          Authenticator, 2FAS and others. You need it now to scan a code.
        </Text>
        <RefusalNote error={enroll.error} />
        <Group>
          <Button onClick={() => enroll.run()} loading={enroll.pending}>
            Continue
          </Button>
          <Anchor component={Link} href="/security" size="sm">
            Not now
          </Anchor>
        </Group>
      </Stack>
    </Panel>
  );
}

interface ConnectProps {
  readonly enrolment: TotpEnrolment;
  readonly onDone: (made: MadeCodes) => void;
}

function Connect({ enrolment, onDone }: ConnectProps) {
  const [code, setCode] = useState('');
  const activate = useAction(
    (googleAuthCode: string) => userCenter.activateTotp({ googleAuthCode }),
    { refreshes: AFTER_AN_ACT, onDone },
  );
  return (
    <>
      <Panel title="2. Scan this code with the app">
        <div className={styles.setup}>
          <QrCode
            value={enrolment.otpauthUrl}
            label="The secret for your authenticator, as a QR code"
          />
          <div className={styles.secret}>
            <Text size="sm">
              On this device, or without a camera: type or copy this secret instead.
            </Text>
            <CopyText value={enrolment.secret} label="secret" />
            <Text size="sm" className="dim">
              Time-based, 6 digits, 30 seconds. Keep it secret: anyone who has it can create your
              codes.
            </Text>
          </div>
        </div>
      </Panel>
      <Panel title="3. Enter the code from the app">
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            activate.run(code);
          }}
        >
          <TotpField
            value={code}
            onChange={setCode}
            recovery={false}
            description="Six digits; a new one comes every 30 seconds."
            autoFocus
          />
          <RefusalNote error={activate.error} />
          <Text size="sm" className="dim">
            This ends all your other sessions.
          </Text>
          <Button type="submit" loading={activate.pending} disabled={code.length < 6}>
            Turn on
          </Button>
        </form>
      </Panel>
    </>
  );
}
