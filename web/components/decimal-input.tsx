// A field for an amount, a price or a rate in the decimal format of the user's locale. It separates
// thousands while the user types; a text with no or two readings is an error (exact/typed.ts).
import { TextInput, type TextInputProps } from '@mantine/core';
import { type ChangeEvent, useLayoutEffect, useRef, useState } from 'react';
import { type Edit, edited, formFault, shownText, wholeFault } from '../exact/typed.ts';
import { Fine } from './texts.tsx';

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
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<Edit>({ text: '', kept: '', caret: 0 });
  const text = typed.kept === value ? typed.text : shownText(value);
  const change = ({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const { inputType = '' } = nativeEvent as InputEvent;
    const after = currentTarget.value;
    const caret = currentTarget.selectionStart ?? after.length;
    const deletesForward = inputType === 'deleteContentForward';
    const pasted = /^insertFrom(Paste|Drop)/.test(inputType);
    const next = edited(
      { before: { text, kept: value }, after, caret, deletesForward },
      { pasted, whole },
    );
    setTyped(next);
    onChange(next.kept);
  };
  useLayoutEffect(() => {
    const { current } = input;
    if (current === null || document.activeElement !== current) return;
    if (current.value === typed.text) current.setSelectionRange(typed.caret, typed.caret);
  }, [typed]);
  const fault = whole ? wholeFault(value) : formFault(value);
  return (
    <TextInput
      {...rest}
      ref={input}
      value={text}
      onChange={change}
      onBlur={(event) => {
        if (fault === null) setTyped({ text: shownText(value), kept: value, caret: 0 });
        rest.onBlur?.(event);
      }}
      error={errorElsewhere ? error : (fault ?? error)}
      inputMode={whole ? 'numeric' : 'decimal'}
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: 'figures' }}
      rightSectionWidth={unit === undefined ? 0 : 20 + unit.length * 9}
      rightSection={unit === undefined ? null : <Fine>{unit}</Fine>}
      rightSectionPointerEvents="none"
    />
  );
}
