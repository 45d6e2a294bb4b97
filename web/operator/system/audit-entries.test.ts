// Which entries of the audit log are changes, and how an entry is put into a line.
import { expect, test } from 'bun:test';
import type { AuditEntry } from '../../../src/sdk/index.ts';
import { changesOnly, detailsText, headText, runsOf } from './audit-entries.ts';

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
    'uid=1 amount=2.5 refused={"field":"a"}',
  );
  expect(detailsText({})).toBe('');
});

test('a head has the form that agio verify takes', () => {
  expect(headText({ id: 3, hash: '77ab' })).toBe('3:77ab');
});
