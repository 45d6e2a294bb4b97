// The field in which a password is chosen, with the help that there is while it is typed.
import { PasswordInput, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { isPasswordRefused, passwordHint } from './password-length.ts';

export interface NewPasswordProps {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The server has refused this very password. */
  readonly refused: boolean;
}

export function NewPassword({ label = 'Password', value, onChange, refused }: NewPasswordProps) {
  const hintId = useId();
  const { text, tone } = passwordHint(value, refused);
  return (
    <div>
      <PasswordInput
        label={label}
        description="Length is what counts: a few words that do not belong together, or what a password manager makes up."
        autoComplete="new-password"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        aria-describedby={hintId}
        error={refused}
        required
      />
      <Text id={hintId} size="xs" mt={6} className={tone} aria-live="polite">
        {text}
      </Text>
    </div>
  );
}

export interface PasswordRefusal {
  readonly refused: boolean;
  /** What is still true of what was sent: the refusal of a password goes when another one is typed. */
  readonly error: unknown;
}

/** `field` is what the call names the new password. */
export function usePasswordRefusal(
  error: unknown,
  field: 'password' | 'newPassword',
  value: string,
): PasswordRefusal {
  const [judged, setJudged] = useState<{ error: unknown; value: string } | null>(null);
  if (!isPasswordRefused(error, field)) return { refused: false, error };
  const known = judged !== null && judged.error === error ? judged : { error, value };
  if (known !== judged) setJudged(known);
  const refused = known.value === value;
  return { refused, error: refused ? error : null };
}
