// The fills that the stream reports: each once, of one pair, and from its beginning.
import { expect, test } from 'bun:test';
import { type Order, Side } from '../../../../src/sdk/index.ts';
import { NOTHING_REPORTED, withReports } from './reported-fills.ts';

const report = (execId: number, symbol = 'BTC-USDT') =>
  ({
    execId,
    symbol,
    side: Side.buy,
    transactTime: execId * 10,
    lastPx: '60000.5',
    lastQty: '0.2',
  }) as Order;

const times = ({ fills }: { fills: readonly { transactTime: number }[] }) =>
  fills.map(({ transactTime }) => transactTime);

test('a report becomes a fill with its exact total', () => {
  const { fills } = withReports(NOTHING_REPORTED, { since: 5, reports: [report(1)] }, 'BTC-USDT');
  expect(fills).toEqual([
    { transactTime: 10, side: Side.buy, quantity: '0.2', quoteAmount: '12000.1' },
  ]);
});

test('each report counts once, also those that the stream no longer has', () => {
  let known = withReports(
    NOTHING_REPORTED,
    { since: 5, reports: [report(1), report(2)] },
    'BTC-USDT',
  );
  known = withReports(known, { since: 5, reports: [report(2), report(3)] }, 'BTC-USDT');
  expect(times(known)).toEqual([10, 20, 30]);
  expect(withReports(known, { since: 5, reports: [report(2), report(3)] }, 'BTC-USDT')).toBe(known);
  known = withReports(known, { since: 5, reports: [report(4, 'ETH-USDT'), report(5)] }, 'BTC-USDT');
  expect(times(known)).toEqual([10, 20, 30, 50]);
});

test('a stream that begins again starts without reports', () => {
  const known = withReports(NOTHING_REPORTED, { since: 5, reports: [report(1)] }, 'BTC-USDT');
  const again = withReports(known, { since: 9, reports: [] }, 'BTC-USDT');
  expect(times(again)).toEqual([]);
  expect(times(withReports(again, { since: 9, reports: [report(7)] }, 'BTC-USDT'))).toEqual([70]);
});
