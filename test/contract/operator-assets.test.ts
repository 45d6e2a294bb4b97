// An asset that nothing uses can be corrected and removed; every kind of use forbids both.
import { expect, test } from 'bun:test';
import { TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { expectError, expectOk, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();
const operator = new Operator(node);

let assets = 0;

/** A new asset. */
async function list(scale = 6): Promise<string> {
  const asset = `NEW${++assets}`;
  expectOk(await operator.post('assets', { asset, scale }));
  return asset;
}

const names = async (): Promise<unknown[]> =>
  rowsOf(expectOk(await operator.get('assets'))).map(({ asset }) => asset);

/** Both changes are rejected, and change nothing. */
async function expectUsed(asset: string, rule: string): Promise<void> {
  const before = node.state.assetNamed(asset);
  for (const answer of [
    await operator.patch(`assets/${asset}`, { scale: 9 }),
    await operator.post(`assets/${asset}/remove`, {}),
  ]) {
    expectError(answer, 409, 100227);
    expect<unknown>(answer.body.details).toMatchObject({ field: 'asset', rule });
  }
  expect(node.state.assetNamed(asset)).toBe(before!);
}

test('the scale changes, and so do the grids that fit', async () => {
  const asset = await list(4);
  const pair = {
    ...{ symbol: `BTC-${asset}`, quoteAssetIncrement: '0.01', baseAssetIncrement: '0.00001' },
    ...{ baseAssetMinOrderSize: '0.001', quoteAssetMinOrderSize: '1' },
  };
  expectError(await operator.post('instruments', pair), 400, 100200, 'quoteAssetIncrement');
  const amended = expectOk(await operator.patch(`assets/${asset}`, { scale: 7 }));
  expect<unknown>(amended).toMatchObject({ asset, scale: 7 });
  expect(operator.audited()[0]).toMatchObject({ action: 'asset.amend', object: asset });
  expectOk(await operator.post('instruments', pair));
  await expectUsed(asset, 'instruments');
  expectError(await operator.patch('assets/BTC', { scale: 19 }), 400, 100200, 'scale');
  expectError(await operator.patch('assets/NONE', { scale: 8 }), 400, 100221);
});

test('a removed asset is in no list; its name is free, and its number is not', async () => {
  const [first, second] = [await list(), await list()];
  const { assetId } = node.state.assetNamed(first)!;
  const uid = await node.user({});
  const removed = expectOk(await operator.post(`assets/${first}/remove`, {}));
  expect(Number(removed.assetId)).toBe(assetId);
  expect(operator.audited()[0]).toMatchObject({ action: 'asset.remove', object: first });
  expect(await names()).not.toContain(first);
  expect(await names()).toContain(second);
  const balances = expectOk(await operator.get(`users/${uid}/balances`));
  expect(JSON.stringify(balances)).not.toContain(`"${first}"`);
  const books = expectOk(await operator.get('ledger/trial-balance'));
  expect(JSON.stringify(books)).not.toContain(`"${first}"`);
  const credit = { uid, asset: first, amount: '1', reference: 'to-nothing' };
  expectError(await operator.post('ledger/credit', credit), 400, 100221);
  expectError(await operator.post(`assets/${first}/remove`, {}), 400, 100221);

  const again = expectOk(await operator.post('assets', { asset: first, scale: 2 }));
  expect(Number(again.assetId)).toBeGreaterThan(node.state.assetNamed(second)!.assetId);
  await node.restart();
  expect(node.state.assets[assetId]).toBeUndefined();
  expect(node.state.assetNamed(first)!.scale).toBe(2);
});

test('money that has left again is a use: the statement has it', async () => {
  const asset = await list();
  const uid = await node.user({});
  const money = { uid, asset, amount: '1' };
  expectOk(await operator.post('ledger/credit', { ...money, reference: 'in' }));
  expectOk(await operator.post('ledger/debit', { ...money, reference: 'out' }));
  await expectUsed(asset, 'money');
  await node.restart();
  await expectUsed(asset, 'money');
});

test('a plan, its booster and the fee tiers are uses', async () => {
  const [coin, bonus, volume, quote] = [await list(), await list(), await list(), await list()];
  const plan = {
    ...{ planName: coin, planType: 2, coin, lockDay: 30, apr: '0.05' },
    ...{
      userAmountMin: '1',
      userAmountMax: '10',
      booster: { coin: bonus, ratio: '1', apr: '0.01' },
    },
  };
  expectOk(await operator.post('plans', plan));
  await expectUsed(coin, 'plans');
  await expectUsed(bonus, 'plans');
  const tiers = {
    volumeAsset: volume,
    rates: [{ asset: quote, rate: '2' }],
    tiers: [{ volume: '1', makerFee: '0', takerFee: '0' }],
  };
  expectOk(await operator.post('fee-tiers', tiers));
  await expectUsed(volume, 'feeTiers');
  await expectUsed(quote, 'feeTiers');
  expectOk(await operator.post('fee-tiers', { tiers: [] }));
  expectOk(await operator.post(`assets/${quote}/remove`, {}));
});
