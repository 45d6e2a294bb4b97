// Checks of what agio adds for an account: balances, fills, fees and the statement.
import * as decimal from '../sdk/decimal.ts';
import { type Check, expect, expectSame, Skipped, section } from './check.ts';
import { decimalText, expectOk, expectRefused, expectRows } from './expect.ts';
import { SPOT } from './kit.ts';
import type { Json } from './wire.ts';

const account = section('agio', 'The account');

const PARTS = ['available', 'held', 'earn', 'redeeming', 'booster'];

export const accountChecks: readonly Check[] = [
  account('ACC-01', 'Balances have five parts, and total is their sum.', async ({ wire }) => {
    const rows = expectRows('balances', expectOk(await wire.get(`${SPOT}/balances`)), {
      asset: 'text',
      available: 'decimal',
      held: 'decimal',
      earn: 'decimal',
      redeeming: 'decimal',
      booster: 'decimal',
      total: 'decimal',
    });
    for (const row of rows) {
      const sum = decimal.sum(PARTS.map((part) => decimalText(row[part] as unknown)));
      expectSame(`total of ${row.asset}`, decimalText(row.total as unknown), sum);
    }
  }),
  account('ACC-02', 'A bid holds price × quantity.', async (kit) => {
    const { quote, bidPrice, quantity } = await kit.pair();
    const before = await kit.has(quote);
    await kit.rest();
    const held = decimal.subtract(before, await kit.has(quote));
    const cost = decimal.multiply(bidPrice, quantity);
    expect(decimal.compare(held, cost) === 0, `${cost} ${quote} to be held`, held);
  }),
  account('ACC-03', 'Fills have their fields, newest first.', async ({ wire }) => {
    const rows = expectRows('fills', expectOk(await wire.get(`${SPOT}/trades`, { size: 20 })), {
      tradeId: 'integer',
      orderId: 'integer',
      symbol: 'text',
      securityId: 'integer',
      side: 'integer',
      price: 'decimal',
      quantity: 'decimal',
      quoteAmount: 'decimal',
      fee: 'decimal',
      feeAsset: 'text',
      maker: 'boolean',
      transactTime: 'time',
    });
    const ids = rows.map(({ tradeId }) => Number(tradeId));
    expectSame(
      'tradeIds',
      ids,
      [...ids].sort((a, b) => b - a),
    );
  }),
  account('ACC-04', 'Fees are told for each pair.', async ({ wire }) => {
    const rows = expectRows('fees', expectOk(await wire.get(`${SPOT}/fees`)), {
      symbol: 'text',
      securityId: 'integer',
      makerFee: 'decimal',
      takerFee: 'decimal',
    });
    expect(rows.length > 0, 'at least one pair', rows);
  }),
  account(
    'ACC-05',
    'Each balance of the statement is the one before and the entry.',
    async ({ wire }) => {
      const statement = expectOk(await wire.get(`${SPOT}/ledger`, { size: 200 }));
      const rows = expectRows('entries', statement.data!, {
        entryId: 'integer',
        time: 'time',
        type: 'text',
        asset: 'text',
        amount: 'decimal',
        balance: 'decimal',
        tradeId: 'integer?',
        orderId: 'integer?',
        transferId: 'integer?',
        reference: 'text?',
        applyId: 'text?',
      });
      if (rows.length === 0) throw new Skipped('the statement has no entries');
      const later = new Map<string, Json>();
      for (const row of rows) {
        const next = later.get(String(row.asset));
        if (next !== undefined) {
          const before = decimal.subtract(
            decimalText(next.balance as unknown),
            decimalText(next.amount as unknown),
          );
          expectSame(
            `balance after entry ${row.entryId}`,
            decimalText(row.balance as unknown),
            before,
          );
        }
        later.set(String(row.asset), row);
      }
    },
  ),
  account('ACC-06', 'The statement is to be had as CSV.', async ({ wire }) => {
    const answer = await wire.get(`${SPOT}/ledger`, { format: 'csv', endTime: 0 });
    expectSame('status', answer.status, 200);
    const type = answer.headers.get('content-type') ?? '';
    expect(type.startsWith('text/csv'), 'Content-Type text/csv', type);
    expect(
      answer.text.startsWith('entryId,time,type,asset,amount,balance'),
      'a row of headings',
      answer.text,
    );
  }),
  account(
    'ACC-07',
    'X-Agio-Min-Seq waits for a place, and says where it is not yet.',
    async ({ wire }) => {
      const { headers } = await wire.get(`${SPOT}/balances`);
      const seq = headers.get('x-agio-seq') ?? '';
      expect(/^\d+$/.test(seq), 'X-Agio-Seq', seq);
      expectOk(await wire.get(`${SPOT}/fees`, {}, { headers: { 'X-Agio-Min-Seq': seq } }));
      const far = { headers: { 'X-Agio-Min-Seq': '999999999999999' } };
      const answer = await wire.get(`${SPOT}/fees`, {}, far);
      expectRefused(answer, 503, 100503, 'X-Agio-Min-Seq');
      expectSame('Retry-After', answer.headers.get('retry-after'), '1');
      for (const place of ['-1', 'x', '1.5', '1e3', '9'.repeat(16)]) {
        const bad = await wire.get(`${SPOT}/fees`, {}, { headers: { 'X-Agio-Min-Seq': place } });
        expectRefused(bad, 400, 100200, 'X-Agio-Min-Seq');
      }
    },
  ),
  account('ACC-08', 'A read reflects the write before it.', async (kit) => {
    await kit.rest();
    const written = Number(kit.wire.answers.at(-1)?.headers.get('x-agio-seq'));
    const { headers } = await kit.wire.get(`${SPOT}/orders`, { type: 'OPEN' });
    const read = Number(headers.get('x-agio-seq'));
    expect(read >= written, `X-Agio-Seq of at least ${written}`, read);
  }),
];
