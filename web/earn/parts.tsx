// Small parts that several Earn pages show: the link back, facts, hints, the status, and notices.
import { Anchor, Group, Tooltip } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'wouter';
import { LinkButton, TextButton, TextLink } from '../components/texts.tsx';
import type { Decimal } from '../exact/decimal.ts';
import { grouped } from '../exact/format.ts';
import { common } from '../messages/common.ts';
import { earnText as t } from '../messages/earn.ts';
import type { Hint } from './application.ts';
import styles from './parts.module.css';
import { type Fact, type StatusWord, statusWord } from './words.ts';

export const Back = () => (
  <TextLink href="/earn" className={styles.back}>
    <IconArrowLeft size={15} aria-hidden /> {t.back}
  </TextLink>
);

/** Names at the left, values at the right; null shows nothing. */
export const Facts = ({ facts }: { readonly facts: readonly (Fact | null)[] }) => (
  <dl className={styles.facts}>
    {facts
      .filter((fact) => fact !== null)
      .map(({ name, value, meaning, look }) => (
        <div key={name} className={styles.fact} data-look={look}>
          <dt>{meaning === undefined ? name : <Explained name={name} meaning={meaning} />}</dt>
          <dd className="figures">{value}</dd>
        </div>
      ))}
  </dl>
);

/** The tooltip also opens by keyboard. */
const Explained = ({ name, meaning }: { readonly name: string; readonly meaning: string }) => (
  <Tooltip label={meaning} multiline w={260} events={{ hover: true, focus: true, touch: true }}>
    <button type="button" className={styles.explained} aria-label={`${name}: ${meaning}`}>
      {name}
    </button>
  </Tooltip>
);

export interface HintLineProps {
  readonly id?: string;
  readonly hint: Hint | null;
  /** The unit of the field. */
  readonly unit?: string;
  readonly onUse?: (value: Decimal) => void;
}

/** A hint below a field, with the nearest accepted value as a link. */
export function HintLine({ id, hint, unit = '', onUse }: HintLineProps) {
  const use = hint?.use;
  return (
    <div id={id} aria-live="polite" className={styles.hint}>
      {hint === null ? null : (
        <>
          <span className="sell">{hint.text}</span>{' '}
          {use === undefined || onUse === undefined ? null : (
            <TextButton size="xs" onClick={() => onUse(use)}>
              {common.use(`${grouped(use)}${unit === '%' ? '' : ' '}${unit}`.trim())}
            </TextButton>
          )}
        </>
      )}
    </div>
  );
}

export function ToneBadge({ text, tone }: StatusWord) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{text}</span>;
}

export interface StatusBadgeProps {
  readonly subscription: Parameters<typeof statusWord>[0];
  readonly now: number | null;
}

/** The status of a subscription in words and a color. */
export function StatusBadge({ subscription, now }: StatusBadgeProps) {
  return now === null ? null : <ToneBadge {...statusWord(subscription, now)} />;
}

/** Invites visitors, who see the plans without their own rates, to log in. */
export function Invitation({ next = '/earn' }: { readonly next?: string }) {
  const query = `?next=${encodeURIComponent(next)}`;
  return (
    <section className={styles.invitation} aria-label={t.invitation.label}>
      <p>{t.invitation.text}</p>
      <Group gap="xs" wrap="nowrap">
        <LinkButton href={`/register${query}`}>{t.invitation.createAccount}</LinkButton>
        <LinkButton href={`/login${query}`} variant="default">
          {t.invitation.logIn}
        </LinkButton>
      </Group>
    </section>
  );
}

/** A plan needs a verified customer; the security page shows whether this one is. */
export const NeedsVerification = () => (
  <>
    {t.verification} {t.securityPage[0]}
    <Anchor component={Link} href="/security" inherit c="inherit" underline="always">
      {t.securityPage[1]}
    </Anchor>
    {t.securityPage[2]}
  </>
);
