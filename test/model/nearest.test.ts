// Each nearest value that a rejection names is accepted when it is sent back, in every CI run over
// fixed seeds. A longer run: npm run model -- --nearest 100000.
import { describe, expect, test } from 'bun:test';
import { sendNearestBack } from './nearest.ts';

const SEEDS = [1, 2, 3, 6, 7] as const;
const REJECTIONS = 3_000;

/** Fields of requests whose nearest values were sent back, at least this often each. */
const LEAST = 2;
const FIELDS = [
  ...['order price', 'order orderQty', 'order quoteOrderQty'],
  ...['orderV2 price', 'orderV2 stopPx', 'orderV2 displayQty', 'orderV2 trailingAmount'],
  ...['orderV2 bracket.takeProfitPx', 'orderV2 bracket.stopPx', 'orderV2 bracket.stopLimitPx'],
  ...['oco price', 'oco orderQty', 'oco stopPx', 'oco stopLimitPx', 'batch price'],
  ...['amend price', 'amend orderQty', 'amend stopPx', 'amend displayQty', 'amend bracket.stopPx'],
  ...['apply amount', 'apply boosterAmount', 'apply lockDay', 'redeem amount'],
  ...['margin margin', 'debit amount'],
];

describe('a nearest value is accepted', () => {
  const all = new Map<string, number>();
  for (const seed of SEEDS) {
    test(`${REJECTIONS} rejections, seed ${seed}`, () => {
      const { sentBack, fields } = sendNearestBack(seed, REJECTIONS);
      expect(sentBack).toBeGreaterThan(REJECTIONS / 5);
      for (const [field, times] of fields) all.set(field, (all.get(field) ?? 0) + times);
    });
  }

  test('of every field that is checked', () => {
    expect(FIELDS.filter((field) => (all.get(field) ?? 0) < LEAST)).toEqual([]);
  });
});
