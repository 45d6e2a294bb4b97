// The messages of a book: the changed levels, and the text of the checksum.
import { expect, test } from 'bun:test';
import { BTC_USDT, Venue } from '../../../test/support/venue.ts';
import { Side } from '../../core/fix.ts';
import { amount, ticks } from '../../core/units.ts';
import { Problem } from '../problem.ts';
import {
  acknowledgement,
  checksumText,
  errorMessage,
  heartbeatMessage,
  type Ladder,
  ladderChanges,
  ladderOf,
  ladderText,
} from './messages.ts';

/** Tick 0.01, lot 0.000001. */
const venue = new Venue({ users: 1 });
const instrument = venue.exchange.state.instruments[BTC_USDT]!;
const ladder = (levels: readonly (readonly [number, number])[]): Ladder => ({
  prices: levels.map(([price]) => ticks(price)),
  quantities: levels.map(([, quantity]) => amount(quantity)),
});

test('changes of bids and asks, best first', () => {
  const before = ladder([
    [300, 1],
    [200, 2],
    [100, 3],
  ]);
  const now = ladder([
    [400, 9],
    [300, 1],
    [200, 5],
  ]);
  expect(ladderChanges(instrument, Side.buy, before, now)).toBe('[4,0.000009],[2,0.000005],[1,0]');
  const asks = ladder([
    [100, 3],
    [200, 2],
    [300, 1],
  ]);
  const moved = ladder([
    [200, 2],
    [250, 4],
    [300, 1],
  ]);
  expect(ladderChanges(instrument, Side.sell, asks, moved)).toBe('[1,0],[2.5,0.000004]');
  expect(ladderChanges(instrument, Side.sell, asks, asks)).toBe('');
  expect(ladderChanges(instrument, Side.sell, asks, ladder([]))).toBe('[1,0],[2,0],[3,0]');
});

test('a quantity beyond a safe integer is written exactly, and compared', () => {
  const huge = { prices: [ticks(100)], quantities: [amount(2n ** 70n)] };
  const more = { prices: [ticks(100)], quantities: [amount(2n ** 70n + 1n)] };
  expect(ladderText(instrument, huge)).toBe('[1,1180591620717411.303424]');
  expect(ladderChanges(instrument, Side.buy, huge, more)).toBe('[1,1180591620717411.303425]');
  expect(ladderChanges(instrument, Side.buy, huge, { ...huge })).toBe('');
});

test('a ladder is the best levels of the book, the checksum text ten of each', () => {
  for (let i = 0; i < 12; i++) venue.buy(1, 1000 - i, i + 1);
  venue.sell(1, 1100, 7);
  const bids = ladderOf(instrument, Side.buy, 20);
  expect(bids.prices.map(Number)).toEqual(Array.from({ length: 12 }, (_, i) => 1000 - i));
  expect(ladderOf(instrument, Side.buy, 2).prices.map(Number)).toEqual([1000, 999]);
  const text = checksumText(instrument, bids, ladderOf(instrument, Side.sell, 20));
  expect(text.startsWith('10:0.000001,9.99:0.000002,')).toBe(true);
  expect(text.endsWith(',9.91:0.00001|11:0.000007')).toBe(true);
});

test('frames name the subscription and the request', () => {
  const subject = { channel: 'orderbook', symbol: 'BTC-USDT', depth: 5, interval: null } as const;
  expect(acknowledgement('subscribed', subject, 'a"b')).toBe(
    '{"op":"subscribed","channel":"orderbook","symbol":"BTC-USDT","depth":5,"id":"a\\"b"}',
  );
  expect(JSON.parse(errorMessage(new Problem('resumeTooOld'), 3))).toMatchObject({
    op: 'error',
    code: '100601',
    id: 3,
  });
  expect(JSON.parse(heartbeatMessage(9, 8, [{ subject, seq: 7 }]))).toEqual({
    channel: 'heartbeat',
    seq: 9,
    transactTime: 8,
    channels: [{ channel: 'orderbook', symbol: 'BTC-USDT', depth: 5, seq: 7 }],
  });
});
