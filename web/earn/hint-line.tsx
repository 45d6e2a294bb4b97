// A hint below a field, with the nearest accepted value as a link.
import { Anchor } from '@mantine/core';
import type { Decimal } from '../exact/decimal.ts';
import { grouped } from '../exact/format.ts';
import type { Hint } from './application.ts';
import styles from './calculator.module.css';

export interface HintLineProps {
  readonly id?: string;
  readonly hint: Hint | null;
  /** The unit of the field. */
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
