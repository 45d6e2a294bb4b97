// A field for an amount, a price or a rate in the decimal format of the user's locale. The text
// stays as typed; a text with no or two readings is an error (exact/typed.ts).
import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { fieldText, formFault, keptText, SIGN, wholeFault } from '../exact/typed.ts';

export interface DecimalInputProps
  extends Omit<TextInputProps, 'value' | 'onChange' | 'rightSection' | 'type' | 'inputMode'> {
  /** With a point before decimals; fromInput (exact/decimal.ts) reads it. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** USDT, %, days. */
  readonly unit?: string | undefined;
  /** No fraction: days, counts. */
  readonly whole?: boolean;
  /** The page shows the error elsewhere, so the field only marks it. */
  readonly errorElsewhere?: boolean;
}

export function DecimalInput(props: DecimalInputProps) {
  const { value, onChange, unit, whole = false, errorElsewhere = false, error, ...rest } = props;
  const [typed, setTyped] = useState({ text: '', kept: '' });
  const change = (text: string, pasted: boolean) => {
    const kept = keptText(text, { sign: SIGN, pasted, whole });
    setTyped({ text, kept });
    onChange(kept);
  };
  const fault = whole ? wholeFault(value) : formFault(value);
  return (
    <TextInput
      {...rest}
      value={typed.kept === value ? typed.text : fieldText(value, SIGN)}
      onChange={({ currentTarget, nativeEvent }) =>
        change(currentTarget.value, isPasted(nativeEvent))
      }
      error={errorElsewhere ? error : (fault ?? error)}
      inputMode={whole ? 'numeric' : 'decimal'}
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: 'figures' }}
      rightSectionWidth={unit === undefined ? 0 : 20 + unit.length * 9}
      rightSection={
        unit === undefined ? null : (
          <Text size="xs" className="dim">
            {unit}
          </Text>
        )
      }
      rightSectionPointerEvents="none"
    />
  );
}

const isPasted = (event: Event): boolean =>
  /^insertFrom(Paste|Drop)/.test((event as InputEvent).inputType ?? '');
