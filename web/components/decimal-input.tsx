// A field for an amount, a price or a rate. What is typed stays in the field as it was typed; what cannot be read as one number is
// said to be so, and is never read as another.
import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { fromInput } from '../exact/decimal.ts';

export interface DecimalInputProps
  extends Omit<TextInputProps, 'value' | 'onChange' | 'rightSection' | 'type' | 'inputMode'> {
  /** As it was typed; fromInput (exact/decimal.ts) reads it. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What it is counted in: USDT, %, days. */
  readonly unit?: string | undefined;
  /** No fraction: days, counts. */
  readonly whole?: boolean;
  /** The page says what is wrong by itself, so the field only shows that something is. */
  readonly saidElsewhere?: boolean;
}

const FORM = 'Digits, with a point before decimals: 1234.5';
const WHOLE_FORM = 'A whole number, in digits';

/** What is wrong with the form of what was typed; null for nothing. */
function fault(typed: string, whole: boolean): string | null {
  if (typed.trim() === '') return null;
  const value = fromInput(typed);
  if (whole) return value === null || value.includes('.') ? WHOLE_FORM : null;
  // Somebody is about to type the first digit after a point.
  return value === null && typed.trim() !== '.' ? FORM : null;
}

/** Whether a point is a comma where the reader lives: the decimal keyboard of a telephone has no other key for it. */
const POINT_IS_COMMA = new Intl.NumberFormat()
  .formatToParts(0.5)
  .some(({ type, value }) => type === 'decimal' && value === ',');

/** Makes a comma that was just typed the point that it stands for. What is pasted stays as it is. */
function commaToPoint(input: HTMLInputElement, event: Event): void {
  const end = input.selectionStart;
  if (!POINT_IS_COMMA || (event as InputEvent).data !== ',' || end === null) return;
  input.setRangeText('.', end - 1, end, 'end');
}

export function DecimalInput(props: DecimalInputProps) {
  const { value, onChange, unit, whole = false, saidElsewhere = false, error, ...rest } = props;
  return (
    <TextInput
      {...rest}
      value={value}
      onChange={(event) => {
        commaToPoint(event.currentTarget, event.nativeEvent);
        onChange(event.currentTarget.value);
      }}
      error={saidElsewhere ? error : (fault(value, whole) ?? error)}
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
