// A list of facts: names at the left, values at the right.
import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './facts.module.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
  /** Explains the name in a tooltip that the keyboard reaches. */
  readonly meaning?: string;
}

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value, meaning }) => (
        <div key={name} className={styles.fact}>
          <dt>{meaning === undefined ? name : <Explained name={name} meaning={meaning} />}</dt>
          <dd className="figures">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Explained({ name, meaning }: { readonly name: string; readonly meaning: string }) {
  return (
    <Tooltip label={meaning} multiline w={260} events={{ hover: true, focus: true, touch: true }}>
      <button type="button" className={styles.explained} aria-label={`${name}: ${meaning}`}>
        {name}
      </button>
    </Tooltip>
  );
}
