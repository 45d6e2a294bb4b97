// Pins the bytes of the format: journals that were written yesterday have to be read for ever, and
// a change that breaks one of these needs a new format version.
import { describe, expect, test } from 'bun:test';
import { payloadOf } from '../../test/support/journal-contract.ts';
import {
  decodeRecords,
  encodeRecord,
  findRecord,
  genesisHash,
  nextChainHash,
  recordBytes,
} from './record.ts';
import { encodeSegmentHeader } from './segment.ts';

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
  test('has exactly these bytes', () => {
    const bytes = encoded();
    expect(bytes.toHex()).toBe(
      '5471fc400b000000050000000001000003000000070000000102030405060708' +
        '090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2020272e353c434a51' +
        '585f660000000000',
    );
    const checksum = new DataView(bytes.buffer).getUint32(0, true);
    expect(Bun.hash.crc32(bytes.subarray(4))).toBe(checksum);
  });

  test('has exactly this chain hash, however it is computed', () => {
    const bytes = encoded();
    const hash = new Bun.CryptoHasher('sha256').update(bytes.subarray(4, 56 + 11)).digest();
    expect(nextChainHash(PREVIOUS, BATCH)).toEqual(new Uint8Array(hash));
    expect(encodeRecord(bytes, BATCH, PREVIOUS)).toEqual(new Uint8Array(hash));
    expect(nextChainHash(genesisHash(), BATCH).toHex()).toBe(
      '5379f137717f0859565d5e28f4de1ea6546129990140fbb987fe4d666f4c60ce',
    );
  });

  test('is decoded to the encoded values', () => {
    const bytes = encoded();
    const group = decodeRecords(bytes, START, bytes.length, NO_END);
    const chainHash = nextChainHash(PREVIOUS, BATCH);
    expect(group.records).toEqual([{ ...BATCH, chainHash }]);
    expect(group.consumed).toBe(bytes.length);
    expect(group.next).toEqual({ nextSeq: BATCH.firstSeq + 3, chainHash });
  });

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

test('a segment header has exactly these bytes', () => {
  expect(encodeSegmentHeader(START).toHex()).toBe(
    '4147494f4a524e4c010000000000000005000000000100000102030405060708' +
      '090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2000000000a3cae57f',
  );
});
