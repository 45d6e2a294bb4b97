// First steps after the registration.
import { Group, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconCoins, IconShieldLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Dim, LinkButton } from '../components/texts.tsx';
import { account } from '../messages/account.ts';
import { walletText } from '../messages/wallet.ts';
import { isSandbox, useSession } from '../session/session.ts';
import { FaucetAll } from '../wallet/faucet.tsx';
import entry from './entry.module.css';
import styles from './welcome.module.css';

const t = account.welcome;

export function Welcome({ next }: { readonly next: string }) {
  const { me } = useSession();
  const isSafe = me?.totpActive ?? false;
  const back = encodeURIComponent(`/register?next=${encodeURIComponent(next)}`);
  return (
    <div className={entry.page}>
      <div className={entry.frame}>
        <section className={`${entry.card} ${styles.card}`}>
          <Title order={1} size={22}>
            {account.accountCreated}
          </Title>
          <Text size="sm" className="dim breakable" mt={4}>
            {t.loggedInAs(me?.email ?? '')}
          </Text>
          <ol className={styles.steps}>
            <Step
              icon={isSafe ? <IconCheck size={18} /> : <IconShieldLock size={18} />}
              title={t.secure}
              text={isSafe ? t.isSecure : t.secureWhy}
            >
              {isSafe ? null : (
                <LinkButton href={`/security/authenticator?next=${back}`} size="xs">
                  {t.setUp}
                </LinkButton>
              )}
            </Step>
            {isSandbox ? (
              <Step
                icon={<IconCoins size={18} />}
                title={walletText.funding.get}
                text={walletText.funding.testMoneyHow}
              >
                <FaucetAll />
              </Step>
            ) : (
              <Step icon={<IconCoins size={18} />} title={t.fund} text={walletText.funding.how} />
            )}
          </ol>
          <Group justify="flex-end">
            <LinkButton href={next} variant="default">
              {account.continue}
            </LinkButton>
          </Group>
        </section>
      </div>
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
        <Dim>{text}</Dim>
        {children}
      </div>
    </li>
  );
}
