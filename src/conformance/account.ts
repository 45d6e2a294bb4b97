// Checks of what agio adds for an account: balances, fills, fees and the statement.
import { accountCalls, orderCalls } from '../contract/trading/calls.ts';
import * as decimal from '../sdk/decimal.ts';
import { type Check, section } from './check.ts';
import { expect, expectRejected, expectSame, expectSorted, Skip } from './expect.ts';

const account = section('agio', 'The account');

const { balances, fills, fees, ledger } = accountCalls;

export const accountChecks: readonly Check[] = [
  account('ACC-01', 'Balances have five parts, and total is their sum.', async (kit) => {
    for (const row of await kit.call(balances)) {
      const { asset, available, held, earn, redeeming, booster, total } = row;
      const parts = [available, held, earn, redeeming, booster];
      expectSame(`total of ${asset}`, total, decimal.sum(parts));
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
  account('ACC-03', 'Fills have their fields, newest first.', async (kit) => {
    const rows = await kit.call(fills, { size: 20 });
    const ids = rows.map(({ tradeId }) => tradeId);
    expectSorted('tradeIds', ids, -1);
  }),
  account('ACC-04', 'Each pair has its fees.', async (kit) => {
    const rows = await kit.call(fees);
    expect(rows.length > 0, 'at least one pair', rows);
  }),
  account(
    'ACC-05',
    'Each balance of the statement is the previous one plus the entry.',
    async (kit) => {
      const rows = (await kit.call(ledger, { size: 200 })).data;
      if (rows.length === 0) throw new Skip('the statement has no entries');
      const later = new Map<string, (typeof rows)[number]>();
      for (const row of rows) {
        const next = later.get(row.asset);
        if (next !== undefined) {
          const before = decimal.subtract(next.balance, next.amount);
          expectSame(`balance after entry ${row.entryId}`, row.balance, before);
        }
        later.set(row.asset, row);
      }
    },
  ),
  account('ACC-06', 'The statement is available as CSV.', async ({ wire }) => {
    const answer = await wire.send(ledger, { format: 'csv', endTime: 0 });
    expectSame('status', answer.status, 200);
    const type = answer.headers.get('content-type') ?? '';
    expect(type.startsWith('text/csv'), 'Content-Type text/csv', type);
    const hasHeadings = answer.text.startsWith('entryId,time,type,asset,amount,balance');
    expect(hasHeadings, 'a row of headings', answer.text);
  }),
  account(
    'ACC-07',
    'X-Agio-Min-Seq waits for a position, or rejects one that is too far ahead.',
    async ({ wire }) => {
      const from = (seq: string) => wire.send(fees, {}, { headers: { 'X-Agio-Min-Seq': seq } });
      const { headers } = await wire.send(balances);
      const seq = headers.get('x-agio-seq') ?? '';
      expect(/^\d+$/.test(seq), 'X-Agio-Seq', seq);
      expectSame('status', (await from(seq)).status, 200);
      const far = await from('999999999999999');
      expectRejected(far, 'unavailable', 'X-Agio-Min-Seq');
      expectSame('Retry-After', far.headers.get('retry-after'), '1');
      for (const bad of ['-1', 'x', '1.5', '1e3', '9'.repeat(16)]) {
        expectRejected(await from(bad), 'invalidField', 'X-Agio-Min-Seq');
      }
    },
  ),
  account('ACC-08', 'A read reflects the write before it.', async (kit) => {
    await kit.rest();
    const written = Number(kit.wire.answers.at(-1)?.headers.get('x-agio-seq'));
    const { headers } = await kit.wire.send(orderCalls.orders, { type: 'OPEN' });
    const read = Number(headers.get('x-agio-seq'));
    expect(read >= written, `X-Agio-Seq of at least ${written}`, read);
  }),
];
