// The field for the address that an account has or is to have.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { looksLikeEmail } from './address.ts';

export interface EmailFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function EmailField({ value, onChange }: EmailFieldProps) {
  const [isLeft, setLeft] = useState(false);
  // While it is being typed no address is whole yet.
  const isWrong = isLeft && value !== '' && !looksLikeEmail(value.trim());
  return (
    <TextInput
      label="E-mail address"
      type="email"
      autoComplete="username"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => setLeft(true)}
      onFocus={() => setLeft(false)}
      error={isWrong ? 'An address looks like name@example.com.' : undefined}
      required
      autoFocus
    />
  );
}
