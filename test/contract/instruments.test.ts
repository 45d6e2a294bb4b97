// getInstruments in both versions, and the lists of assets and clocks beside it.
import { describe, expect, test } from 'bun:test';
import { InstrumentStatus } from '../../src/core/fix.ts';
import { ASSETS_PATH, INSTRUMENTS, TestNode, TIME } from '../support/node.ts';
import { expectOk, expectRows, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();

const symbols = (list: unknown): unknown[] =>
  (list as { symbol: string }[]).map((row) => row.symbol);

describe('GET /spot-api/api/public/v2/instruments', () => {
  test('lists every instrument with every field', async () => {
    const answer = await node.get(INSTRUMENTS);
    const rows = expectRows(expectOk(answer));
    expect(symbols(rows)).toEqual(['BTC-USDT', 'ETH-USDT', 'MMX-USDT', 'BTC-AED']);
    expect<unknown>(rows[0]).toEqual({
      symbol: 'BTC-USDT',
      securityId: 1,
      securityType: 'SPOT_PAIR',
      instrumentStatus: 'LIVE',
      baseAssetIncrement: 0.000001,
      quoteAssetIncrement: 0.01,
      baseAssetMinOrderSize: 0.00001,
      quoteAssetMinOrderSize: 0.1,
      open: true,
      fiat: false,
      apiTradeSupported: true,
    });
  });

  test('a pair against a fiat currency is a fiat instrument', async () => {
    const [row] = expectRows(expectOk(await node.get(INSTRUMENTS, 'symbol=BTC-AED')));
    expect<unknown>(row!.fiat).toBe(true);
  });

  test('has every status, and whether the instrument is open', async () => {
    for (const [name, open] of [
      ['POST_ONLY', true],
      ['CANCEL_ONLY', false],
      ['HALTED', false],
      ['LIVE', true],
    ] as const) {
      await node.amend('MMX-USDT', { status: InstrumentStatus[name] });
      const [row] = rowsOf(expectOk(await node.get(INSTRUMENTS, 'symbol=MMX-USDT')));
      expect<unknown>(row).toMatchObject({ instrumentStatus: name, open });
    }
  });
});

describe('GET /spot-api/api/public/v1/assets', () => {
  test('lists every asset with its decimals', async () => {
    const rows = expectRows(expectOk(await node.get(ASSETS_PATH)));
    expect(rows).toContainEqual({ asset: 'AED', scale: 8, fiat: true } as never);
    expect(rows).toHaveLength(6);
  });
});

describe('GET /spot-api/api/public/v1/time', () => {
  test('has the wall clock and the business clock', async () => {
    const before = Date.now();
    const body = expectOk(await node.get(TIME));
    expect(Number(body.serverTime)).toBeWithin(before, Date.now() + 1);
  });

  test('shows how far the business clock was moved', async () => {
    const hour = 3_600_000;
    await node.engine.advanceClock(hour);
    const { serverTime, businessTime } = expectOk(await node.get(TIME));
    const ahead = Number(businessTime) - Number(serverTime);
    expect(ahead).toBeWithin(hour, 2 * hour);
  });
});
