// What a browser can know of the rules for passwords: their length. The rest (whether it is one of those that are tried
// first, or made of the address) the server says.

/** As src/identity/password-rules.ts has them. */
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
