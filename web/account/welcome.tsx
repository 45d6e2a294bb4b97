// First steps after the registration.
import { Button, Group, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconCoins, IconShieldLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { isSandbox, useSession } from '../session/session.ts';
import { FaucetAll } from '../wallet/faucet-all.tsx';
import entry from './entry.module.css';
import styles from './welcome.module.css';

export function Welcome({ next }: { readonly next: string }) {
  const { me } = useSession();
  const isSafe = me?.totpActive ?? false;
  const back = encodeURIComponent(`/register?next=${encodeURIComponent(next)}`);
  return (
    <div className={entry.frame}>
      <section className={`${entry.card} ${styles.card}`}>
        <Title order={1} size={22}>
          Account created
        </Title>
        <Text size="sm" className="dim breakable" mt={4}>
          You are logged in as {me?.email}.
        </Text>
        <ol className={styles.steps}>
          <Step
            icon={isSafe ? <IconCheck size={18} /> : <IconShieldLock size={18} />}
            title="Secure your account"
            text={
              isSafe
                ? 'An authenticator is set up.'
                : 'An authenticator protects your account if your password is stolen. API keys need one.'
            }
          >
            {isSafe ? null : (
              <Button component={Link} href={`/security/authenticator?next=${back}`} size="xs">
                Set up an authenticator
              </Button>
            )}
          </Step>
          {isSandbox ? (
            <Step
              icon={<IconCoins size={18} />}
              title="Get test money"
              text="This is a sandbox: you can get an amount of each asset once a day."
            >
              <FaucetAll />
            </Step>
          ) : (
            <Step
              icon={<IconCoins size={18} />}
              title="Fund your account"
              text="Arrange deposits and withdrawals with the operator of this exchange."
            />
          )}
        </ol>
        <Group justify="flex-end">
          <Button component={Link} href={next} variant="default">
            Continue
          </Button>
        </Group>
      </section>
    </div>
  );
}

interface StepProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

function Step({ icon, title, text, children }: StepProps) {
  return (
    <li className={styles.step}>
      <ThemeIcon variant="light" size={34} radius="md" aria-hidden>
        {icon}
      </ThemeIcon>
      <div className={styles.body}>
        <Title order={2} size="sm">
          {title}
        </Title>
        <Text size="sm" className="dim">
          {text}
        </Text>
        {children}
      </div>
    </li>
  );
}
