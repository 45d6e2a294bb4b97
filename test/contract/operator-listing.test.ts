// The operator's calls about what is traded: assets, and instruments with their terms.
import { describe, expect, test } from 'bun:test';
import { SelfTradePrevention } from '../../src/core/fix.ts';
import { TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { expectError, expectOk, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();
const operator = new Operator(node);

/** A pair that is not listed yet: of two new assets. */
let listed = 0;
async function newPair(scales = { base: 8, quote: 8 }): Promise<string> {
  listed++;
  const [base, quote] = [`B${listed}`, `Q${listed}`];
  expectOk(await operator.post('assets', { asset: base, scale: scales.base }));
  expectOk(await operator.post('assets', { asset: quote, scale: scales.quote }));
  return `${base}-${quote}`;
}

const TERMS = {
  baseAssetIncrement: '0.0001',
  quoteAssetIncrement: 0.01,
  baseAssetMinOrderSize: 0.001,
  quoteAssetMinOrderSize: '5',
};

describe('assets', () => {
  test('POST lists an asset, GET has it', async () => {
    const asset = expectOk(await operator.post('assets', { asset: '1INCH', scale: 18 }));
    expect<unknown>(asset).toMatchObject({ asset: '1INCH', scale: 18, fiat: false });
    expect(operator.audited()[0]).toMatchObject({
      object: '1INCH',
      details: { asset: '1INCH', scale: 18 },
    });
    expectOk(await operator.post('assets', { asset: 'CHF', scale: 2, fiat: true }));
    const rows = rowsOf(expectOk(await operator.get('assets')));
    expect<unknown>(rows.at(-1)).toMatchObject({ asset: 'CHF', scale: 2, fiat: true });
  });

  test('rejects one that exists', async () => {
    expectError(await operator.post('assets', { asset: 'BTC', scale: 8 }), 409, 100222);
    expect(operator.audited()[0]!.object).toBe('BTC');
  });
});

describe('POST instruments', () => {
  test('rejects one that exists, and assets that do not', async () => {
    expectError(await operator.post('instruments', { symbol: 'BTC-USDT', ...TERMS }), 409, 100222);
    for (const symbol of ['BTC-DOGE', 'DOGE-USDT', 'BTC-BTC']) {
      expectError(await operator.post('instruments', { symbol, ...TERMS }), 400, 100221);
      expect(operator.audited()[0]!.object).toBe(symbol);
    }
  });

  test('rejects increments that the assets cannot hold, saying what would fit', async () => {
    const symbol = await newPair({ base: 8, quote: 6 });
    const terms = { ...TERMS, baseAssetIncrement: '0.00001', baseAssetMinOrderSize: 1 };
    const answer = await operator.post('instruments', { symbol, ...terms });
    const details = expectError(answer, 400, 100200, 'quoteAssetIncrement');
    expect<unknown>(details).toMatchObject({ rule: 'decimals', limit: 1, value: 2 });
    const coarse = await newPair({ base: 2, quote: 8 });
    const finer = await operator.post('instruments', { symbol: coarse, ...TERMS });
    expect<unknown>(expectError(finer, 400, 100200, 'baseAssetIncrement')).toMatchObject({
      limit: 2,
    });
  });

  test.each([
    [{ quoteAssetIncrement: '9'.repeat(30) }, 100200, 'quoteAssetIncrement'],
    [{ baseAssetMinOrderSize: 0.00015 }, 100208, 'baseAssetMinOrderSize'],
    [{ baseAssetMinOrderSize: '9'.repeat(40) }, 100200, 'baseAssetMinOrderSize'],
    [{ quoteAssetMinOrderSize: '0.000000001' }, 100208, 'quoteAssetMinOrderSize'],
    [{ makerFee: 1 }, 100200, 'makerFee'],
    [{ takerFee: '0.0000000001' }, 100208, 'takerFee'],
    [{ priceBand: 1.5 }, 100200, 'priceBand'],
  ])('rejects %j', async (change, code, field) => {
    const symbol = 'MMX-USDC';
    const { seq } = node;
    const body = { symbol, ...TERMS, ...change };
    expectError(await operator.post('instruments', body), 400, code, field);
    expect(node.seq).toBe(seq);
  });
});

describe('PATCH instruments/{symbol}', () => {
  test('changes what is sent and nothing else', async () => {
    const symbol = await newPair();
    const before = expectOk(
      await operator.post('instruments', { symbol, ...TERMS, makerFee: 0.001 }),
    );
    expect(operator.audited()[0]!.object).toBe(symbol);
    const change = {
      takerFee: '0.002',
      selfTradePrevention: 'none',
      priceBand: 0.05,
      baseAssetMinOrderSize: '0.5',
      quoteAssetMinOrderSize: 0,
    };
    const after = expectOk(await operator.patch(`instruments/${symbol}`, change));
    expect<unknown>(after).toEqual({
      ...before,
      takerFee: 0.002,
      selfTradePrevention: 'none',
      priceBand: 0.05,
      baseAssetMinOrderSize: 0.5,
      quoteAssetMinOrderSize: 0,
    });
    expect(node.state.instrumentNamed(symbol)!.selfTradePrevention).toBe(SelfTradePrevention.none);
    expect(operator.audited()[0]).toMatchObject({
      object: symbol,
      details: { takerFee: '0.002', selfTradePrevention: 'none' },
    });
  });

  test.each([
    [{}, 100200, 'body'],
    [{ baseAssetMinOrderSize: '0.00000001' }, 100208, 'baseAssetMinOrderSize'],
  ])('rejects %j', async (body, code, field) => {
    const { seq } = node;
    expectError(await operator.patch('instruments/ETH-USDT', body), 400, code, field);
    expect(node.seq).toBe(seq);
    expect(operator.audited()[0]!.object).toBe('ETH-USDT');
  });
});
