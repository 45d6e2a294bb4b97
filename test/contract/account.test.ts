// The account's own lists: balances, fees, fills, and the statement as pages and as CSV.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { amount } from '../../src/core/units.ts';
import { type Client, FILLS, LEDGER, MASS_CANCEL, TestNode } from '../support/node.ts';
import { expectError, expectOk, rowsOf } from '../support/shape.ts';
import { jumpAhead } from '../support/waiting.ts';

const node = TestNode.forFile();
let client: Client;
let other: Client;
beforeEach(async () => {
  client = await node.client();
  other = await node.client();
});
afterEach(async () => {
  for (const each of [client, other]) await each.post(MASS_CANCEL, {});
});

/** The client buys from the other; returns its orderId. */
async function buy(price: string, quantity: string): Promise<number> {
  await other.limit(2, price, quantity);
  return client.limit(1, price, quantity);
}

describe('GET /spot-api/api/private/v1/trades', () => {
  test('by symbol, orderId and window', async () => {
    const first = await buy('100', '0.1');
    const time = node.state.time;
    await node.engine.advanceClock(1000);
    const second = await buy('100', '0.2');
    const found = async (query: string) =>
      rowsOf(expectOk(await client.get(FILLS, query))).map((row) => Number(row.orderId));
    expect(await found('symbol=BTC-USDT')).toEqual([second, first]);
    expect(await found('symbol=ETH-USDT')).toEqual([]);
    expect(await found(`orderId=${first}`)).toEqual([first]);
    expect(await found(`endTime=${time}`)).toEqual([first]);
    expect(await found(`startTime=${time + 1}`)).toEqual([second]);
    expect(await found(`startTime=${time}&endTime=${time}`)).toEqual([first]);
    expect(await found('startTime=0')).toEqual([second, first]);
  });

  test('rejects an unknown symbol, and a reversed window', async () => {
    expectError(await client.get(FILLS, 'symbol=A-B'), 400, 100201, 'symbol');
    expectError(await client.get(FILLS, 'startTime=2&endTime=1'), 400, 100213, 'startTime');
  });
});

describe('GET /spot-api/api/private/v1/ledger', () => {
  test('rejects an unknown asset, a reversed window, and pages of CSV', async () => {
    expectError(await client.get(LEDGER, 'asset=DOGE'), 400, 100200, 'asset');
    expectError(await client.get(LEDGER, 'startTime=2&endTime=1'), 400, 100213, 'startTime');
    expectError(await client.get(LEDGER, 'format=csv&size=5'), 400, 100200, 'size');
    expectError(await client.get(LEDGER, 'format=csv&lastEntryId=5'), 400, 100200, 'lastEntryId');
  });
});

describe('GET /spot-api/api/private/v1/ledger as CSV', () => {
  const HEADER =
    'entryId,time,type,asset,amount,balance,tradeId,orderId,transferId,reference,applyId';

  const linesOf = async (query: string, headers = {}): Promise<string[]> => {
    const answer = await client.get(LEDGER, query, { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toStartWith('text/csv');
    expect(answer.headers.get('x-agio-seq')).toMatch(/^\d+$/);
    const lines = answer.text.split('\r\n');
    expect(lines.pop()).toBe('');
    expect(lines.shift()).toBe(HEADER);
    return lines;
  };

  test('has at most two simultaneous downloads for an account, else 429', async () => {
    const { limits } = node.services;
    const [one, two] = [1, 2].map(() => limits.beginLongRead(client.uid));
    const rejected = await client.get(LEDGER, 'format=csv');
    expectError(rejected, 429, 100429);
    expect(rejected.headers.get('retry-after')).toBe('1');
    // Another account's CSV and a page are not rejected.
    expect((await (await node.client()).get(LEDGER, 'format=csv')).status).toBe(200);
    expect((await client.get(LEDGER)).status).toBe(200);
    one!();
    for (let i = 0; i < 5; i++) await linesOf('format=csv');
    two!();
    // A download that never ended no longer counts after ten minutes.
    for (let i = 0; i < 2; i++) limits.beginLongRead(client.uid);
    jumpAhead(600_001);
    await linesOf('format=csv');
  });

  test('has the same entries as the pages, oldest first, between opening and closing', async () => {
    await buy('100', '0.5');
    const lines = await linesOf('format=csv');
    const page = expectOk(await client.get(LEDGER));
    const entries = lines.filter((line) => /^\d/.test(line)).map((line) => line.split(','));
    expect(entries.map(([entryId]) => Number(entryId)).reverse()).toEqual(
      rowsOf(page.data!).map(({ entryId }) => Number(entryId)),
    );
    const newest = rowsOf(page.data!)[0]!;
    expect(entries.at(-1)).toEqual([
      String(newest.entryId),
      new Date(Number(newest.time)).toISOString(),
      'trade',
      'BTC',
      '0.5',
      '100.5',
      String(newest.tradeId),
      String(newest.orderId),
      '',
      '',
      '',
    ]);
    expect(lines[0]).toBe(',,opening,BTC,,0,,,,,');
    expect(lines).toContain(',,closing,BTC,,100.5,,,,,');
    expect(lines).toContain(',,closing,USDT,,9999950,,,,,');
  });

  test('is chosen by format or by Accept; format has precedence', async () => {
    await linesOf('', { Accept: 'text/csv' });
    await linesOf('format=csv', { Accept: 'application/json' });
    const json = await client.get(LEDGER, 'format=json', { headers: { Accept: 'text/csv' } });
    expectOk(json);
  });

  test('streams windows of any length and number of entries', async () => {
    const old = await node.client({ USDT: '1' });
    await node.engine.advanceClock(400 * 86_400_000);
    const credits = Array.from({ length: 2500 }, () => node.credit(old.uid, 'USDT', '0.01'));
    await Promise.all(credits);
    client = old;
    const lines = await linesOf('format=csv&startTime=0');
    expect(lines).toHaveLength(1 + 2501 + 1);
    expect(lines.at(-1)).toBe(',,closing,USDT,,26,,,,,');
    const year = node.engine.now - 366 * 86_400_000;
    const recent = await linesOf(`format=csv&startTime=${year}`);
    expect(recent[0]).toBe(',,opening,USDT,,1,,,,,');
    expect(recent).toHaveLength(1 + 2500 + 1);
  });

  test('quotes where needed, and keeps formulas as texts', async () => {
    for (const reference of ['a,"b"', '=1+1', '@x', '-2+3', '-5']) {
      await node.must({
        type: 'transferFunds',
        direction: 'credit',
        uid: client.uid,
        assetId: 0,
        amount: amount(1),
        reference,
      });
    }
    const ends = (await linesOf('format=csv&asset=BTC')).map(
      // The reference stands before the last column, which is empty here.
      (line) => line.slice(0, -1).split(/,(?=[^,]*$)/)[1],
    );
    const text = (await client.get(LEDGER, 'format=csv&asset=BTC')).text;
    expect(text).toContain(',"a,""b""",\r\n');
    expect(ends).toContain("'=1+1");
    expect(ends).toContain("'@x");
    expect(ends).toContain("'-2+3");
    expect(ends).toContain('-5');
  });
});
