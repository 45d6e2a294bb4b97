// The rules for a new password: 8 to 128 characters of any kind, not one of the fifty thousand most
// common ones, and not made of the user's email address or the name of this service. No rule
// requires kinds of characters: such rules make passwords worse (NIST SP 800-63B, OWASP ASVS 5.0
// 6.2).
import { dictionary } from '@zxcvbn-ts/language-common';
import { type Denial, denyField } from '../result.ts';

const MIN_LENGTH = 8;
/** Room for passphrases; a longer password only costs more to hash. */
const MAX_LENGTH = 128;
const SERVICE_WORDS = ['agio', 'exchange', 'trading', 'password'];

export const PASSWORD_LENGTH_TEXT = `A password has ${MIN_LENGTH} to ${MAX_LENGTH} characters.`;

/** True if the length is accepted, in characters, not bytes. */
export function hasPasswordLength(password: string): boolean {
  const length = [...password.normalize('NFC')].length;
  return length >= MIN_LENGTH && length <= MAX_LENGTH;
}

/** Rejects a weak password of `field`; `email` is the email address of its user. */
export function checkPassword(
  password: string,
  field = 'password',
  email: string | null = null,
): Denial | undefined {
  if (!hasPasswordLength(password)) return denyField(field, PASSWORD_LENGTH_TEXT);
  const plain = password.normalize('NFC').toLowerCase();
  if (common().has(plain)) {
    return denyField(field, 'This password is too common. Choose another one.');
  }
  if (isMadeOf(plain, contextWords(email))) {
    const text = 'Choose a password that does not contain your email address or our name.';
    return denyField(field, text);
  }
  return undefined;
}

let commonPasswords: ReadonlySet<string> | undefined;

/** The common passwords of an accepted length; built at the first use. */
function common(): ReadonlySet<string> {
  commonPasswords ??= new Set(
    dictionary['passwords-common'].filter((password) => password.length >= MIN_LENGTH),
  );
  return commonPasswords;
}

/** Shorter parts occur in too many words. */
const MIN_CONTEXT = 3;

function contextWords(email: string | null): readonly string[] {
  const [local = '', domain = ''] = (email ?? '').toLowerCase().split('@');
  const parts = [local, domain, ...local.split(/[^a-z0-9]+/), ...domain.split('.')];
  return [...SERVICE_WORDS, ...parts.filter((part) => part.length >= MIN_CONTEXT)];
}

/** True if a password has fewer than four letters besides these words. */
function isMadeOf(plain: string, words: readonly string[]): boolean {
  let rest = plain;
  // The longest first: "anna.smith" before "anna".
  for (const word of [...words].sort((a, b) => b.length - a.length)) {
    rest = rest.replaceAll(word, ' ');
  }
  const touched = rest !== plain;
  return touched && rest.replace(/[^\p{L}]/gu, '').length < 4;
}
