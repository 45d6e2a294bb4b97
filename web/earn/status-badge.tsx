// The status of a subscription in words and a color.
import styles from './status-badge.module.css';
import { type StatusWord, statusWord } from './words.ts';

export function ToneBadge({ text, tone }: StatusWord) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{text}</span>;
}

export interface StatusBadgeProps {
  readonly subscription: Parameters<typeof statusWord>[0];
  readonly now: number | null;
}

export function StatusBadge({ subscription, now }: StatusBadgeProps) {
  return now === null ? null : <ToneBadge {...statusWord(subscription, now)} />;
}
