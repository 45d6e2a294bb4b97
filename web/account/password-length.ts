// What a page says of a password while it is chosen. Its length a browser can judge; the rest (whether it is common, or made of
// the address) the server says.
import { Refused } from '../api/refusal.ts';

/** As src/identity/proofs/password-rules.ts has them. */
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

/** Characters, not bytes, in the form in which the server counts them. */
export const passwordLength = (password: string): number => [...password.normalize('NFC')].length;

/** What is wrong with the length of what has been typed so far; null where nothing is. */
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

/** `isRefused`: the server has refused this very password, and its reason stands below. */
export function passwordHint(password: string, isRefused: boolean): PasswordHint {
  if (password === '') return { text: `At least ${MIN_PASSWORD_LENGTH} characters.`, tone: 'dim' };
  if (isRefused) return { text: 'Choose another password.', tone: 'sell' };
  const fault = lengthFault(password);
  return fault === null ? { text: 'Long enough.', tone: 'buy' } : { text: fault, tone: 'dim' };
}

/** Whether an error is about the password that was chosen, by the names that the calls give it. */
export const isPasswordRefused = (error: unknown, field: 'password' | 'newPassword'): boolean =>
  error instanceof Refused && error.details.field === field;
