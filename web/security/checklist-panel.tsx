// The security checklist, with a link for each open item.
import { Anchor, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Me } from '../../src/sdk/index.ts';
import { Panel } from '../components/panel.tsx';
import { useLive } from '../live/live.ts';
import { checklist, identityWords } from './checklist.ts';
import { keysFeed } from './feeds.ts';
import styles from './security.module.css';

export function Checklist({ me }: { readonly me: Me }) {
  const { data: keys = [] } = useLive(keysFeed);
  const items = checklist(me, keys, Date.now());
  const missing = items.filter(({ isDone }) => !isDone).length;
  const title =
    missing === 0
      ? 'Your account is secure'
      : `${missing} ${missing === 1 ? 'step' : 'steps'} left to secure your account`;
  return (
    <Panel title={title}>
      <ul className={styles.checks}>
        {items.map(({ id, isDone, text, href }) => (
          <li key={id} className={styles.check}>
            {isDone ? (
              <IconCircleCheck size={18} className="buy" aria-label="Done" role="img" />
            ) : (
              <IconAlertTriangle size={18} className="warn" aria-label="To do" role="img" />
            )}
            {href === null ? (
              <Text size="sm">{text}</Text>
            ) : (
              <Anchor component={Link} href={href} size="sm">
                {text}
              </Anchor>
            )}
          </li>
        ))}
        <li className={styles.check}>
          {me.kyc ? (
            <IconCircleCheck size={18} className="buy" aria-label="Done" role="img" />
          ) : (
            <IconInfoCircle size={18} className="dim" aria-label="Note" role="img" />
          )}
          <Text size="sm">{identityWords(me)}</Text>
        </li>
      </ul>
    </Panel>
  );
}
