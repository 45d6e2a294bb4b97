// The state of each channel after its messages.
import { expect, test } from 'bun:test';
import type { DataMessage } from '../../src/sdk/generated/types.ts';
import { OrdStatus } from '../../src/sdk/index.ts';
import type { Streams } from '../../src/sdk/streams.ts';
import { StreamSubscription, type Subject } from '../../src/sdk/subscription.ts';
import type { Channel } from './channel.ts';
import { candles, orders, subscriptions, trades } from './channels.ts';

/** The state of a channel after each of the messages. */
function statesOf<S>(
  channel: Channel<S>,
  name: Subject['channel'],
  rows: readonly object[][],
): S[] {
  const line = { begin: () => {}, remove: () => {} };
  const subscription = new StreamSubscription<DataMessage>({ channel: name }, line, false);
  const streams = { [name]: () => subscription } as unknown as Streams;
  const states: S[] = [];
  channel.open(streams, (state) => states.push(state));
  subscription.noteBegun();
  rows.forEach((data, i) => {
    const frame = {
      type: i === 0 ? 'snapshot' : 'update',
      seq: i + 1,
      prevSeq: i === 0 ? null : i,
    };
    subscription.receive({ channel: name, ...frame, transactTime: 0, data } as never);
  });
  return states;
}

const order = (orderId: number, ordStatus: number) => ({ orderId, ordStatus });

test('an open order keeps its place through fills, and leaves when it closes', () => {
  const states = statesOf(orders, 'orders', [
    [order(3, 0), order(2, 0), order(1, 0)],
    [order(2, 1), order(4, 0)],
    [order(2, 2), order(3, 4), order(5, 8)],
  ]);
  expect(states.map(({ open }) => [...open.keys()])).toEqual([
    [1, 2, 3],
    [1, 2, 3, 4],
    [1, 4],
  ]);
  expect(states[1]!.open.get(2)!.ordStatus).toBe(OrdStatus.partiallyFilled);
});

test('reports are the fills and rejected exits after the snapshot, in order', () => {
  const fill = (orderId: number, execType: number) => ({ ...order(orderId, 1), execType });
  const rejected = { ...order(4, 8), execType: 8, ordType: 2 };
  const states = statesOf(orders, 'orders', [
    [fill(1, 1)],
    [fill(1, 1), fill(2, 0), fill(3, 2)],
    [fill(1, 4), rejected, { ...rejected, parentOrderId: 1, ordType: 3 }],
    [{ ...rejected, parentOrderId: 1 }],
    Array.from({ length: 120 }, (_, i) => fill(10 + i, 2)),
  ]);
  const ids = states.map(({ reports }) => reports.map(({ orderId }) => orderId));
  expect(ids.slice(0, 4)).toEqual([[], [1, 3], [1, 3], [1, 3, 4]]);
  expect([ids[4]!.length, ids[4]!.at(-1)]).toEqual([100, 129]);
});

test('trades are newest first, each once, at most a hundred', () => {
  const [, second, third] = statesOf(trades('A-B'), 'trades', [
    [{ tradeId: 1 }, { tradeId: 2 }],
    [{ tradeId: 3 }, { tradeId: 4 }],
    Array.from({ length: 120 }, (_, i) => ({ tradeId: 5 + i })),
  ]);
  expect(second!.map(({ tradeId }) => tradeId)).toEqual([4, 3, 2, 1]);
  expect(third!).toHaveLength(100);
  expect([third![0]!.tradeId, third![99]!.tradeId]).toEqual([124, 25]);
});

test('an update replaces the last candle, and the next one follows', () => {
  const candle = (openTime: number, close: string) => ({ openTime, close });
  const states = statesOf(candles('A-B', '1m'), 'candles', [
    [candle(60, '1'), candle(120, '2')],
    [candle(120, '3')],
    [candle(120, '4'), candle(180, '5')],
  ]);
  expect(states.map((list) => list.map(({ close }) => close))).toEqual([
    ['1', '2'],
    ['1', '3'],
    ['1', '4', '5'],
  ]);
});

test('a redeemed subscription leaves the list', () => {
  const row = (applyId: string, status: number) => ({ applyId, status });
  const states = statesOf(subscriptions, 'subscriptions', [
    [row('2', 0), row('1', 0)],
    [row('1', 2), row('3', 0)],
    [row('1', 3)],
  ]);
  expect(states.map((held) => [...held.keys()])).toEqual([
    ['1', '2'],
    ['1', '2', '3'],
    ['2', '3'],
  ]);
});
