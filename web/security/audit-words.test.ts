// The texts of the audit log, for every action and rejection that the server records.
import { expect, test } from 'bun:test';
import { DENIALS } from '../../src/identity/result.ts';
import { USER_ACTIONS } from '../../src/identity/user-audit.ts';
import type { OwnAuditEntry } from '../../src/sdk/index.ts';
import { auditWords } from './audit-words.ts';

const LOGIN: OwnAuditEntry = {
  ...{ id: 1, time: 1795237741922, actor: 'self', action: 'session.login', object: 'uid:7' },
  ...{ result: 'ok', ip: '203.0.113.7' },
};
const words = (more: Partial<OwnAuditEntry>) => auditWords({ ...LOGIN, ...more });

test.each<[Partial<OwnAuditEntry>, Partial<ReturnType<typeof auditWords>>]>([
  [{}, { what: 'Login', outcome: 'done', result: 'Done', who: 'You' }],
  [
    { actor: 'anonymous', result: 'credentialsWrong' },
    { outcome: 'rejected', result: 'Not completed: wrong password', who: 'Before login' },
  ],
  [{ result: 'totpNeeded' }, { outcome: 'asked' }],
  [{ actor: 'operator' }, { who: 'The operator' }],
  [
    { action: 'key.create', object: 'uid:7/key:0123456789abcdef0123456789abcdef01234567' },
    { what: 'API key created (01234567…)' },
  ],
  // Names without a text are still readable.
  [
    { action: 'passkey.addFirst', result: 'deviceUnknown' },
    { what: 'passkey add first', result: 'Not completed: device unknown' },
  ],
])('%p', (entry, shown) => {
  expect(words(entry)).toMatchObject(shown);
});

test('every action of the user center has a text', () => {
  expect(USER_ACTIONS.filter((action) => !/^[A-Z]/.test(words({ action }).what))).toEqual([]);
});

test('every rejection that the log of a user can have has a text', () => {
  // These have other names in the log.
  const renamed: readonly string[] = ['emailTaken', 'userUnknown', 'userSuspended'];
  // A rejection without a text is shown as its name, with spaces.
  const spaced = (name: string) => name.replace(/([A-Z])/g, ' $1').toLowerCase();
  const missing = DENIALS.filter((name) => !renamed.includes(name)).filter((result) =>
    words({ result }).result.endsWith(`: ${spaced(result)}`),
  );
  expect(missing).toEqual([]);
});
