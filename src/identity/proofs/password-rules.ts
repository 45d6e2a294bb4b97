// What may be chosen as a password: 8 to 128 characters, whatever they are, but none that is among
// the fifty thousand that are tried first, and none that is made of the person's own address or of
// the name of this service. No rule asks for kinds of characters: such rules make passwords worse
// (NIST SP 800-63B, OWASP ASVS 5.0 6.2).
import { dictionary } from '@zxcvbn-ts/language-common';
import { type Refusal, refuse } from '../refusal.ts';

const MIN_LENGTH = 8;
/** Leaves room for passphrases; beyond it a password is only a cost to hash. */
const MAX_LENGTH = 128;
const SERVICE_WORDS = ['agio', 'exchange', 'trading', 'password'];

export const PASSWORD_LENGTH_TEXT = `A password has ${MIN_LENGTH} to ${MAX_LENGTH} characters.`;

/** Whether the length is one that is accepted; characters are counted, not bytes. */
export function hasPasswordLength(password: string): boolean {
  const length = [...password.normalize('NFC')].length;
  return length >= MIN_LENGTH && length <= MAX_LENGTH;
}

/**
 * Refuses a password that nobody should choose: `password` with the sentence why. `email` is the
 * address of who chooses it.
 */
export function checkPassword(
  password: string,
  field = 'password',
  email: string | null = null,
): Refusal | undefined {
  if (!hasPasswordLength(password)) return refuse('invalid', field, PASSWORD_LENGTH_TEXT);
  const plain = password.normalize('NFC').toLowerCase();
  if (common().has(plain)) {
    const text = 'This password is one of those that are tried first. Choose another one.';
    return refuse('invalid', field, text);
  }
  if (isMadeOf(plain, contextWords(email))) {
    const text = 'Choose a password that is not made of your e-mail address or of this service.';
    return refuse('invalid', field, text);
  }
  return undefined;
}

let commonOnes: ReadonlySet<string> | undefined;

/** Those that are long enough to be accepted otherwise; made when a password is first chosen. */
function common(): ReadonlySet<string> {
  commonOnes ??= new Set(
    dictionary['passwords-common'].filter((password) => password.length >= MIN_LENGTH),
  );
  return commonOnes;
}

/** Parts shorter than three letters are in every other word. */
const MIN_CONTEXT = 3;

function contextWords(email: string | null): readonly string[] {
  const [local = '', domain = ''] = (email ?? '').toLowerCase().split('@');
  const parts = [local, domain, ...local.split(/[^a-z0-9]+/), ...domain.split('.')];
  return [...SERVICE_WORDS, ...parts.filter((part) => part.length >= MIN_CONTEXT)];
}

/** Whether fewer than four letters are left without these words, digits and signs at the ends. */
function isMadeOf(plain: string, words: readonly string[]): boolean {
  let rest = plain;
  // The longest first: "anna.smith" before "anna".
  for (const word of [...words].sort((a, b) => b.length - a.length)) {
    rest = rest.replaceAll(word, ' ');
  }
  const touched = rest !== plain;
  return touched && rest.replace(/[^\p{L}]/gu, '').length < 4;
}
