// The field for a new password, with help while the user types.
import { PasswordInput, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { account as t } from '../messages/account.ts';
import { isPasswordRejected, passwordHint } from './password-length.ts';

export interface NewPasswordProps {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** True if the server rejected this password. */
  readonly rejected: boolean;
}

export function NewPassword({ label = t.password, value, onChange, rejected }: NewPasswordProps) {
  const hintId = useId();
  const { text, tone } = passwordHint(value, rejected);
  return (
    <div>
      <PasswordInput
        label={label}
        description={t.passwordHelp}
        autoComplete="new-password"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        aria-describedby={hintId}
        error={rejected}
        required
      />
      <Text id={hintId} size="xs" mt={6} className={tone} aria-live="polite">
        {text}
      </Text>
    </div>
  );
}

export interface PasswordRejection {
  readonly rejected: boolean;
  /** The error that still applies: another password clears the rejection of the last one. */
  readonly error: unknown;
}

/** `field`: the name of the new password in the call. */
export function usePasswordRejection(
  error: unknown,
  field: 'password' | 'newPassword',
  value: string,
): PasswordRejection {
  const [last, setLast] = useState<{ error: unknown; value: string } | null>(null);
  if (!isPasswordRejected(error, field)) return { rejected: false, error };
  const known = last !== null && last.error === error ? last : { error, value };
  if (known !== last) setLast(known);
  const rejected = known.value === value;
  return { rejected, error: rejected ? error : null };
}
