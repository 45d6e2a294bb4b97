// The operator's calls about the installation, who may make them, and what the audit log keeps of
// it all.
import { describe, expect, test } from 'bun:test';
import { readNewestSnapshot, snapshotsOf } from '../../src/engine/snapshot-store.ts';
import { routes } from '../../src/gateway/routes/routes.ts';
import { TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { expectError, expectOk, expectRows, rowsOf } from '../support/shape.ts';

const operatorRoutes = routes.filter(({ path }) => path.startsWith('/operator/'));
const node = TestNode.forFile();
const operator = new Operator(node);

const DAY_MS = 86_400_000;

/** They are permanent: operators search the log for them. */
const ACTIONS = `
  asset.amend asset.create asset.list asset.remove audit.list clock.advance clock.read
  cluster.forget cluster.lead
  cluster.read cluster.upgrade
  enterprise.amend enterprise.create enterprise.list feeTiers.amend feeTiers.read instrument.amend
  instrument.create instrument.list journal.head journal.truncate key.create key.list key.revoke
  ledger.credit ledger.debit ledger.income ledger.trialBalance ledger.venueStatement
  ledger.withdrawIncome limits.list orders.cancel outbox.list plan.amend plan.create plan.fund
  plan.list plan.read snapshot.create user.amend user.attach user.balances user.create user.list
  user.read`
  .trim()
  .split(/\s+/);

describe('who may call', () => {
  test('failed logins are in the audit log, but not without bound', async () => {
    const before = operator.auditCount;
    const wrong = { Authorization: 'Bearer a-wrong-token' };
    for (let n = 0; n < 60; n++) await operator.send('GET', 'clock', undefined, wrong);
    expect(operator.auditCount - before).toBeLessThanOrEqual(20);
    const logins = operator
      .audited(operator.auditCount)
      .filter((entry) => entry.action === 'operator.login');
    expect(logins.length).toBeGreaterThanOrEqual(10);
    expect(logins.length).toBeLessThanOrEqual(25);
    expect(logins[0]).toMatchObject({ actor: 'anonymous', ip: '127.0.0.1', result: '100401' });
    expect(JSON.stringify(logins)).not.toContain('a-wrong-token');
  });

  test('every call of the operator has a name in the audit log', () => {
    expect(operatorRoutes.map(({ audit }) => audit?.action).sort()).toEqual(ACTIONS);
    for (const { access } of operatorRoutes) expect(access).toBe('operator');
  });

  test('a call without fields needs no body, and accepts an empty one', async () => {
    const url = `${node.url}/operator/v1/snapshot`;
    const Authorization = `Bearer ${node.operatorToken}`;
    const sent = (init: RequestInit) =>
      fetch(url, { ...init, method: 'POST', headers: { Authorization, ...init.headers } });
    const json = { 'Content-Type': 'application/json' };
    expect((await sent({})).status).toBe(200);
    expect((await sent({ headers: json })).status).toBe(200);
    expect((await sent({ headers: json, body: '{}' })).status).toBe(200);
    expect((await sent({ headers: json, body: '{"force":true}' })).status).toBe(400);
    expect((await sent({ body: 'force=true' })).status).toBe(415);
  });

  test.each([
    ['not JSON', '{"email":', 400, '100200'],
    ['an empty body', '', 400, '100200'],
    ['a field twice', '{"email":"a@b.co","email":"c@d.co"}', 400, '100200'],
    ['too large a body', JSON.stringify({ email: 'x'.repeat(20_000) }), 413, '100413'],
  ])('a call with %s is rejected, and in the audit log', async (_, body, status, code) => {
    expectError(await operator.send('POST', 'users', body), status, Number(code));
    expect(operator.audited()[0]).toMatchObject({ actor: 'operator', object: null });
  });
});

describe('GET journal/head', () => {
  test('seq, time, chain hash and state hash are of one moment', async () => {
    const head = expectOk(await operator.get('journal/head'));
    expect<unknown>(head).toEqual({
      seq: node.seq,
      time: node.state.time,
      chainHash: node.services.node.journalHead().chainHash,
      stateHash: node.state.stateHash(),
    });
  });

  test('also while commands keep coming', async () => {
    const uid = await node.user({});
    const hashes = new Map<number, string>();
    let busy = true;
    const load = (async () => {
      while (busy) {
        await Promise.all([1, 2, 3].map((i) => node.credit(uid, 'BTC', `0.0${i}`)));
        hashes.set(node.seq, node.state.stateHash());
      }
    })();
    const heads = [];
    for (let n = 0; n < 30; n++) heads.push(expectOk(await operator.get('journal/head')));
    busy = false;
    await load;
    let compared = 0;
    for (const { seq, stateHash } of heads) {
      const expected = hashes.get(Number(seq));
      if (expected === undefined) continue;
      expect(`${stateHash}`).toBe(expected);
      compared++;
    }
    expect(compared).toBeGreaterThan(0);
  });
});

describe('POST snapshot', () => {
  test('answers when a snapshot of this moment is on disk', async () => {
    const taken = expectOk(await operator.post('snapshot'));
    const snapshots = snapshotsOf(node.dataDir, node.services.node.snapshotKeys);
    const stored = readNewestSnapshot(snapshots, () => {})!;
    expect<unknown>(taken).toEqual({ seq: stored.seq, stateHash: stored.stateHash });
    expect(stored.seq).toBe(node.seq);
    expect(stored.stateHash).toBe(node.state.stateHash());
  });
});

describe('the clock', () => {
  test('POST clock/advance moves business time, not the wall clock', async () => {
    const before = expectOk(await operator.get('clock'));
    const advanced = expectOk(await operator.post('clock/advance', { ms: DAY_MS }));
    expect(Number(advanced.now)).toBeGreaterThanOrEqual(Number(before.now) + DAY_MS);
    expect(operator.audited()[0]).toMatchObject({ details: { ms: DAY_MS } });
    const asked = Date.now();
    const after = expectOk(await operator.get('clock'));
    expect(Number(after.offset)).toBe(Number(before.offset) + DAY_MS);
    expect(Number(after.ahead)).toBe(Number(after.now) - Number(after.wall));
    expect(Number(after.wall)).toBeWithin(asked, Date.now() + 1);
  });
});

describe('GET audit', () => {
  test('has every entry once, newest first, in pages, with the head of its chain', async () => {
    await operator.get('clock');
    const first = expectOk(await operator.get('audit?page=1&pageSize=3'));
    expectRows(first.items!);
    const [newest] = rowsOf(first.items!);
    expect<unknown>(newest).toMatchObject({ action: 'clock.read', id: Number(first.totalNum) });
    expect<unknown>(first.head).toEqual({ id: Number(newest!.id), hash: `${newest!.hash}` });
    // The reading of the first page is an entry by now, so the second page begins one later.
    const second = expectOk(await operator.get('audit?page=2&pageSize=3'));
    expect<unknown>(rowsOf(second.items!)[0]!.id).toEqual(rowsOf(first.items!)[2]!.id);
    expect<unknown>(expectOk(await operator.get('audit?page=2147483647'))).toMatchObject({
      items: [],
    });
  });

  test('writes details that hold fractions', async () => {
    node.services.identity.audit.append({
      actor: 'system',
      ip: null,
      action: 'test.fraction',
      object: null,
      result: 'ok',
      requestId: null,
      details: { rate: 0.25, list: [1, { deep: -1.5 }], none: null },
    });
    const { items } = expectOk(await operator.get('audit?pageSize=1'));
    expect<unknown>(rowsOf(items!)[0]!.details).toEqual({
      rate: 0.25,
      list: [1, { deep: -1.5 }],
      none: null,
    });
  });
});
