// The planned exits of an open order: their rows, and what changes one of them.
import { expect, test } from 'bun:test';
import { type Order, OrdType, Side } from '../../../src/sdk/index.ts';
import { amendmentOf, exitsOf, type OpenRow, resultOf } from './legs.ts';

const bracket = {
  takeProfitPx: '63000',
  stopPx: '59000',
  stopLimitPx: '58900',
  trailingDelta: null,
  trailingAmount: null,
};
const ENTRY = {
  orderId: 7,
  symbol: 'BTC-USDT',
  side: Side.buy,
  ordType: OrdType.limit,
  price: '60000',
  orderQty: '0.5',
  quoteOrderQty: null,
  bracket,
} as unknown as Order;

const rowsOf = (entry: Partial<Order>): readonly OpenRow[] => exitsOf({ ...ENTRY, ...entry });
const [profit, stop] = rowsOf({}) as [OpenRow, OpenRow];

test('an amendment of an exit names its entry and sends all exits', () => {
  const change = (row: OpenRow, field: 'price' | 'stopPx') => amendmentOf(row, field, '1');
  const sent = { takeProfitPx: '63000', stopPx: '59000', stopLimitPx: '58900' };
  const amends = (other: object) => ({
    orderId: 7,
    symbol: 'BTC-USDT',
    bracket: { ...sent, ...other },
  });
  expect(change(profit, 'price')).toEqual(amends({ takeProfitPx: '1' }));
  expect(change(stop, 'stopPx')).toEqual(amends({ stopPx: '1' }));
  expect(change(stop, 'price')).toEqual(amends({ stopLimitPx: '1' }));
  expect(amendmentOf(ENTRY, 'price', '1')).toEqual({
    ...{ orderId: 7, symbol: 'BTC-USDT', price: '1' },
  });
});

test('the profit and the loss while a price is typed', () => {
  expect(resultOf(profit, 'price', '63,000')).toEqual({ cost: '30000', gain: '1500' });
  expect(resultOf(stop, 'price', '58000')).toEqual({ cost: '30000', gain: '-1000' });
  // The limit decides, not the trigger.
  expect(resultOf(stop, 'stopPx', '1')).toEqual({ cost: '30000', gain: '-550' });
  const [, plain] = rowsOf({ bracket: { ...bracket, stopLimitPx: null } });
  expect(resultOf(plain!, 'stopPx', '59500')).toEqual({ cost: '30000', gain: '-250' });
  const [target] = rowsOf({ side: Side.sell, bracket: { ...bracket, takeProfitPx: '57000' } });
  expect(resultOf(target!, 'price', '57000')).toEqual({ cost: '30000', gain: '1500' });
  expect(resultOf(profit, 'price', '')).toBeNull();
  expect(resultOf(ENTRY, 'price', '1')).toBeNull();
  expect(resultOf(rowsOf({ price: null })[0]!, 'price', '1')).toBeNull();
});

test('the exits of a stop that trails have nothing of its trail', () => {
  const trail = { trailingDelta: 100, stopPx: '61000', triggerPx: '60500' };
  const direction = { triggerPriceDirection: 'U' } as const;
  const rows = rowsOf({ ordType: OrdType.stop, price: null, ...trail, ...direction });
  const terms = rows.map(({ stopPx, triggerPx, trailingDelta }) => [
    stopPx,
    triggerPx,
    trailingDelta,
  ]);
  expect(terms).toEqual([
    [null, null, null],
    ['59000', null, null],
  ]);
  expect(rows.map(({ triggerPriceDirection }) => triggerPriceDirection)).toEqual([null, 'D']);
});
