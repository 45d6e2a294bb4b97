// What was done with an account, in words: the actions and results of the audit log as a person reads them.
import type { OwnAuditEntry } from '../../src/sdk/index.ts';

const ACTIONS: Readonly<Record<string, string>> = {
  'account.register': 'Account opened',
  'session.login': 'Login',
  'session.logout': 'Logout',
  'session.revoke': 'Login ended on another device',
  'session.revokeOthers': 'All other logins ended',
  'password.change': 'Password changed',
  'password.reset': 'Password reset by e-mail',
  'totp.enroll': 'Authenticator setup begun',
  'totp.activate': 'Authenticator set up',
  'totp.disable': 'Authenticator switched off',
  'totp.stepUp': 'Confirmed with the authenticator',
  'totp.recoveryCodes': 'New recovery codes',
  'email.codeSent': 'Code sent by e-mail',
  'key.create': 'API key created',
  'key.revoke': 'API key revoked',
  'faucet.credit': 'Play money received',
};

/** Of results that are not `ok`: why it was refused. */
const REASONS: Readonly<Record<string, string>> = {
  credentialsWrong: 'wrong password',
  totpNeeded: 'authenticator code asked for',
  totpWrong: 'wrong authenticator code',
  totpActive: 'an authenticator was active already',
  totpInactive: 'no authenticator was set up',
  emailCodeNeeded: 'code by e-mail asked for',
  emailCodeWrong: 'wrong code from the e-mail',
  tooManyAttempts: 'tried too often',
  tooManyCodes: 'codes asked for too often',
  crossOrigin: 'sent by another site',
  sessionInvalid: 'the login had ended',
  stepUpNeeded: 'confirmation asked for',
  loginNotRecent: 'the last login was too long ago',
  faucetUsed: 'given already that day',
  invalidField: 'a field was not valid',
  notFound: 'not available here',
  overloaded: 'the server was busy',
};

/** invalidField → invalid field: for names that came after these words were written. */
const spaced = (name: string): string =>
  name.replace(/[._]/g, ' ').replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);

export interface AuditWords {
  readonly what: string;
  /** `asked`: the server wanted a code first, which is part of the way and no failure. */
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
    result: done ? 'Done' : `Not done: ${REASONS[result] ?? spaced(result)}`,
    who:
      actor === 'operator' ? 'The operator' : actor === 'anonymous' ? 'Before logging in' : 'You',
  };
}

/** The beginning of the key that it was about; an object is such as uid:7/key:ab12…. */
function keyOf(object: string | null): string {
  const key = /\/key:([0-9a-f]{8})/.exec(object ?? '')?.[1];
  return key === undefined ? '' : ` (${key}…)`;
}
