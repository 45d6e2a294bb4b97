// The texts of the emails. They are plain text, so nothing in them is disguised, and have no links,
// so nobody learns to follow links in emails about money. Each says what to do if the
// reader did not cause it. Values that a stranger chose are shortened and stay on their line.
import { LANGUAGES, type Translations } from '../../messages/language.ts';
import { EMAIL_CODE_MS, Operation, type OperationType } from '../proofs/email-codes.ts';

/** The kind of an email, which is all that a log has of it. */
export type MailKind =
  | 'code'
  | 'login'
  | 'keyCreated'
  | 'passwordChanged'
  | 'passwordReset'
  | 'recoveryCodesRenewed'
  | 'totpActivated'
  | 'totpDisabled'
  | 'registeredAlready'
  | OperatorAct;

/** An act of the operator on a customer's account. */
export type OperatorAct =
  | 'operatorKey'
  | 'operatorSuspended'
  | 'operatorReactivated'
  | 'operatorCredit'
  | 'operatorDebit';

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

const NOT_YOU =
  'If this was not you: change your password immediately, end all other sessions under\n' +
  'Security, and delete API keys that you do not know. Then contact the operator of this\n' +
  'service.';

const UNEXPECTED = 'If you did not expect this: contact the operator of this service.';

const FORGOT = '"Forgot your password?"';

/** The English texts: an email says what was done, when and where, and what to do about it. */
const en = {
  purposes: {
    [Operation.registration]: 'verify your email address',
    [Operation.passwordReset]: 'reset your password',
    [Operation.login]: 'log in',
    [Operation.passwordChange]: 'change your password',
    [Operation.totpDisable]: 'disable two-factor authentication',
    [Operation.confirmation]: 'confirm your request',
    [Operation.keyCreation]: 'create an API key',
  } satisfies Readonly<Record<OperationType, string>>,
  code: (purpose: string, code: string, minutes: number, isAnonymous: boolean) => ({
    subject: `Your code to ${purpose}`,
    paragraphs: [
      `Your code to ${purpose}:`,
      `    ${code}`,
      `It is valid for ${minutes} minutes and works once. We never ask you for it.`,
      isAnonymous
        ? 'If you did not request it, do nothing: without this code nothing changes.'
        : 'If you did not request it, someone is logged in as you or knows your password.\n' +
          'Change it immediately, and end all other sessions under Security.',
    ],
  }),
  keyCreated: {
    subject: 'New API key for your account',
    act: (alias: string, privileges: string) =>
      `The API key "${alias}" was created, with the privileges ${privileges}.`,
    remedy:
      'If this was not you: delete the key under API keys immediately, change your password,\n' +
      'and end all other sessions under Security. Then contact the operator of this service.',
  },
  login: {
    subject: 'New sign-in to your account',
    act: 'Someone signed in to your account from a network that you have not used before.',
    remedy: NOT_YOU,
  },
  passwordChanged: {
    subject: 'Your password was changed',
    act: 'The password of your account was changed. All other sessions ended.',
    remedy:
      `If this was not you: reset your password with ${FORGOT} immediately. Then contact\n` +
      'the operator of this service.',
  },
  passwordReset: {
    subject: 'Your password was reset',
    act:
      'Your password was reset with a code from this mailbox. All sessions ended; API keys\n' +
      'still work.',
    remedy:
      'If this was not you: someone reads your mail. Change the password of your mailbox,\n' +
      `then reset your password here with ${FORGOT}, and contact the\n` +
      'operator of this service.',
  },
  recoveryCodesRenewed: {
    subject: 'You have new recovery codes',
    act: 'New recovery codes were created for your account. The previous codes no longer work.',
    remedy: NOT_YOU,
  },
  totpActivated: {
    subject: 'Two-factor authentication is on',
    act: 'Two-factor authentication was enabled. Keep the recovery codes apart from your phone.',
    remedy: NOT_YOU,
  },
  totpDisabled: {
    subject: 'Two-factor authentication is off',
    act: 'Two-factor authentication was disabled. A password alone now opens your account.',
    remedy: NOT_YOU,
  },
  registeredAlready: {
    subject: 'You already have an account',
    act: 'Someone tried to register with this email address, which already has an account.',
    remedy:
      `If this was you: log in, or reset your password with ${FORGOT}. If this was not\n` +
      'you, do nothing: nothing changed.',
  },
  operatorKey: {
    subject: 'The operator created an API key for your account',
    act: (alias: string, privileges: string) =>
      `The operator of this service created the API key ${alias} for your account, with the\n` +
      `privileges ${privileges}.`,
    remedy:
      'If you did not ask for this key: delete it under API keys, and contact the operator of\n' +
      'this service.',
  },
  operatorSuspended: {
    subject: 'Your account is suspended',
    act: () =>
      'The operator of this service suspended your account. Your open orders were canceled.\n' +
      'You can log in and read. You cannot trade, subscribe or redeem. Your money stays in your\n' +
      'account.',
    remedy: 'To learn why, contact the operator of this service.',
  },
  operatorReactivated: {
    subject: 'Your account is active again',
    act: () =>
      'The operator of this service ended the suspension of your account. Canceled orders do\n' +
      'not return.',
    remedy: UNEXPECTED,
  },
  operatorCredit: {
    subject: 'Money was credited to your account',
    act: (money: string, reference: string) =>
      `The operator of this service credited ${money} to your account. Reference: ${reference}.`,
    remedy: UNEXPECTED,
  },
  operatorDebit: {
    subject: 'Money was debited from your account',
    act: (money: string, reference: string) =>
      `The operator of this service debited ${money} from your account. Reference: ${reference}.`,
    remedy: UNEXPECTED,
  },
  circumstances: { time: 'Time', address: 'IP address', browser: 'Browser', unknown: 'unknown' },
};

/** A second language has the same keys; the type check lists the missing ones. */
const translations: Translations<typeof en> = { en };

const messages = translations[LANGUAGES[0]];

/** A one-time code. */
export function codeMail(operation: OperationType, code: string): MailText {
  const isAnonymous = operation === Operation.registration || operation === Operation.passwordReset;
  const minutes = EMAIL_CODE_MS / 60_000;
  return mail('code', messages.code(messages.purposes[operation], code, minutes, isAnonymous));
}

/** A new API key, without its secret. */
export function keyCreatedMail(
  key: { readonly alias: string; readonly moduleIds: readonly number[] },
  circumstances: Circumstances,
): MailText {
  const { subject, act, remedy } = messages.keyCreated;
  const done = act(quoted(key.alias), key.moduleIds.join(', '));
  return mail('keyCreated', { subject, paragraphs: [done, lines(circumstances), remedy] });
}

/** An email about something that was done with the account. */
export function securityMail(
  kind: Exclude<MailKind, 'code' | 'keyCreated' | OperatorAct>,
  circumstances: Circumstances,
): MailText {
  const { subject, act, remedy } = messages[kind];
  return mail(kind, { subject, paragraphs: [act, lines(circumstances), remedy] });
}

/** The values in the sentence of an email about an act of the operator. */
export type OperatorMailValues<K extends OperatorAct> = Parameters<(typeof messages)[K]['act']>;

/** An email about an act of the operator at `time`; `values` are for its sentence. */
export function operatorMail<K extends OperatorAct>(
  kind: K,
  time: number,
  ...values: OperatorMailValues<K>
): MailText {
  const { subject, act, remedy } = messages[kind];
  const sentence = (act as (...texts: readonly string[]) => string)(...values.map(quoted));
  return mail(kind, { subject, paragraphs: [sentence, lines({ time }), remedy] });
}

const mail = (
  kind: MailKind,
  { subject, paragraphs }: { readonly subject: string; readonly paragraphs: readonly string[] },
): MailText => ({ kind, subject, body: `${paragraphs.join('\n\n')}\n` });

function lines({
  time,
  ip,
  userAgent = null,
}: Pick<Circumstances, 'time'> & Partial<Circumstances>): string {
  const { circumstances: names } = messages;
  const facts = [
    [names.time, `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`],
    ...(ip === undefined ? [] : [[names.address, quoted(ip ?? names.unknown)]]),
    ...(userAgent === null ? [] : [[names.browser, quoted(userAgent)]]),
  ];
  return facts.map(([name, value]) => `    ${`${name}:`.padEnd(12)}${value}`).join('\n');
}

const MAX_QUOTED = 100;

/** The text on one line, without anything that looks like a line, a heading or a link of ours. */
function quoted(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/:\/\//g, ': //');
  return plain.length <= MAX_QUOTED ? plain : `${plain.slice(0, MAX_QUOTED)}…`;
}
