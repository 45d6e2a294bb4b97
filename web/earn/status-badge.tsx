// What a subscription is doing, in words and a colour.
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
