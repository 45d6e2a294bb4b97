// The operator's calls about money: credits and debits by reference, and the trial balance.
import { Database } from 'bun:sqlite';
import { describe, expect, spyOn, test } from 'bun:test';
import { identityPath } from '../../src/identity/identity.ts';
import { type Json, TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { expectError, expectOk, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();
const operator = new Operator(node);

let references = 0;
const reference = (): string => `reference-${++references}`;

describe('POST ledger/credit', () => {
  test('credits a user, and answers with the transfer and its journal position', async () => {
    const uid = await node.user({});
    const body = { uid, asset: 'USDT', amount: '1000.12345678', reference: reference() };
    const answer = await operator.post('ledger/credit', body);
    const done = expectOk(answer);
    expect(Number(done.seq)).toBe(node.seq);
    expect(answer.headers.get('x-agio-seq')).toBe(String(node.seq));
    expect(node.balance(uid, 'USDT').available).toBe('1000.12345678');
    expect(operator.audited()[0]).toMatchObject({ object: `uid:${uid}`, details: body });
  });

  test('has an entry on disk before its command, which a crash may follow', async () => {
    const uid = await node.user({});
    const body = { uid, asset: 'BTC', amount: '1', reference: reference() };
    const { engine } = node.services;
    const submit = engine.submit.bind(engine);
    let entry: unknown;
    spyOn(engine, 'submit').mockImplementationOnce((command, access) => {
      using file = new Database(identityPath(node.dataDir), { readonly: true });
      entry = file.query('SELECT action, result, details FROM audit_log ORDER BY id DESC').get();
      return submit(command, access);
    });
    expectOk(await operator.post('ledger/credit', body));
    expect(entry).toEqual({
      action: 'ledger.credit',
      result: 'begun',
      details: JSON.stringify(body),
    });
    expect(operator.audited(2).map(({ result }) => result)).toEqual(['ok', 'begun']);
  });

  test('the same reference for something else is rejected', async () => {
    const uid = await node.user({});
    const other = await node.user({});
    const body = { uid, asset: 'BTC', amount: 1, reference: reference() };
    expectOk(await operator.post('ledger/credit', body));
    for (const changed of [{ amount: 2 }, { asset: 'ETH' }, { uid: other }]) {
      expectError(await operator.post('ledger/credit', { ...body, ...changed }), 409, 100223);
    }
    expectError(await operator.post('ledger/debit', body), 409, 100223);
    expect(node.balance(uid, 'BTC').available).toBe('1');
    expect(node.balance(other, 'BTC').available).toBe('0');
  });

  test('takes amounts that no double holds', async () => {
    const uid = await node.user({});
    const amount = '123456789012345678901234567890.12345678';
    expectOk(
      await operator.post('ledger/credit', { uid, asset: 'AED', amount, reference: reference() }),
    );
    expect(node.balance(uid, 'AED').available).toBe(amount);
    const { text } = await operator.get(`users/${uid}/balances`);
    expect(text).toContain(`"asset":"AED","available":${amount}`);
  });
});

describe('POST ledger/debit', () => {
  test('does not take money that orders hold, and names the available amount', async () => {
    const client = await node.client({ USDT: '1000' });
    await client.limit(1, '100', '9');
    const body = { uid: client.uid, asset: 'USDT', amount: '100.00000001', reference: reference() };
    const details = expectError(await operator.post('ledger/debit', body), 400, 100206, 'amount');
    expect<unknown>(details).toMatchObject({ limit: 100, nearest: 100 });
    // A rejected debit has not used its reference up.
    expectOk(await operator.post('ledger/debit', { ...body, amount: 100 }));
  });
});

describe.each(['ledger/credit', 'ledger/debit'])('POST %s rejects', (path) => {
  const body = { uid: 1, asset: 'USDT', amount: 1, reference: 'refused' };
  test.each([
    [{ uid: 9999 }, 100220, 'uid'],
    [{ asset: 'DOGE' }, 100221, 'asset'],
    [{ asset: 'usdt' }, 100221, 'asset'],
    [{ amount: '1'.repeat(61) }, 100200, 'amount'],
    [{ amount: '0.000000001' }, 100208, 'amount'],
  ])('%j', async (change, code, field) => {
    await node.user({});
    const { seq } = node;
    expectError(await operator.post(path, { ...body, ...change }), 400, code, field);
    expect(node.seq).toBe(seq);
  });
});

describe('GET ledger/trial-balance', () => {
  test('sums to zero for every asset at one place of the journal, customers together', async () => {
    const client = await node.client({ USDT: '1000' });
    await client.limit(1, '1', '2');
    const balance = expectOk(await operator.get('ledger/trial-balance'));
    expect(Number(balance.seq)).toBe(node.seq);
    const assets = rowsOf(balance.assets!);
    expect(assets.map(({ asset }) => `${asset}`)).toEqual(
      node.state.assets.map(({ name }) => name),
    );
    for (const asset of assets) {
      expect<unknown>(asset.sum).toBe(0);
    }
    const usdt = rowsOf(assets.find(({ asset }) => `${asset}` === 'USDT')!.accounts!);
    const of = (code: string): Json => usdt.find((row) => `${row.code}` === code)!.balance!;
    expect(usdt.map(({ code }) => `${code}`)).toEqual([
      'external',
      'customerAvailable',
      'customerHeld',
    ]);
    expect(
      Number(of('external')) + Number(of('customerAvailable')) + Number(of('customerHeld')),
    ).toBeCloseTo(0, 8);
    expect(Number(of('customerHeld'))).toBeGreaterThanOrEqual(2);
  });
});
