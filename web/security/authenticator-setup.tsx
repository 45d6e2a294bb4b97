// Setting up an authenticator: the secret as a QR code and as text, a first code, and the recovery
// codes.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Me, TotpEnrolment } from '../../src/sdk/index.ts';
import { nextPath } from '../account/address.ts';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { TotpField } from '../components/code-fields.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Empty, Form, PageFrame, Panel, RejectionNote } from '../components/layout.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { Dim, LinkButton, TextLink } from '../components/texts.tsx';
import { security } from '../messages/security.ts';
import { AFTER_AN_ACT } from './feeds.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './security.module.css';

const t = security.setup;

export function AuthenticatorSetup({ me }: { readonly me: Me }) {
  const [, navigate] = useLocation();
  const next = nextPath(useSearch(), '/security');
  const [enrolment, setEnrolment] = useState<TotpEnrolment | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <PageFrame title={t.title} width="narrow">
      {codes !== null ? (
        <RecoveryCodes codes={codes} onSaved={() => navigate(next)} />
      ) : me.totpActive ? (
        <IsSetUp next={next} />
      ) : enrolment === null ? (
        <Prepare onReady={setEnrolment} />
      ) : (
        <Connect enrolment={enrolment} onDone={setCodes} />
      )}
    </PageFrame>
  );
}

const IsSetUp = ({ next }: { readonly next: string }) => (
  <Panel>
    <Empty
      title={t.isSetUp}
      action={
        <LinkButton href={next} mt="xs">
          {security.continue}
        </LinkButton>
      }
    />
  </Panel>
);

function Prepare({ onReady }: { readonly onReady: (enrolment: TotpEnrolment) => void }) {
  const enroll = useAction(() => userCenter.enrollTotp(), { onDone: onReady });
  return (
    <Panel title={t.getApp}>
      <Stack gap="md">
        <Text size="sm">{t.getAppHow}</Text>
        <RejectionNote error={enroll.error} />
        <Group>
          <Button onClick={() => enroll.run()} loading={enroll.pending}>
            {security.continue}
          </Button>
          <TextLink href="/security">{t.notNow}</TextLink>
        </Group>
      </Stack>
    </Panel>
  );
}

interface ConnectProps {
  readonly enrolment: TotpEnrolment;
  readonly onDone: (recoveryCodes: readonly string[]) => void;
}

function Connect({ enrolment, onDone }: ConnectProps) {
  const [code, setCode] = useState('');
  const activate = useAction(() => userCenter.activateTotp({ googleAuthCode: code }), {
    refreshes: AFTER_AN_ACT,
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  return (
    <>
      <Panel title={t.scan}>
        <div className={styles.setup}>
          <QrCode value={enrolment.otpauthUrl} label={t.qrCode} />
          <div className={styles.secret}>
            <Text size="sm">{t.typeInstead}</Text>
            <CopyText value={enrolment.secret} label={t.secretName} />
            <Dim>{t.secretNote}</Dim>
          </div>
        </div>
      </Panel>
      <Panel title={t.enterCode}>
        <Form className={styles.form} onSubmit={() => activate.run()}>
          <TotpField
            value={code}
            onChange={setCode}
            recovery={false}
            description={t.codeHelp}
            autoFocus
          />
          <RejectionNote error={activate.error} />
          <Dim>{t.effect}</Dim>
          <Button type="submit" loading={activate.pending} disabled={code.length < 6}>
            {t.submit}
          </Button>
        </Form>
      </Panel>
    </>
  );
}
