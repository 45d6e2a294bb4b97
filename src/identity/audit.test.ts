// The audit log: pages, redaction, and a chain that shows every alteration made behind its back.
import type { Database } from 'bun:sqlite';
import { beforeEach, describe, expect, test } from 'bun:test';
import { newDatabase, storeOver } from '../../test/support/identity-store.ts';
import { type AuditFacts, AuditLog } from './audit.ts';
import type { IdentityStore } from './storage/identity-store.ts';

const T0 = Date.UTC(2030, 0, 1);
const facts: AuditFacts = {
  actor: 'operator',
  ip: '127.0.0.1',
  action: 'user.create',
  object: 'uid:7',
  result: 'ok',
  requestId: 'r-1',
};

let database: Database;
let store: IdentityStore;
let log: AuditLog;
beforeEach(() => {
  database = newDatabase();
  store = storeOver(database);
  log = new AuditLog(store, () => T0);
});

/** Edits the file directly: the triggers protect against mistakes only. */
function tamper(sql: string): void {
  database.run('DROP TRIGGER audit_log_is_not_edited');
  database.run('DROP TRIGGER audit_log_is_not_deleted');
  for (const event of ['INSERT', 'UPDATE', 'DELETE']) {
    database.run(`DROP TRIGGER temp.audit_log_${event}`);
  }
  database.run(sql);
}

function fill(count: number): void {
  for (let n = 1; n <= count; n += 1) log.append({ ...facts, object: `uid:${n}` });
}

/** Needs a page of the file of its own. */
const LONG: AuditFacts = { ...facts, details: { note: 'x'.repeat(4000) } };

/** The file may not grow, as on a disk that is full. */
function takeNoMore(): void {
  const row = database.query<{ page_count: number }, []>('PRAGMA page_count').get()!;
  database.run(`PRAGMA max_page_count = ${row.page_count}`);
}

function takeMore(): void {
  database.run('PRAGMA max_page_count = 1000000');
}

describe('entries', () => {
  test('are numbered, stamped and listed newest first', () => {
    fill(25);
    const page = log.list({ page: 1, pageSize: 10 });
    expect(page.total).toBe(25);
    expect(page.items.map((entry) => entry.id)).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16]);
    expect(page.items[0]).toMatchObject({ ...facts, object: 'uid:25', time: T0, details: {} });
    expect(log.list({ page: 3, pageSize: 10 }).items.map((entry) => entry.id)).toEqual([
      5, 4, 3, 2, 1,
    ]);
    expect(log.list({ page: 4, pageSize: 10 })).toEqual({ items: [], total: 25 });
  });

  test('that the disk has no room for wait, and are written in their order when there is', () => {
    const waiting: string[] = [];
    log = new AuditLog(
      store,
      () => T0,
      ({ action }) => waiting.push(action),
    );
    takeNoMore();
    log.record({ ...LONG, action: 'first' });
    log.record({ ...LONG, action: 'second' });
    expect([waiting, log.deferred, log.head().id]).toEqual([['first', 'second'], 2, 0]);
    takeMore();
    log.record({ ...LONG, action: 'third' });
    expect(log.deferred).toBe(0);
    const { items } = log.list({ page: 1, pageSize: 10 });
    expect(items.map(({ action }) => action)).toEqual(['third', 'second', 'first']);
  });

  test('that wait are bounded: a call that needs an entry is then rejected', () => {
    takeNoMore();
    for (let n = 0; n < 1000; n++) log.record(LONG);
    expect(() => log.record(LONG)).toThrow('full');
    expect(() => log.requireRoom()).toThrow('full');
    takeMore();
    log.requireRoom();
    expect([log.deferred, log.head().id]).toEqual([0, 1000]);
  });

  test('carry details without secrets', () => {
    const entry = log.append({
      ...facts,
      details: {
        email: 'ann@example.com',
        password: 'hunter22',
        hasPassword: true,
        nested: { secretKey: 'abc', emailAuthCode: '123456', note: 'kept', amount: 5n },
        operatorToken: 'tok',
      },
    });
    expect(entry.details).toEqual({
      email: 'ann@example.com',
      password: '[secret]',
      hasPassword: true,
      nested: { secretKey: '[secret]', emailAuthCode: '[secret]', note: 'kept', amount: '5' },
      operatorToken: '[secret]',
    });
  });

  test('are bounded, whatever a request put into them', async () => {
    const entry = log.append({
      ...facts,
      object: 'x'.repeat(10_000),
      ip: null,
      requestId: null,
      details: { body: 'y'.repeat(10_000) },
    });
    expect(entry.object?.length).toBe(512);
    expect(entry.details).toEqual({ omitted: '10011 characters' });
    expect((await log.verifyChain()).ok).toBe(true);
  });

  test('cannot be edited or deleted through the database', () => {
    fill(2);
    expect(() => database.run("UPDATE audit_log SET actor = 'system'")).toThrow('append-only');
    expect(() => database.run('DELETE FROM audit_log')).toThrow('append-only');
  });
});

describe('the chain', () => {
  test('verifies all entries, also across a restart and with odd texts', async () => {
    fill(3);
    log = new AuditLog(store, () => T0);
    for (const object of ['', '|', '\0', 'a\0b', '\ud800', 'é🔑', '"]']) {
      log.append({ ...facts, object, details: { object } });
    }
    expect(await log.verifyChain()).toEqual({ ok: true, value: log.head() });
    expect(log.head().id).toBe(10);
  });

  test('an empty log is in order', async () => {
    expect(await log.verifyChain()).toEqual({ ok: true, value: { id: 0, hash: '0'.repeat(64) } });
  });

  test.each([
    ...['actor', 'ip', 'action', 'object', 'result', 'request_id', 'details', 'hash'].map(
      (column) => `${column} = '{"edited":1}'`,
    ),
    'time = time - 1',
  ])('shows an edit in the middle: %s', async (edit) => {
    fill(5);
    tamper(`UPDATE audit_log SET ${edit} WHERE id = 3`);
    expect(await log.verifyChain()).toMatchObject({ ok: false, id: 3 });
  });

  test.each([1, 3])('shows that entry %d is missing', async (id) => {
    fill(5);
    tamper(`DELETE FROM audit_log WHERE id = ${id}`);
    expect(await log.verifyChain()).toMatchObject({ ok: false, id });
  });

  test('shows a deletion that was closed up by renumbering', async () => {
    fill(5);
    tamper('DELETE FROM audit_log WHERE id = 3');
    database.run('UPDATE audit_log SET id = id - 1 WHERE id > 3');
    expect(await new AuditLog(store, () => T0).verifyChain()).toMatchObject({
      ok: false,
      id: 3,
    });
  });

  test('shows two entries that changed places', async () => {
    fill(5);
    tamper('UPDATE audit_log SET id = 100 WHERE id = 3');
    database.run('UPDATE audit_log SET id = 3 WHERE id = 4');
    database.run('UPDATE audit_log SET id = 4 WHERE id = 100');
    expect(await log.verifyChain()).toMatchObject({ ok: false, id: 3 });
  });

  test('shows a cut at the end, and a rewritten log, against a head noted elsewhere', async () => {
    fill(5);
    const noted = log.head();
    tamper('DELETE FROM audit_log WHERE id > 3');
    const cut = new AuditLog(store, () => T0);
    expect((await cut.verifyChain()).ok).toBe(true);
    expect(await cut.verifyChain(noted)).toMatchObject({ ok: false, id: 4 });
    expect(() => cut.append(facts)).toThrow('its rows do not fit their MAC');
  });

  test('is verified in steps while entries arrive', async () => {
    store.write(() => fill(4_500));
    const verifying = log.verifyChain();
    log.append(facts);
    expect(await verifying).toMatchObject({ ok: true, value: { id: 4_500 } });
  });
});
