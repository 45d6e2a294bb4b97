// The queue of a port counts writes. Filled with the largest writes, it is bounded in bytes too.
import { expect, test } from 'bun:test';
import { ocoOf } from '../../test/support/order-types.ts';
import { BinaryWriter } from '../core/binary.ts';
import type { MassCancel, OrderBatch, PlaceOco } from '../core/command.ts';
import { encodeCommand } from '../core/command-form.ts';
import { Side } from '../core/fix.ts';
import { MAX_INTEGER } from '../core/units.ts';
import { Backlog, WRITE_BYTES } from './backlog.ts';

const LIMIT = 4096;

const signature = { keyId: 2 ** 31, timestamp: 2 ** 41, digestHigh: 2 ** 31, digestLow: 2 ** 31 };
const idempotency = { key: 'k'.repeat(128), digest: 'd'.repeat(32) };

function largestOco(): PlaceOco {
  const numbers = { uid: 2 ** 31, side: Side.buy, price: 2 ** 50, stopPx: 2 ** 50 };
  const more = { clOrdId: 'o'.repeat(64), stopClOrdId: 's'.repeat(64), signature, idempotency };
  return { ...ocoOf({ ...numbers, orderQty: MAX_INTEGER }), ...more };
}

const bytesOf = (command: OrderBatch | PlaceOco): number => {
  const out = new BinaryWriter();
  encodeCommand(out, command);
  return out.length;
};

test.each([1, 50])(
  'a queue of the largest writes, %d a command, has a bound in bytes',
  (writes) => {
    const oco = largestOco();
    const { uid, ...entry } = oco;
    const entries = Array.from({ length: writes }, () => entry);
    const batch = { type: 'orderBatch', uid, entries, signature, idempotency } as OrderBatch;
    const command = writes === 1 ? oco : batch;
    expect(bytesOf(command)).toBeLessThanOrEqual(writes * WRITE_BYTES);
    const backlog = new Backlog(LIMIT);
    let bytes = 0;
    for (; backlog.hasRoomFor(command); backlog.add(command)) bytes += bytesOf(command);
    expect(backlog.writes).toBeLessThan(LIMIT + writes);
    expect(bytes).toBeLessThan((LIMIT + writes) * WRITE_BYTES);
  },
);

test('commands that are held back leave room for all others', () => {
  const order = largestOco();
  const cancel = { type: 'massCancel' } as MassCancel;
  const backlog = new Backlog(LIMIT);
  for (; backlog.hasRoomFor(order, true); backlog.add(order));
  expect(backlog.writes).toBe(LIMIT / 2);
  for (; backlog.hasRoomFor(cancel, true); backlog.add(cancel));
  expect(backlog.writes).toBe((LIMIT / 4) * 3);
  expect(backlog.hasRoomFor(order)).toBe(true);
});
