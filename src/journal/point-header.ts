// The 64 bytes that say where in the hash chain a file stands: the header of every segment, and all
// of the base. Integers are little-endian:
//
//    0  8    magic
//    8  u32  format version
//   12  u32  zero
//   16  u64  seq of the next record
//   24  32   chain hash before that record
//   56  u32  zero
//   60  u32  CRC-32 of bytes 0 to 60
import { corrupt, type JournalError } from './journal.ts';
import { type ChainPoint, sameBytes } from './record.ts';

export const POINT_HEADER_BYTES = 64;
const FORMAT_VERSION = 1;
const TWO_TO_32 = 0x1_0000_0000;

export function encodePointHeader(magic: string, point: ChainPoint): Uint8Array {
  const bytes = new Uint8Array(POINT_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(magic));
  view.setUint32(8, FORMAT_VERSION, true);
  view.setUint32(16, point.nextSeq % TWO_TO_32, true);
  view.setUint32(20, Math.floor(point.nextSeq / TWO_TO_32), true);
  bytes.set(point.chainHash, 24);
  view.setUint32(60, Bun.hash.crc32(bytes.subarray(0, 60)), true);
  return bytes;
}

/** Throws `corrupt` when the bytes at the start of `file` are no point header with this magic. */
export function decodePointHeader(magic: string, bytes: Uint8Array, file: string): ChainPoint {
  if (bytes.length < POINT_HEADER_BYTES) throw damagedHeader(file, 'is too short for its header');
  if (!sameBytes(bytes.subarray(0, magic.length), new TextEncoder().encode(magic))) {
    throw damagedHeader(file, 'does not begin as a file of the journal does');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(60, true) !== Bun.hash.crc32(bytes.subarray(0, 60))) {
    throw damagedHeader(file, 'has a damaged header');
  }
  const version = view.getUint32(8, true);
  if (version !== FORMAT_VERSION) {
    const message =
      `${file} has the journal format ${version} and this program reads ${FORMAT_VERSION}; ` +
      'start it with the version of agio that wrote it.';
    throw corrupt(message, file, 8);
  }
  const nextSeq = view.getUint32(16, true) + view.getUint32(20, true) * TWO_TO_32;
  return { nextSeq, chainHash: bytes.slice(24, 56) };
}

export function damagedHeader(file: string, what: string): JournalError {
  const message = `${file} ${what}; restore the file from a backup.`;
  return corrupt(message, file, 0);
}
