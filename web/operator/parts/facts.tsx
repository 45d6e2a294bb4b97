// What is known of one thing, name by name; and the small marks that tell its state.
import type { ReactNode } from 'react';
import styles from './parts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export type Tone = 'good' | 'warn' | 'bad' | 'none';

/** A state in words, with a colour for who sees it. */
export function Mark({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={styles.status}>
      <span className={styles.dot} data-tone={tone} aria-hidden />
      {children}
    </span>
  );
}

/** A hash or a key in a column: cut on screen, in full for who points at it. */
export function Cut({ text }: { readonly text: string }) {
  return (
    <span className={styles.cell} title={text}>
      {text}
    </span>
  );
}
