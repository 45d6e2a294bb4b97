// The security checklist: the items that make an account secure, with a link for each open one.
import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { Key, Me } from '../../src/sdk/index.ts';
import { Panel } from '../components/layout.tsx';
import { TextLink } from '../components/texts.tsx';
import { useLive } from '../live/live.ts';
import { security } from '../messages/security.ts';
import { isLive, keysFeed } from './feeds.ts';
import styles from './security.module.css';

const t = security.checklist;

interface CheckItem {
  readonly id: 'authenticator' | 'recoveryCodes' | 'keys';
  readonly isDone: boolean;
  readonly text: string;
  /** The page that resolves it. */
  readonly href: string;
}

/** With fewer codes, the loss of a phone can lock the user out. */
const FEW_CODES = 3;

/** `now`: wall clock, ms. Ignores keys that no longer work. */
export function checklist(
  { totpActive, recoveryCodesLeft: left }: Me,
  keys: readonly Key[],
  now: number,
): readonly CheckItem[] {
  const live = keys.filter((key) => isLive(key, now));
  const open = live.filter(({ ipAllowList }) => ipAllowList === null).length;
  const authenticator = {
    id: 'authenticator',
    isDone: totpActive,
    text: totpActive ? t.authenticatorSet : t.authenticatorMissing,
    href: '/security/authenticator',
  } as const;
  const recoveryCodes = {
    id: 'recoveryCodes',
    isDone: left >= FEW_CODES,
    text: left >= FEW_CODES ? t.codesLeft(left) : t.fewCodesLeft(left),
    href: '/security/recovery',
  } as const;
  const limitedKeys = {
    id: 'keys',
    isDone: open === 0,
    text: open === 0 ? t.keysLimited : t.keysFromAnywhere(open),
    href: '/keys',
  } as const;
  return [
    authenticator,
    ...(totpActive ? [recoveryCodes] : []),
    ...(live.length > 0 ? [limitedKeys] : []),
  ];
}

/** Not an item of the checklist, because only the operator can change it. */
export const identityText = ({ kyc }: Pick<Me, 'kyc'>): string =>
  kyc ? t.identityVerified : t.identityNotVerified;

export function Checklist({ me }: { readonly me: Me }) {
  const { data: keys = [] } = useLive(keysFeed);
  const items = checklist(me, keys, Date.now());
  const missing = items.filter(({ isDone }) => !isDone).length;
  return (
    <Panel title={missing === 0 ? t.allDone : t.stepsLeft(missing)}>
      <ul className={styles.checks}>
        {items.map(({ id, isDone, text, href }) => (
          <li key={id} className={styles.check}>
            {isDone ? <Done /> : <ToDo />}
            {isDone ? <Text size="sm">{text}</Text> : <TextLink href={href}>{text}</TextLink>}
          </li>
        ))}
        <li className={styles.check}>
          {me.kyc ? <Done /> : <Note />}
          <Text size="sm">{identityText(me)}</Text>
        </li>
      </ul>
    </Panel>
  );
}

const Done = () => <IconCircleCheck size={18} className="buy" aria-label={t.done} role="img" />;
const ToDo = () => <IconAlertTriangle size={18} className="warn" aria-label={t.toDo} role="img" />;
const Note = () => <IconInfoCircle size={18} className="dim" aria-label={t.note} role="img" />;
