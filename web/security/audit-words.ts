// Texts for the actions and results of the audit log.
import type { OwnAuditEntry } from '../../src/sdk/index.ts';

const ACTIONS: Readonly<Record<string, string>> = {
  'account.register': 'Account created',
  'session.login': 'Login',
  'session.logout': 'Logout',
  'session.revoke': 'Session ended on another device',
  'session.revokeOthers': 'All other sessions ended',
  'password.change': 'Password changed',
  'password.reset': 'Password reset by email',
  'totp.enroll': 'Authenticator setup started',
  'totp.activate': 'Authenticator set up',
  'totp.disable': 'Authenticator turned off',
  'totp.stepUp': 'Confirmed with the authenticator',
  'totp.recoveryCodes': 'New recovery codes',
  'email.codeSent': 'Code sent by email',
  'key.create': 'API key created',
  'key.revoke': 'API key revoked',
  'faucet.credit': 'Test money received',
};

/** Reasons of refusals. */
const REASONS: Readonly<Record<string, string>> = {
  credentialsWrong: 'wrong password',
  totpNeeded: 'authenticator code needed',
  totpWrong: 'wrong authenticator code',
  totpActive: 'an authenticator was active already',
  totpInactive: 'no authenticator was set up',
  emailCodeNeeded: 'code from the email needed',
  emailCodeWrong: 'wrong email code',
  tooManyAttempts: 'too many failed attempts',
  tooManyCodes: 'too many codes requested',
  crossOrigin: 'sent by another site',
  sessionInvalid: 'the session had expired',
  stepUpNeeded: 'confirmation needed',
  loginNotRecent: 'the last login was too long ago',
  faucetUsed: 'already drawn that day',
  invalidField: 'a field was not valid',
  notFound: 'not available here',
  overloaded: 'the server was busy',
};

/** invalidField → invalid field, for names without a text. */
const spaced = (name: string): string =>
  name.replace(/[._]/g, ' ').replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);

export interface AuditWords {
  readonly what: string;
  /** `asked`: the server asked for a code first, which is not a failure. */
  readonly outcome: 'done' | 'asked' | 'refused';
  readonly result: string;
  readonly who: string;
}

const ASKED: ReadonlySet<string> = new Set(['totpNeeded', 'emailCodeNeeded', 'stepUpNeeded']);

export function auditWords({ action, object, result, actor }: OwnAuditEntry): AuditWords {
  const done = result === 'ok';
  return {
    what: (ACTIONS[action] ?? spaced(action)) + keyOf(object),
    outcome: done ? 'done' : ASKED.has(result) ? 'asked' : 'refused',
    result: done ? 'Done' : `Not completed: ${REASONS[result] ?? spaced(result)}`,
    who:
      actor === 'operator' ? 'The operator' : actor === 'anonymous' ? 'Before logging in' : 'You',
  };
}

/** The start of the API key in an object such as uid:7/key:ab12…. */
function keyOf(object: string | null): string {
  const key = /\/key:([0-9a-f]{8})/.exec(object ?? '')?.[1];
  return key === undefined ? '' : ` (${key}…)`;
}
