// What is wrong with what was typed, below its field, with the nearest value that would do as a click.
import { Anchor } from '@mantine/core';
import type { Decimal } from '../exact/decimal.ts';
import { grouped } from '../exact/format.ts';
import type { Hint } from './application.ts';
import styles from './calculator.module.css';

export interface HintLineProps {
  readonly id?: string;
  readonly hint: Hint | null;
  /** What the field is measured in. */
  readonly unit?: string;
  readonly onUse?: (value: Decimal) => void;
}

export function HintLine({ id, hint, unit = '', onUse }: HintLineProps) {
  const use = hint?.use;
  return (
    <div id={id} aria-live="polite" className={styles.hint}>
      {hint === null ? null : (
        <>
          <span className="sell">{hint.text}</span>{' '}
          {use === undefined || onUse === undefined ? null : (
            <Anchor component="button" type="button" size="xs" onClick={() => onUse(use)}>
              {`Use ${grouped(use)} ${unit}`.trim()}
            </Anchor>
          )}
        </>
      )}
    </div>
  );
}
