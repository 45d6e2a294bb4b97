// A field for an amount, a price or a rate. What is typed is text and stays text; a comma is taken for a point.
import { Text, TextInput, type TextInputProps } from '@mantine/core';

export interface DecimalInputProps
  extends Omit<TextInputProps, 'value' | 'onChange' | 'rightSection' | 'type' | 'inputMode'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What it is counted in: USDT, %, days. */
  readonly unit?: string | undefined;
  /** No fraction: days, counts. */
  readonly whole?: boolean;
}

export function DecimalInput({ value, onChange, unit, whole = false, ...rest }: DecimalInputProps) {
  const allowed = whole ? /^\d*$/ : /^\d*\.?\d*$/;
  return (
    <TextInput
      {...rest}
      value={value}
      onChange={(event) => {
        const typed = event.currentTarget.value.replace(/[\s_]/g, '').replace(',', '.');
        if (allowed.test(typed)) onChange(typed);
      }}
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
