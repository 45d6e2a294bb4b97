// The field for the email address of an account.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { looksLikeEmail } from './address.ts';

export interface EmailFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function EmailField({ value, onChange }: EmailFieldProps) {
  const [isLeft, setLeft] = useState(false);
  // An address is incomplete while the user types it.
  const isWrong = isLeft && value !== '' && !looksLikeEmail(value.trim());
  return (
    <TextInput
      label="Email address"
      type="email"
      autoComplete="username"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => setLeft(true)}
      onFocus={() => setLeft(false)}
      error={isWrong ? 'Enter an address such as name@example.com.' : undefined}
      required
      autoFocus
    />
  );
}
