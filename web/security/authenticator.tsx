// The authenticator: its state, turning it off, and the notice where a function needs one.
import { Badge, Button, Group, PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconShieldLock } from '@tabler/icons-react';
import { Redirect, useLocation } from 'wouter';
import type { Me } from '../../src/sdk/index.ts';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { Empty, PageFrame, Panel, RejectionNote } from '../components/layout.tsx';
import { ProofFields, unlessQuestion, useProof } from '../components/proof.tsx';
import { Caution, Dim, LinkButton, TextLink } from '../components/texts.tsx';
import { common } from '../messages/common.ts';
import { security } from '../messages/security.ts';
import { AFTER_AN_ACT } from './feeds.ts';
import styles from './security.module.css';

const t = security.authenticator;

export function AuthenticatorPanel({ me }: { readonly me: Me }) {
  const title = (
    <Group gap="xs" component="span">
      {t.title}
      <Badge
        size="sm"
        radius="sm"
        variant="transparent"
        className={me.totpActive ? styles.good : styles.bad}
      >
        {me.totpActive ? t.on : t.off}
      </Badge>
    </Group>
  );
  return (
    <Panel title={title}>
      <div className={styles.row}>
        <div>
          <Text size="sm">{me.totpActive ? t.onEffect : t.offEffect}</Text>
          {me.totpActive ? <Dim>{t.codesLeft(me.recoveryCodesLeft)}</Dim> : null}
        </div>
        {me.totpActive ? (
          <div className={styles.buttons}>
            <LinkButton href="/security/recovery" variant="default" size="xs">
              {t.newCodes}
            </LinkButton>
            <LinkButton href="/security/disable" variant="default" size="xs">
              {t.turnOff}
            </LinkButton>
          </div>
        ) : (
          <LinkButton href="/security/authenticator">{t.setUp}</LinkButton>
        )}
      </div>
    </Panel>
  );
}

/** Turns the authenticator off, with the password and a last code. */
export function DisableAuthenticator({ me }: { readonly me: Me }) {
  const [, navigate] = useLocation();
  const form = useForm({ initialValues: { password: '' } });
  const proof = useProof();
  const disable = useAction(() => userCenter.disableTotp({ ...form.values, ...proof.body }), {
    done: security.disable.done,
    refreshes: AFTER_AN_ACT,
    onDone: () => navigate('/security'),
  });
  if (!me.totpActive) return <Redirect to="/security" replace />;
  return (
    <PageFrame title={security.disable.title} width="narrow">
      <Panel>
        <form className={styles.form} onSubmit={form.onSubmit(() => disable.run())}>
          <Caution>
            <Text size="sm">{security.disable.warning}</Text>
          </Caution>
          <PasswordInput
            label={security.password}
            autoComplete="current-password"
            {...form.getInputProps('password')}
            required
          />
          <ProofFields proof={proof} error={disable.error} />
          <RejectionNote error={unlessQuestion(disable.error, proof)} />
          <Group>
            <Button
              type="submit"
              color="red"
              loading={disable.pending}
              disabled={form.values.password === '' || !proof.isComplete}
            >
              {security.disable.submit}
            </Button>
            <TextLink href="/security">{common.cancel}</TextLink>
          </Group>
        </form>
      </Panel>
    </PageFrame>
  );
}

export interface NeedsAuthenticatorProps {
  readonly reason: string;
  /** The page after the setup. */
  readonly next: string;
}

/** Replaces a function that needs an authenticator, and leads to the setup and back. */
export const NeedsAuthenticator = ({ reason, next }: NeedsAuthenticatorProps) => (
  <Panel>
    <Empty
      icon={IconShieldLock}
      title={t.firstSetUp}
      action={
        <LinkButton href={`/security/authenticator?next=${encodeURIComponent(next)}`} mt="xs">
          {t.setUpLong}
        </LinkButton>
      }
      hint={reason}
    />
  </Panel>
);
