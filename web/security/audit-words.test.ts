// The texts of the audit log, for every action and refusal that the server records.
import { expect, test } from 'bun:test';
import { REFUSALS } from '../../src/identity/result.ts';
import { USER_ACTIONS } from '../../src/identity/user-audit.ts';
import type { OwnAuditEntry } from '../../src/sdk/index.ts';
import { auditWords } from './audit-words.ts';

const entry = (more: Partial<OwnAuditEntry>): OwnAuditEntry => ({
  id: 1,
  time: 1795237741922,
  actor: 'self',
  action: 'session.login',
  object: 'uid:7',
  result: 'ok',
  ip: '203.0.113.7',
  ...more,
});

test('an act, its outcome and who did it', () => {
  expect(auditWords(entry({}))).toEqual({
    what: 'Login',
    outcome: 'done',
    result: 'Done',
    who: 'You',
  });
  expect(auditWords(entry({ actor: 'anonymous', result: 'credentialsWrong' }))).toMatchObject({
    outcome: 'refused',
    result: 'Not completed: wrong password',
    who: 'Before logging in',
  });
  expect(auditWords(entry({ result: 'totpNeeded' })).outcome).toBe('asked');
  expect(auditWords(entry({ actor: 'operator' })).who).toBe('The operator');
});

test('a key is named by its beginning', () => {
  const object = 'uid:7/key:0123456789abcdef0123456789abcdef01234567';
  expect(auditWords(entry({ action: 'key.create', object })).what).toBe(
    'API key created (01234567…)',
  );
});

test('what has no words yet is still readable', () => {
  const words = auditWords(entry({ action: 'passkey.addFirst', result: 'deviceUnknown' }));
  expect(words.what).toBe('passkey add first');
  expect(words.result).toBe('Not completed: device unknown');
});

test('every act of the user center has words', () => {
  const wordless = USER_ACTIONS.filter(
    (action) => !/^[A-Z]/.test(auditWords(entry({ action })).what),
  );
  expect(wordless).toEqual([]);
});

test('every refusal that the log of a user can have has words', () => {
  // These have other names in the log.
  const names = REFUSALS.filter(
    (name) => !['emailTaken', 'userUnknown', 'userSuspended'].includes(name),
  );
  // A refusal without words of its own is shown as its name, with spaces.
  const spaced = (name: string) => name.replace(/([A-Z])/g, ' $1').toLowerCase();
  const wordless = names.filter((result) =>
    auditWords(entry({ result })).result.endsWith(`: ${spaced(result)}`),
  );
  expect(wordless).toEqual([]);
});
