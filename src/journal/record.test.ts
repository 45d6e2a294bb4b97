// The fields of a record's bytes; test/journals pins the format by recorded journals.
import { describe, expect, test } from 'bun:test';
import { payloadOf } from '../../test/support/journal-contract.ts';
import { decodeRecords, encodeRecord, findRecord, genesisHash, recordBytes } from './record.ts';

const BATCH = { firstSeq: 2 ** 40 + 5, count: 3, epoch: 7, payload: payloadOf(1, 11) };
const PREVIOUS = Uint8Array.from({ length: 32 }, (_, i) => i + 1);
const START = { nextSeq: BATCH.firstSeq, chainHash: PREVIOUS };
const NO_END = Number.POSITIVE_INFINITY;

function encoded(): Uint8Array {
  // Old bytes must not show through the padding.
  const bytes = new Uint8Array(recordBytes(BATCH.payload.length)).fill(0xff);
  encodeRecord(bytes, BATCH, PREVIOUS);
  return bytes;
}

describe('a record', () => {
  test('that continues in later bytes asks for them, and beyond the file it is unreadable', () => {
    const bytes = encoded();
    for (let length = 0; length < bytes.length; length++) {
      const part = bytes.subarray(0, length);
      const needed = length < 56 ? 56 : bytes.length;
      expect(decodeRecords(part, START, bytes.length, NO_END)).toMatchObject({
        stop: 'short',
        needed,
      });
      expect(decodeRecords(part, START, length, NO_END)).toMatchObject({ stop: 'unreadable' });
    }
  });

  test('of another place in the chain differs from a damaged one', () => {
    const bytes = encoded();
    const other = { nextSeq: BATCH.firstSeq, chainHash: genesisHash() };
    const early = { nextSeq: BATCH.firstSeq - 1, chainHash: PREVIOUS };
    expect(decodeRecords(bytes, other, bytes.length, NO_END).stop).toBe('misplaced');
    expect(decodeRecords(bytes, early, bytes.length, NO_END).stop).toBe('misplaced');
    expect(decodeRecords(bytes, START, bytes.length, BATCH.firstSeq + 1).stop).toBe('enough');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = bytes.slice();
      damaged[bit >> 3] ^= 1 << (bit & 7);
      const { records, stop } = decodeRecords(damaged, START, damaged.length, NO_END);
      expect(records).toEqual([]);
      expect(stop).toBe('unreadable');
    }
  });

  test('is found behind whatever lies before it, unless it is older than asked for', () => {
    const bytes = encoded();
    const tail = new Uint8Array(64 + bytes.length + 24).fill(0xa5);
    tail.set(bytes, 64);
    expect(findRecord(tail, BATCH.firstSeq)).toBe(64);
    expect(findRecord(tail, BATCH.firstSeq + 1)).toBe(-1);
    expect(findRecord(tail.fill(0), 1)).toBe(-1);
  });
});
