// What people do is in the audit log, and strangers cannot flood it.
import { Database } from 'bun:sqlite';
import { beforeEach, expect, test } from 'bun:test';
import { AuditLog } from './audit.ts';
import { PersonAudit, type PersonFacts } from './person-audit.ts';
import { migrate } from './schema.ts';

const LOGIN: PersonFacts = {
  action: 'session.login',
  uid: 7,
  ip: '203.0.113.7',
  requestId: 'r1',
  result: 'ok',
};

let now: number;
let log: AuditLog;
let people: PersonAudit;
beforeEach(() => {
  now = Date.UTC(2030, 0, 1);
  const database = new Database(':memory:', { strict: true });
  migrate(database, now);
  log = new AuditLog(database, () => now);
  people = new PersonAudit(log, () => now);
});

test('who, what, to whom, with what result, and nothing secret', async () => {
  people.record({ ...LOGIN, details: { newPassword: 'x', sessionId: 3 } });
  people.record({ ...LOGIN, action: 'key.create', object: 'key:1', result: 'totpWrong' });
  people.record({ ...LOGIN, uid: null, result: 'credentialsWrong' });
  const [refused, key, login] = log.list({ page: 1, pageSize: 10 }).items;
  expect(login).toMatchObject({ actor: 'uid:7', action: 'session.login', object: 'uid:7' });
  expect(login?.details).toEqual({ newPassword: '[secret]', sessionId: 3 });
  expect(key).toMatchObject({ action: 'key.create', object: 'key:1', result: 'totpWrong' });
  expect(refused).toMatchObject({ actor: 'anonymous', object: null, result: 'credentialsWrong' });
  expect(await log.verifyChain()).toMatchObject({ ok: true });
});

test('a flood of refusals is bounded, counted, and does not keep out what succeeds', () => {
  for (let i = 0; i < 1_000; i += 1)
    people.record({ ...LOGIN, uid: null, result: 'credentialsWrong' });
  expect(log.head().id).toBe(60);
  people.record(LOGIN);
  expect(log.list({ page: 1, pageSize: 1 }).items[0]?.details).toEqual({ unwritten: 940 });
  now += 60_000;
  for (let i = 0; i < 100; i += 1) people.record({ ...LOGIN, result: 'totpWrong' });
  expect(log.head().id).toBe(61 + 12);
});
