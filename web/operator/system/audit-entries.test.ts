// Which entries of the audit log are changes, and how an entry is put into a line.
import { expect, test } from 'bun:test';
import { routes } from '../../../src/gateway/routes/routes.ts';
import { USER_ACTIONS } from '../../../src/identity/user-audit.ts';
import { type AuditEntry, Code } from '../../../src/sdk/index.ts';
import {
  actionText,
  changesOnly,
  detailsText,
  headText,
  resultText,
  runsOf,
} from './audit-entries.ts';

const entry = (action: string) => ({ action }) as AuditEntry;

test('changes include failed logins and writes, and exclude reads', () => {
  const entries = [
    'user.list',
    'user.read',
    'user.balances',
    'journal.head',
    'ledger.trialBalance',
    'ledger.income',
    'ledger.venueStatement',
    'clock.read',
    'rateLimits.list',
    'ledger.credit',
    'operator.login',
    'clock.advance',
    'snapshot.create',
  ].map(entry);
  expect(changesOnly(entries).map(({ action }) => action)).toEqual([
    'ledger.credit',
    'operator.login',
    'clock.advance',
    'snapshot.create',
  ]);
});

test('a beginning is shown only where the call has not ended', () => {
  const of = (requestId: string, result: string) =>
    ({ action: 'ledger.credit', requestId, result }) as AuditEntry;
  const entries = [of('2', 'begun'), of('1', 'ok'), of('1', 'begun')];
  expect(changesOnly(entries)).toEqual([of('2', 'begun'), of('1', 'ok')]);
});

test('the steps of a clock are one row', () => {
  const of = (action: string, result = 'ok') => ({ action, result }) as AuditEntry;
  const entries = [of('clock.advance'), of('clock.advance'), of('clock.advance', 'failed')];
  expect(runsOf([...entries, of('ledger.credit')]).map(({ times }) => times)).toEqual([2, 1, 1]);
});

test('details are one line', () => {
  expect(detailsText({ uid: '1', amount: '2.5', note: null, refused: { field: 'a' } })).toBe(
    'uid 1, amount 2.5, refused (field a)',
  );
  expect(detailsText({ ms: '86400000' })).toBe('1 d');
  expect(detailsText({})).toBe('');
});

test('every action of the log has a text, and each rejection has words', () => {
  const named = routes.flatMap(({ audit }) => (audit === undefined ? [] : [audit.action]));
  const others = ['operator.login', 'operator.outside', 'attempts.unwritten', ...USER_ACTIONS];
  const missing = [...new Set([...named, ...others])].filter(
    (action) => !/^[A-Z]/.test(actionText(action)),
  );
  expect(missing).toEqual([]);
  expect(resultText('100401')).toBe('not authorized');
  for (const code of Object.values(Code)) expect(resultText(String(code))).not.toMatch(/\d/);
});

test('a head has the form that agio verify takes', () => {
  expect(headText({ id: 3, hash: '77ab' })).toBe('3:77ab');
});
