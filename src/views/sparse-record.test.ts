// Sparse records: every value comes back, and equal records have the same bytes.
import { describe, expect, test } from 'bun:test';
import { BinaryReader, BinaryWriter } from '../core/binary.ts';
import { boolean, code, integer, nullable } from '../core/codec.ts';
import { SelfTradePrevention } from '../core/fix.ts';
import { type Bracket, NO_EXTRAS, ORDER_EXTRAS, type OrderExtras } from '../core/order-extras.ts';
import { ticks } from '../core/units.ts';
import { SparseRecord } from './sparse-record.ts';

const FIELDS = {
  id: integer,
  isOpen: boolean,
  isSmall: boolean,
  reason: nullable(code<number>()),
  extras: ORDER_EXTRAS,
};
const RECORD = new SparseRecord(FIELDS, { extras: NO_EXTRAS, isOpen: true });
const EMPTY = { id: 0, isOpen: true, isSmall: false, reason: null, extras: NO_EXTRAS };
const BRACKET: Bracket = {
  takeProfitPx: ticks(0),
  stopPx: ticks(90),
  stopLimitPx: ticks(0),
  trail: 0,
};

function bytesOf(record: object): Uint8Array {
  const out = new BinaryWriter();
  RECORD.write(out, record as typeof EMPTY);
  return out.view().slice();
}
const readBack = (record: object): object => RECORD.read(new BinaryReader(bytesOf(record)));

describe('a sparse record', () => {
  test.each([
    ['expected values', EMPTY],
    ['other booleans', { ...EMPTY, isOpen: false, isSmall: true }],
    ['a value in place of null', { ...EMPTY, id: 2 ** 40, reason: 0 }],
    ['extras', { ...EMPTY, extras: { ...NO_EXTRAS, trail: -7 } }],
    [
      'a value in place of one that is not 0',
      { ...EMPTY, extras: { ...NO_EXTRAS, timeInForce: 3 } },
    ],
    [
      'records in extras',
      {
        ...EMPTY,
        extras: {
          ...NO_EXTRAS,
          selfTradePrevention: SelfTradePrevention.none,
          bracket: BRACKET,
        },
      },
    ],
  ])('comes back with %s', (_, record) => {
    expect(readBack(record)).toEqual(record);
  });

  test('has one byte if its values are the expected ones, which the reader shares', () => {
    expect(bytesOf(EMPTY)).toHaveLength(1);
    expect((readBack(EMPTY) as { readonly extras: OrderExtras }).extras).toBe(NO_EXTRAS);
  });

  test('has the same bytes for an equal member that is another object', () => {
    expect(bytesOf({ ...EMPTY, extras: { ...NO_EXTRAS } })).toEqual(bytesOf(EMPTY));
  });
});
