// Hints about a password while the user types it. The page judges the length; the server judges
// whether it is common or contains the email address.
import { Rejection } from '../api/rejection.ts';
import { account as t } from '../messages/account.ts';

/** The same limits as src/identity/proofs/password-rules.ts. */
const MIN_LENGTH = 8;
const MAX_LENGTH = 128;

/** The fault in the length of a typed password; null if there is none. */
export function lengthFault(password: string): string | null {
  // Characters, not bytes, counted as the server counts them.
  const { length } = [...password.normalize('NFC')];
  if (length < MIN_LENGTH) return t.passwordTooShort(MIN_LENGTH, MIN_LENGTH - length);
  if (length > MAX_LENGTH) return t.passwordTooLong(MAX_LENGTH, length - MAX_LENGTH);
  return null;
}

export interface PasswordHint {
  readonly text: string;
  readonly tone: 'sell' | 'dim';
}

/** `isRejected`: the server rejected this password, and its reason stands below. */
export function passwordHint(password: string, isRejected: boolean): PasswordHint {
  if (password === '') return { text: t.passwordMinimum(MIN_LENGTH), tone: 'dim' };
  if (isRejected) return { text: t.passwordRejected, tone: 'sell' };
  const fault = lengthFault(password);
  return fault === null
    ? { text: t.passwordLongEnough, tone: 'dim' }
    : { text: fault, tone: 'dim' };
}

/** True if an error concerns the new password, by its field name in the call. */
export const isPasswordRejected = (error: unknown, field: 'password' | 'newPassword'): boolean =>
  error instanceof Rejection && error.details.field === field;
