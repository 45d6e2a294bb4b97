// The acts of users are in the audit log, and strangers cannot flood it.
import { beforeEach, expect, test } from 'bun:test';
import { newDatabase, storeOver } from '../../test/support/identity-store.ts';
import { AuditLog } from './audit.ts';
import { UserAudit, type UserFacts } from './user-audit.ts';

const LOGIN: UserFacts = {
  action: 'session.login',
  uid: 7,
  ip: '203.0.113.7',
  requestId: 'r1',
  result: 'ok',
};

let now: number;
let log: AuditLog;
let people: UserAudit;
beforeEach(() => {
  now = Date.UTC(2030, 0, 1);
  const database = newDatabase();
  const store = storeOver(database);
  log = new AuditLog(store, () => now);
  people = new UserAudit(
    log,
    () => now,
    () => now,
  );
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

const ATTEMPT: UserFacts = {
  ...LOGIN,
  uid: null,
  email: 'ann@example.com',
  object: 'uid:7',
  result: 'credentialsWrong',
};
/** Addresses that are all in different networks. */
const network = (i: number) => `10.${i >> 8}.${i & 255}.1`;
const record = (times: number, facts: (i: number) => UserFacts) => {
  for (let i = 0; i < times; i += 1) people.record(facts(i));
};
const own = (uid: number) => log.listOf(uid, { page: 1, pageSize: 100 }).items;
const MINUTE = 60_000;

test('a uid typed in place of an address uses up nothing of that user', () => {
  record(100, (i) => ({ ...ATTEMPT, email: 'uid:7', object: null, ip: network(i) }));
  const before = log.head().id;
  people.record({ ...LOGIN, action: 'password.change', result: 'credentialsWrong' });
  expect(log.head().id).toBe(before + 1);
});

test('a flood of rejections is bounded, counted, and does not keep out what succeeds', () => {
  record(1_000, () => ({ ...ATTEMPT, uid: 7, result: 'totpWrong' }));
  expect(log.head().id).toBe(20);
  people.record(LOGIN);
  const [login, left] = log.list({ page: 1, pageSize: 2 }).items;
  expect(login).toMatchObject({ action: 'session.login', result: 'ok', details: {} });
  expect(left).toMatchObject({ action: 'attempts.unwritten', object: 'uid:7/attempts:980' });
  now += 60 * MINUTE;
  record(100, () => ({ ...ATTEMPT, uid: 7, result: 'totpWrong' }));
  expect(log.head().id).toBe(22 + 12);
});

test('a flood from one network leaves room for attempts from others', () => {
  record(200, (i) => ({ ...ATTEMPT, email: `nobody${i}@example.com`, object: null }));
  expect(log.head().id).toBe(60);
  record(5, () => ({ ...ATTEMPT, ip: '198.51.100.9' }));
  expect(own(7).map(({ result }) => result)).toEqual(Array(5).fill('credentialsWrong'));
  expect(own(7).at(-1)?.details).toEqual({ unwritten: 140 });
});

test('a flood at one account, from many networks, leaves room for the others', () => {
  record(500, (i) => ({ ...ATTEMPT, ip: network(i) }));
  expect(own(7)).toHaveLength(20);
  people.record({ ...ATTEMPT, email: 'bob@example.com', object: 'uid:8' });
  expect(own(8)).toHaveLength(1);
});

test('all unknown callers together have a bound, whatever they name and wherever they are', () => {
  const wide = (i: number) => ({ ...ATTEMPT, email: `n${i}@example.com`, ip: network(i) });
  record(2_000, (i) => ({ ...wide(i), object: null }));
  expect(log.head().id).toBe(600);
  now += MINUTE;
  record(2_000, (i) => ({ ...wide(i + 2_000), object: null }));
  expect(log.head().id).toBe(630);
});

test('malformed input of an unknown caller is neither written nor counted', () => {
  record(200, () => ({ ...ATTEMPT, email: 'x', object: null, result: 'invalidField' }));
  people.record(ATTEMPT);
  expect(log.head().id).toBe(1);
  expect(own(7)[0]?.details).toEqual({});
});

test('the entries do not reveal whether an account exists', () => {
  record(50, (i) => ({ ...ATTEMPT, ip: network(i) }));
  const known = log.head().id;
  record(50, (i) => ({ ...ATTEMPT, ip: network(i), email: 'nobody@example.com', object: null }));
  expect(log.head().id).toBe(2 * known);
});

test('after ten minutes, one entry tells the owner how many were not written', () => {
  record(57, (i) => ({ ...ATTEMPT, ip: network(i) }));
  const began = now;
  people.flush();
  expect(own(7)).toHaveLength(20);
  now += 10 * MINUTE;
  people.flush();
  people.flush();
  const [entry, ...others] = own(7);
  expect(others).toHaveLength(20);
  expect(entry).toMatchObject({
    actor: 'anonymous',
    action: 'attempts.unwritten',
    object: 'uid:7/attempts:37',
    result: 'refused',
    details: { count: 37, since: began },
  });
});

test('and a flood at many accounts is summed up a few at a time', () => {
  const at = (uid: number) => ({ ...ATTEMPT, email: `u${uid}@example.com`, object: `uid:${uid}` });
  record(600, (i) => ({ ...at(i), ip: network(i) }));
  record(100, (i) => ({ ...at(i), ip: network(i) }));
  now += 10 * MINUTE;
  const before = log.head().id;
  people.flush();
  expect(log.head().id).toBe(before + 10);
});
