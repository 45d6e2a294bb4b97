// The words of the audit list, for every act and refusal that the server records.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
    result: 'Not done: wrong password',
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
  expect(words.result).toBe('Not done: device unknown');
});

test('every act of the user centre has words', () => {
  const identity = join(import.meta.dir, '../../src/identity/user-audit.ts');
  const actions = [
    ...readFileSync(identity, 'utf8').matchAll(/^ {2}\| '([a-zA-Z]+\.[a-zA-Z]+)'/gm),
  ];
  expect(actions.length).toBeGreaterThan(10);
  const wordless = actions
    .map(([, action]) => action!)
    .filter((action) => !/^[A-Z]/.test(auditWords(entry({ action })).what));
  expect(wordless).toEqual([]);
});

test('every refusal that identity has for people has words', () => {
  const refusal = join(import.meta.dir, '../../src/identity/refusal.ts');
  const text = readFileSync(refusal, 'utf8').split('PersonRefusalName =')[1]!.split(';')[0]!;
  const names = [...text.matchAll(/'(\w+)'/g)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(5);
  // What has no words of its own is its name, spaced.
  const spaced = (name: string) => name.replace(/([A-Z])/g, ' $1').toLowerCase();
  const wordless = names.filter((result) =>
    auditWords(entry({ result })).result.endsWith(`: ${spaced(result)}`),
  );
  expect(wordless).toEqual([]);
});
