// Fees by 30-day volume: the operator's table, each rejected field, and what an account sees of it.
import { beforeAll, describe, expect, test } from 'bun:test';
import { DAY_MS, dayOf } from '../../src/core/calendar.ts';
import { type Client, FEE_SCHEDULE, FEE_TIER, FEES, FILLS, TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { expectError, expectOk, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();
const operator = new Operator(node);
let maker: Client;
let taker: Client;
beforeAll(async () => {
  maker = await node.client();
  taker = await node.client();
});

const TIERS = [
  { volume: 100, makerFee: 0.0005, takerFee: 0.001 },
  { volume: 1000.5, makerFee: 0, takerFee: 0.0005 },
];
const TABLE = { volumeAsset: 'USDT', rates: [{ asset: 'AED', rate: 0.25 }], tiers: TIERS };

/** One trade in which both sides trade this much. */
async function trade(price: string, quantity: string): Promise<void> {
  const order = { symbol: 'BTC-USDT', ordType: 2, price, orderQty: quantity };
  await maker.order({ ...order, side: 2 });
  await taker.order({ ...order, side: 1 });
}

const set = (body: object) => operator.post('fee-tiers', body);
const tierOf = async (client: Client) => expectOk(await client.get(FEE_TIER));

test('without a table there is no tier', async () => {
  const none = { volumeAsset: null, rates: [], tiers: [] };
  expect<unknown>(expectOk(await operator.get('fee-tiers'))).toEqual(none);
  expect<unknown>(await tierOf(taker)).toMatchObject({
    ...{ volumeAsset: null, volume: null, tier: null, nextTier: null, missingVolume: null },
    ...{ tiers: [], ownFees: false },
  });
});

describe('the table', () => {
  test('is what the operator sets, whole, with an audit entry', async () => {
    expect<unknown>(expectOk(await set(TABLE))).toEqual(TABLE);
    expect<unknown>(operator.audited()[0]).toMatchObject({
      action: 'feeTiers.amend',
      details: { volumeAsset: 'USDT' },
    });
    expect<unknown>(expectOk(await operator.get('fee-tiers'))).toEqual(TABLE);
    const other = { volumeAsset: 'USDT', tiers: TIERS.slice(1) };
    const answer = expectOk(await set(other));
    expect<unknown>(answer).toEqual({ ...other, rates: [] });
    const removed = expectOk(await set({ tiers: [] }));
    expect(removed.volumeAsset).toBeNull();
  });

  test('has room for 12 tiers and 12 other quote assets', async () => {
    const assets = Array.from({ length: 12 }, (_, i) => `Q${i}`);
    for (const asset of assets) expectOk(await operator.post('assets', { asset, scale: 2 }));
    const table = {
      volumeAsset: 'USDT',
      rates: assets.map((asset) => ({ asset, rate: 90071992.54740991 })),
      tiers: assets.map((_, i) => ({ volume: i, makerFee: 0, takerFee: 0.5 })),
    };
    expect<unknown>(expectOk(await set(table))).toEqual(table);
    expectOk(await set({ tiers: [] }));
  });

  const tier = (changes: object) => ({ ...TABLE, tiers: [{ ...TIERS[0], ...changes }] });
  const rate = (changes: object) => ({ ...TABLE, rates: [{ asset: 'AED', rate: 1, ...changes }] });
  test.each([
    [{}, 100200, 'tiers'],
    [{ tiers: TIERS }, 100200, 'volumeAsset'],
    [{ ...TABLE, volumeAsset: 'XYZ' }, 100200, 'volumeAsset'],
    [{ ...TABLE, volumeAsset: 5 }, 100200, 'volumeAsset'],
    [{ ...TABLE, more: 1 }, 100200, 'more'],
    [rate({ asset: 'XYZ' }), 100200, 'rates[0].asset'],
    [rate({ asset: 'USDT' }), 100200, 'rates[0].asset'],
    [rate({ rate: 0 }), 100200, 'rates[0].rate'],
    [rate({ rate: '0.000000001' }), 100208, 'rates[0].rate'],
    [rate({ rate: '99999999999' }), 100200, 'rates[0].rate'],
    [tier({ volume: -1 }), 100200, 'tiers[0].volume'],
    [tier({ volume: '0.000000001' }), 100208, 'tiers[0].volume'],
    [tier({ makerFee: 1 }), 100200, 'tiers[0].makerFee'],
    [tier({ takerFee: -0.001 }), 100200, 'tiers[0].takerFee'],
    [tier({ takerFee: '0.000000001' }), 100208, 'tiers[0].takerFee'],
    [tier({ fee: 1 }), 100200, 'tiers[0].fee'],
    [{ ...TABLE, tiers: [TIERS[1], TIERS[0]] }, 100200, 'tiers[1].volume'],
    [{ ...TABLE, tiers: [TIERS[0], TIERS[0]] }, 100200, 'tiers[1].volume'],
    [{ ...TABLE, tiers: Array(13).fill(TIERS[0]) }, 100200, 'tiers'],
    [{ ...TABLE, rates: Array(13).fill(TABLE.rates[0]) }, 100200, 'rates'],
  ])('%j is rejected, and nothing changes', async (body, code, field) => {
    const before = expectOk(await operator.get('fee-tiers'));
    const answer = await set(body);
    expectError(answer, 400, code, field);
    expect(answer.body.userMsg).not.toContain('The terms are not valid');
    expect(expectOk(await operator.get('fee-tiers'))).toEqual(before);
  });
});

test('anyone reads what a new account pays, and the table', async () => {
  const schedule = async () => expectOk(await node.get(FEE_SCHEDULE));
  expectOk(await set({ ...TABLE, tiers: [{ ...TIERS[0]!, volume: 0 }] }));
  for (const pair of rowsOf((await schedule()).pairs!)) {
    expect<unknown>(pair).toMatchObject({ makerFee: 0.0005, takerFee: 0.001 });
  }
  expectOk(await set({ tiers: [] }));
  const pairs = rowsOf(expectOk(await taker.get(FEES)));
  expect<unknown>(await schedule()).toEqual({ pairs, volumeAsset: null, tiers: [] });
});

describe('an account', () => {
  test('reaches a tier on the day after, and its rates are those of the next fill', async () => {
    expectOk(await set(TABLE));
    await trade('100', '2.5');
    expect<unknown>(await tierOf(taker)).toMatchObject({ volume: 0, tier: null });
    await node.engine.advanceClock(DAY_MS);
    const state = await tierOf(taker);
    const today = dayOf(node.engine.now) * DAY_MS;
    expect<unknown>(state).toEqual({
      volumeAsset: 'USDT',
      volume: 250,
      startTime: today - 30 * DAY_MS,
      endTime: today,
      tier: TIERS[0],
      nextTier: TIERS[1],
      missingVolume: 750.5,
      ownFees: false,
      tiers: TIERS,
    });
    const fees = rowsOf(expectOk(await taker.get(FEES)));
    for (const row of fees) {
      expect<unknown>(row).toMatchObject({ makerFee: 0.0005, takerFee: 0.001 });
    }
    await trade('100', '1');
    const [fill] = rowsOf(expectOk(await taker.get(FILLS)));
    expect<unknown>(fill).toMatchObject({ fee: 0.001, feeAsset: 'BTC' });
    await node.amendUser(taker.uid, { takerFee: 300_000 });
    expect<unknown>(await tierOf(taker)).toMatchObject({ tier: TIERS[0], ownFees: true });
    const [own] = rowsOf(expectOk(await taker.get(FEES)));
    expect<unknown>(own).toMatchObject({ makerFee: 0.0005, takerFee: 0.003 });
  });

  test('in the highest tier has no next one', async () => {
    await trade('1000', '1');
    await node.engine.advanceClock(DAY_MS);
    expect<unknown>(await tierOf(maker)).toMatchObject({
      ...{ volume: 1350, tier: TIERS[1], nextTier: null, missingVolume: null },
    });
  });
});
