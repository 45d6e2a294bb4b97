// The operator's calls about money: credits and debits, the trial balance, withdrawals of income:
// fees, margins of enterprises, surpluses of reserves. They are in double entry, happen once per
// reference, and never touch money that somebody else can claim.
import { Database } from 'bun:sqlite';
import { describe, expect, spyOn, test } from 'bun:test';
import { checkInvariants } from '../../src/core/invariants.ts';
import { identityPath } from '../../src/identity/identity.ts';
import {
  assign,
  createPlan,
  fixedPlan,
  passDays,
  saver,
  setMargin,
  subscribe,
} from '../support/earn.ts';
import { type Json, TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { RATE } from '../support/plan-terms.ts';
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
    await client.limit(1, '1', '900');
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

const PATH = 'ledger/withdraw-income';

async function incomeOf(wanted: object): Promise<Json | undefined> {
  const rows = expectOk(await operator.get('ledger/income')).items as unknown as Json[];
  return rows.find((row) => Object.entries(wanted).every(([name, is]) => row[name] === is));
}

/** The balance of a kind of account on the trial balance, whose sums are 0. */
async function onTrialBalance(asset: string, code: string): Promise<unknown> {
  const { assets } = expectOk(await operator.get('ledger/trial-balance'));
  const rows = assets as unknown as Json[];
  for (const { sum } of rows) expect<unknown>(sum).toBe(0);
  const of = rows.find((row) => (row.asset as unknown) === asset)!.accounts as unknown as Json[];
  return of.find((row) => (row.code as unknown) === code)?.balance ?? 0;
}

/**
 * An enterprise that keeps all of the rate, with a member who subscribed 10,000 for 0.01 a day of
 * 365.
 */
async function enterpriseThatKeeps(name: string, planId: string) {
  const { enterpriseId } = await node.must({ type: 'createEnterprise', name });
  const [admin, member] = [await saver(node), await saver(node)];
  await assign(node, admin.uid, enterpriseId, true);
  await assign(node, member.uid, enterpriseId, false);
  await setMargin(node, admin, planId, RATE);
  const applyId = await subscribe(member, planId, '10000');
  return { enterpriseId, admin, member, applyId };
}

/** A trade whose taker pays 0.1 of the base asset as the fee. */
async function payFee(symbol: string): Promise<void> {
  await operator.patch(`instruments/${symbol}`, { takerFee: '0.01' });
  const [maker, taker] = [await node.client(), await node.client()];
  const order = { symbol, ordType: 2, price: '100', orderQty: '10' };
  await maker.order({ ...order, side: 2 });
  await taker.order({ ...order, side: 1 });
}

describe('fee revenue', () => {
  test('leaves once per reference, with audit, trial balance and statement', async () => {
    await payFee('BTC-USDT');
    expect<unknown>(await incomeOf({ account: 'feeRevenue', asset: 'BTC' })).toMatchObject({
      balance: 0.1,
      withdrawable: 0.1,
    });
    const external = await onTrialBalance('BTC', 'external');
    const body = { account: 'feeRevenue', asset: 'BTC', amount: '0.04', reference: reference() };
    const first = await operator.post(PATH, body);
    expectOk(first);
    expect(operator.audited()[0]).toMatchObject({ details: body });
    const again = await operator.post(PATH, { ...body, amount: '0.040' });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expectError(await operator.post(PATH, { ...body, amount: '0.05' }), 409, 100223);
    expectError(await operator.post(PATH, { ...body, asset: 'USDT' }), 409, 100223);
    expect(await onTrialBalance('BTC', 'feeRevenue')).toBe(0.06);
    expect(await onTrialBalance('BTC', 'external')).toBe(Number(external) + 0.04);
    const [entry] = rowsOf(expectOk(await operator.get('ledger/venue-statement')).items!);
    expect<unknown>(entry).toMatchObject({
      account: 'feeRevenue',
      planId: null,
      enterpriseId: null,
      asset: 'BTC',
      amount: -0.04,
      reference: body.reference,
    });
    checkInvariants(node.state);
  });

  test('more than there is: 100206 with what there is', async () => {
    await payFee('ETH-USDT');
    const body = { account: 'feeRevenue', asset: 'ETH', amount: '1', reference: reference() };
    expect<unknown>(expectError(await operator.post(PATH, body), 400, 100206)).toMatchObject({
      field: 'amount',
      rule: 'withdrawable',
      limit: 0.1,
      value: 1,
      nearest: 0.1,
    });
    const none = { ...body, asset: 'AED' };
    const rejected = expectError(await operator.post(PATH, none), 400, 100206);
    expect<unknown>(rejected).toMatchObject({ limit: 0 });
    expect(rejected.nearest).toBeUndefined();
  });
});

describe('a reserve', () => {
  test('keeps what is owed, whether it is due or not', async () => {
    const planId = await createPlan(node, { reserve: '100', rewardFrequency: 30 });
    const member = await saver(node);
    await subscribe(member, planId, '10000');
    await passDays(node, 3);
    const found = await incomeOf({ account: 'reserve', planId });
    expect<unknown>(found).toMatchObject({ balance: 100, withdrawable: 98 });
    const body = { account: 'reserve', planId, asset: 'USDT', reference: reference() };
    expect<unknown>(
      expectError(await operator.post(PATH, { ...body, amount: '98.00000001' }), 400, 100206),
    ).toMatchObject({ limit: 98, nearest: 98 });
    expectOk(await operator.post(PATH, { ...body, amount: 98 }));
    expect(operator.audited()[0]!.object).toBe(`plan:${planId}`);
    const rows = rowsOf(expectOk(await operator.get('ledger/venue-statement?pageSize=2')).items!);
    expect<unknown>(rows).toMatchObject([
      { account: 'reserve', planId, amount: -98 },
      { account: 'reserve', planId, amount: 100 },
    ]);
    checkInvariants(node.state);
  });

  test('is of the coin of its plan', async () => {
    const planId = await createPlan(node, { reserve: '1' });
    const body = { account: 'reserve', planId, asset: 'BTC', amount: 1, reference: reference() };
    const details = expectError(await operator.post(PATH, body), 400, 100200);
    expect<unknown>(details).toMatchObject({ field: 'asset', rule: 'coin', nearest: 'USDT' });
  });
});

describe('the margins of an enterprise', () => {
  test('stay while an early redemption can claim them, and are free at the end', async () => {
    const planId = await fixedPlan(node, { supportEarlyRedemption: true });
    const { enterpriseId } = await enterpriseThatKeeps('Early', planId);
    await passDays(node, 4);
    const held = await incomeOf({ account: 'enterpriseMargin', enterpriseId });
    expect<unknown>(held).toMatchObject({ balance: 3, withdrawable: 0 });
    const body = { account: 'enterpriseMargin', enterpriseId, asset: 'USDT', amount: 3 };
    const asked = { ...body, reference: reference() };
    expect<unknown>(expectError(await operator.post(PATH, asked), 400, 100206)).toMatchObject({
      rule: 'withdrawable',
      limit: 0,
    });
    await node.restart();
    expectError(await operator.post(PATH, asked), 400, 100206);
    await passDays(node, 40);
    const free = await incomeOf({ account: 'enterpriseMargin', enterpriseId });
    expect<unknown>(free).toMatchObject({ balance: 30, withdrawable: 30 });
    expectOk(await operator.post(PATH, asked));
    expect(operator.audited()[0]!.object).toBe(`enterprise:${enterpriseId}`);
    const rest = await incomeOf({ account: 'enterpriseMargin', enterpriseId });
    expect<unknown>(rest).toMatchObject({ balance: 27 });
    checkInvariants(node.state);
  });
});

describe('a call that names the wrong owner', () => {
  test.each([
    [{ account: 'reserve' }, 'planId', 'required'],
    [{ account: 'enterpriseMargin' }, 'enterpriseId', 'required'],
    [{ account: 'feeRevenue', planId: '1' }, 'planId', 'account'],
    [{ account: 'reserve', planId: '1', enterpriseId: 1 }, 'enterpriseId', 'account'],
    [{ account: 'reserve', planId: '999' }, 'planId', 'known'],
    [{ account: 'external' }, 'account', 'oneOf'],
  ])('%j', async (named, field, rule) => {
    const body = { asset: 'USDT', amount: 1, reference: reference(), ...named };
    const details = expectError(await operator.post(PATH, body), 400, 100200);
    expect<unknown>(details).toMatchObject({ field, rule });
  });

  test('of an enterprise or an asset that is not there', async () => {
    const body = { account: 'enterpriseMargin', enterpriseId: 999, amount: 1, reference: 'x' };
    expectError(await operator.post(PATH, { ...body, asset: 'USDT' }), 400, 100224);
    expectError(await operator.post(PATH, { ...body, asset: 'NONE' }), 400, 100221);
  });
});
