// What the mails say: every text in one place. Plain text, so that nothing in them can be dressed
// up; no links, so that nobody learns to follow links in mails about money; and each says what to
// do if it was not you. Values that a stranger chose (alias, browser) are shortened and kept on
// their line.
import { EMAIL_CODE_MS, Operation, type OperationType } from '../proofs/email-codes.ts';

/** What a mail is about; the one thing of it that a log may tell. */
export type MailKind =
  | 'code'
  | 'login'
  | 'keyCreated'
  | 'passwordChanged'
  | 'passwordReset'
  | 'recoveryCodesRenewed'
  | 'totpActivated'
  | 'totpDisabled'
  | 'registeredAlready';

export interface MailText {
  readonly kind: MailKind;
  readonly subject: string;
  readonly body: string;
}

/** Where and when something was done. */
export interface Circumstances {
  /** Wall clock, ms. */
  readonly time: number;
  readonly ip: string | null;
  readonly userAgent?: string | null;
}

const PURPOSES: Readonly<Record<OperationType, string>> = {
  [Operation.registration]: 'confirm your e-mail address',
  [Operation.passwordReset]: 'choose a new password',
  [Operation.login]: 'log in',
  [Operation.passwordChange]: 'change your password',
  [Operation.totpDisable]: 'switch off two-factor authentication',
  [Operation.confirmation]: 'confirm what you are about to do',
  [Operation.keyCreation]: 'create an API key',
};

const MAX_QUOTED = 100;
const NOT_YOU_INSIDE =
  'If it was not you: change your password at once, end all other sessions under Security, and\n' +
  'delete API keys that you do not know. Then tell whoever runs this service.';

/** A one-time code. */
export function codeMail(operation: OperationType, code: string): MailText {
  const minutes = EMAIL_CODE_MS / 60_000;
  const purpose = PURPOSES[operation];
  return {
    kind: 'code',
    subject: `Your code to ${purpose}`,
    body: paragraphs(
      `Your code to ${purpose}:`,
      `    ${code}`,
      `It is valid for ${minutes} minutes, once. Nobody who works here will ever ask you for it.`,
      operation === Operation.registration || operation === Operation.passwordReset
        ? 'If it was not you, do nothing: without this code nothing happens.'
        : 'If it was not you, somebody is logged in as you or knows your password. Change it at\n' +
            'once, and end all other sessions under Security.',
    ),
  };
}

/** A login, as news to its owner. */
export function loginMail(circumstances: Circumstances): MailText {
  return {
    kind: 'login',
    subject: 'New login to your account',
    body: paragraphs(
      'Somebody logged in to your account from where nobody did before.',
      told(circumstances),
      NOT_YOU_INSIDE,
    ),
  };
}

/** A new API key; never its secret. */
export function keyCreatedMail(
  key: { readonly alias: string; readonly moduleIds: readonly number[] },
  circumstances: Circumstances,
): MailText {
  return {
    kind: 'keyCreated',
    subject: 'A new API key for your account',
    body: paragraphs(
      `An API key "${quoted(key.alias)}" was created, with the privileges ${key.moduleIds.join(', ')}.`,
      told(circumstances),
      'If it was not you: delete the key under API keys at once, change your password, and end\n' +
        'all other sessions under Security. Then tell whoever runs this service.',
    ),
  };
}

/** A password that was changed. */
export function passwordChangedMail(circumstances: Circumstances): MailText {
  return {
    kind: 'passwordChanged',
    subject: 'Your password was changed',
    body: paragraphs(
      'The password of your account was changed. All other sessions have ended.',
      told(circumstances),
      'If it was not you: choose a new password by "Forgot your password?" at once. Then tell\n' +
        'whoever runs this service.',
    ),
  };
}

/** A password that was chosen anew by who has the mailbox. */
export function passwordResetMail(circumstances: Circumstances): MailText {
  return {
    kind: 'passwordReset',
    subject: 'Your password was reset',
    body: paragraphs(
      'A new password was chosen for your account with a code from this mailbox. All sessions have\n' +
        'ended; API keys go on working.',
      told(circumstances),
      'If it was not you: somebody reads your mail. Change the password of the mailbox, then choose a\n' +
        'new one here by "Forgot your password?", and tell whoever runs this service.',
    ),
  };
}

/** Recovery codes that replace those of before. */
export function recoveryCodesMail(circumstances: Circumstances): MailText {
  return {
    kind: 'recoveryCodesRenewed',
    subject: 'You have new recovery codes',
    body: paragraphs(
      'New recovery codes were made for your account. Those of before are worth nothing any more.',
      told(circumstances),
      NOT_YOU_INSIDE,
    ),
  };
}

/** Two-factor authentication switched on. */
export function totpActivatedMail(circumstances: Circumstances): MailText {
  return {
    kind: 'totpActivated',
    subject: 'Two-factor authentication is on',
    body: paragraphs(
      'Two-factor authentication was switched on. Keep the recovery codes where the telephone is not.',
      told(circumstances),
      NOT_YOU_INSIDE,
    ),
  };
}

/** Two-factor authentication switched off. */
export function totpDisabledMail(circumstances: Circumstances): MailText {
  return {
    kind: 'totpDisabled',
    subject: 'Two-factor authentication is off',
    body: paragraphs(
      'Two-factor authentication was switched off. A password alone now opens your account.',
      told(circumstances),
      NOT_YOU_INSIDE,
    ),
  };
}

/**
 * To the owner of an address that somebody tried to register again: the answer to that somebody is
 * the same as for a free address, so that it does not tell who has an account.
 */
export function registeredAlreadyMail(circumstances: Circumstances): MailText {
  return {
    kind: 'registeredAlready',
    subject: 'You have an account already',
    body: paragraphs(
      'Somebody tried to register with this e-mail address, which has an account already.',
      told(circumstances),
      'If it was you: log in, or choose a new password by "Forgot your password?". If it was not\n' +
        'you, do nothing: nothing has changed.',
    ),
  };
}

const paragraphs = (...parts: readonly string[]): string => `${parts.join('\n\n')}\n`;

function told({ time, ip, userAgent = null }: Circumstances): string {
  const lines = [
    `    Time:     ${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    `    Address:  ${quoted(ip ?? 'unknown')}`,
  ];
  if (userAgent !== null) lines.push(`    Browser:  ${quoted(userAgent)}`);
  return lines.join('\n');
}

/** On one line, without what could pass for a line, a heading or a link of ours. */
function quoted(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/:\/\//g, ': //');
  return plain.length <= MAX_QUOTED ? plain : `${plain.slice(0, MAX_QUOTED)}…`;
}
