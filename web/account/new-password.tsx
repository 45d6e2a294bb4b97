// The field in which a password is chosen, with the help that there is while it is typed.
import { PasswordInput, Text } from '@mantine/core';
import { useId } from 'react';
import { lengthFault } from './password-length.ts';

export interface NewPasswordProps {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function NewPassword({ label = 'Password', value, onChange }: NewPasswordProps) {
  const hint = useId();
  const fault = lengthFault(value);
  return (
    <div>
      <PasswordInput
        label={label}
        description="Length is what counts: a few words that do not belong together, or what a password manager makes up."
        autoComplete="new-password"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        aria-describedby={hint}
        required
      />
      <Text
        id={hint}
        size="xs"
        mt={6}
        className={fault === null ? 'buy' : 'dim'}
        aria-live="polite"
      >
        {value === '' ? 'At least 8 characters.' : (fault ?? 'Long enough.')}
      </Text>
    </div>
  );
}
