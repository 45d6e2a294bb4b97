// Hints about a password while the user types it. The page judges the length; the server judges
// whether it is common or contains the email address.
import { Refused } from '../api/refusal.ts';

/** The same limits as src/identity/proofs/password-rules.ts. */
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

/** Characters, not bytes, counted as the server counts them. */
export const passwordLength = (password: string): number => [...password.normalize('NFC')].length;

/** The fault in the length of a typed password; null if there is none. */
export function lengthFault(password: string): string | null {
  const length = passwordLength(password);
  if (length < MIN_PASSWORD_LENGTH) {
    const missing = MIN_PASSWORD_LENGTH - length;
    return `At least ${MIN_PASSWORD_LENGTH} characters: ${missing} more.`;
  }
  if (length > MAX_PASSWORD_LENGTH) {
    return `At most ${MAX_PASSWORD_LENGTH} characters: ${length - MAX_PASSWORD_LENGTH} fewer.`;
  }
  return null;
}

export interface PasswordHint {
  readonly text: string;
  readonly tone: 'buy' | 'sell' | 'dim';
}

/** `isRefused`: the server rejected this password, and its reason stands below. */
export function passwordHint(password: string, isRefused: boolean): PasswordHint {
  if (password === '') return { text: `At least ${MIN_PASSWORD_LENGTH} characters.`, tone: 'dim' };
  if (isRefused) return { text: 'Choose another password.', tone: 'sell' };
  const fault = lengthFault(password);
  return fault === null ? { text: 'Long enough.', tone: 'buy' } : { text: fault, tone: 'dim' };
}

/** Whether an error concerns the new password, by its field name in the call. */
export const isPasswordRefused = (error: unknown, field: 'password' | 'newPassword'): boolean =>
  error instanceof Refused && error.details.field === field;
