// The binary form of one record and the hash chain through all of them. Every journal computes the
// chain with this file, so that the same batches give the same chain hash wherever they are kept.
// Nothing here touches a disk.
//
// A record, all integers little-endian, padded with zeros to a multiple of 8 bytes:
//
//    0  u32  CRC-32 of everything after it, padding included
//    4  u32  length of the payload
//    8  u64  first seq
//   16  u32  number of commands
//   20  u32  epoch
//   24  32   chain hash of the record before this one
//   56       payload
//
// The chain hash of a record is the SHA-256 of its bytes from 4 to the end of the payload. The
// checksum comes first so that checksum and hash each cover one contiguous run that includes the
// length.
import { assert } from '../core/assert.ts';
import type { JournalBatch, JournalRecord } from './journal.ts';
import { MAX_PAYLOAD_BYTES } from './rules.ts';

const RECORD_HEADER_BYTES = 56;
/** Records start at multiples of this, so that a search for one need not look at every byte. */
const RECORD_ALIGNMENT = 8;
const CHAIN_HASH_BYTES = 32;

const TWO_TO_32 = 0x1_0000_0000;
/** The high half of the largest safe integer: a seq beyond it was never written by a journal. */
const MAX_SEQ_HIGH = 0x1f_ffff;

export function genesisHash(): Uint8Array {
  return new Uint8Array(CHAIN_HASH_BYTES);
}

/** The bytes that a record with a payload of `payloadLength` occupies. */
export function recordBytes(payloadLength: number): number {
  const plain = RECORD_HEADER_BYTES + payloadLength;
  return Math.ceil(plain / RECORD_ALIGNMENT) * RECORD_ALIGNMENT;
}

/** Writes bytes 4 to 56 of a record: what the chain hash covers before the payload. */
function writeFields(into: Uint8Array, batch: JournalBatch, previousHash: Uint8Array): void {
  const view = new DataView(into.buffer, into.byteOffset, RECORD_HEADER_BYTES);
  view.setUint32(4, batch.payload.length, true);
  view.setUint32(8, batch.firstSeq % TWO_TO_32, true);
  view.setUint32(12, Math.floor(batch.firstSeq / TWO_TO_32), true);
  view.setUint32(16, batch.count, true);
  view.setUint32(20, batch.epoch, true);
  into.set(previousHash, 24);
}

/** Fills `into`, which is exactly as long as the record, and returns the record's chain hash. */
export function encodeRecord(
  into: Uint8Array,
  batch: JournalBatch,
  previousHash: Uint8Array,
): Uint8Array {
  const end = RECORD_HEADER_BYTES + batch.payload.length;
  assert(into.length === recordBytes(batch.payload.length), 'a record fills its bytes exactly');
  writeFields(into, batch, previousHash);
  into.set(batch.payload, RECORD_HEADER_BYTES);
  into.fill(0, end);
  const checksum = Bun.hash.crc32(into.subarray(4));
  new DataView(into.buffer, into.byteOffset, 4).setUint32(0, checksum, true);
  return sha256(into.subarray(4, end));
}

/** The chain hash of `batch` after `previousHash`, for journals that keep no record bytes. */
export function nextChainHash(previousHash: Uint8Array, batch: JournalBatch): Uint8Array {
  const fields = new Uint8Array(RECORD_HEADER_BYTES);
  writeFields(fields, batch, previousHash);
  return new Bun.CryptoHasher('sha256').update(fields.subarray(4)).update(batch.payload).digest();
}

/** A place in the chain: the seq that comes next and the hash of everything before it. */
export interface ChainPoint {
  readonly nextSeq: number;
  readonly chainHash: Uint8Array;
}

/** Why decoding stopped, always at the first byte after the last decoded record. */
export type DecodeStop =
  /** The bytes ended inside a record that may well be whole; `needed` bytes hold it. */
  | 'short'
  /** No record starts here: blank, torn or damaged bytes. */
  | 'unreadable'
  /** A whole record with a good checksum that does not belong here. */
  | 'misplaced'
  /** The next record lies beyond what was asked for. */
  | 'enough';

interface DecodedGroup {
  readonly records: JournalRecord[];
  /** The bytes that the decoded records occupy. */
  readonly consumed: number;
  readonly stop: DecodeStop;
  /** With `short`, the bytes that the first undecoded record needs. */
  readonly needed: number;
  readonly next: ChainPoint;
}

/**
 * Decodes the records at the start of `bytes` that continue the chain from `from`, up to `uptoSeq`.
 * The file has `room` bytes from there on: a longer length is damage. Payloads are views on
 * `bytes`.
 */
export function decodeRecords(
  bytes: Uint8Array,
  from: ChainPoint,
  room: number,
  uptoSeq: number,
): DecodedGroup {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const records: JournalRecord[] = [];
  let { nextSeq, chainHash } = from;
  let at = 0;
  const stopped = (stop: DecodeStop, needed = 0): DecodedGroup => {
    return { records, consumed: at, stop, needed, next: { nextSeq, chainHash } };
  };
  for (;;) {
    if (at + RECORD_HEADER_BYTES > bytes.length) {
      const fits = at + RECORD_HEADER_BYTES <= room;
      return fits ? stopped('short', RECORD_HEADER_BYTES) : stopped('unreadable');
    }
    const length = view.getUint32(at + 4, true);
    if (length === 0 || length > MAX_PAYLOAD_BYTES) return stopped('unreadable');
    const total = recordBytes(length);
    if (at + total > room) return stopped('unreadable');
    if (at + total > bytes.length) return stopped('short', total);
    const checksum = view.getUint32(at, true);
    if (Bun.hash.crc32(bytes.subarray(at + 4, at + total)) !== checksum)
      return stopped('unreadable');
    const firstSeq = view.getUint32(at + 8, true) + view.getUint32(at + 12, true) * TWO_TO_32;
    const previous = bytes.subarray(at + 24, at + RECORD_HEADER_BYTES);
    if (firstSeq !== nextSeq || !sameBytes(previous, chainHash)) return stopped('misplaced');
    const count = view.getUint32(at + 16, true);
    const epoch = view.getUint32(at + 20, true);
    if (firstSeq + count - 1 > uptoSeq) return stopped('enough');
    const end = at + RECORD_HEADER_BYTES + length;
    chainHash = sha256(bytes.subarray(at + 4, end));
    nextSeq = firstSeq + count;
    records.push({
      firstSeq,
      count,
      epoch,
      payload: bytes.subarray(at + RECORD_HEADER_BYTES, end),
      chainHash,
    });
    at += total;
  }
}

/**
 * Where a whole record with a seq from `minSeq` on starts in `bytes`, or -1. It tells damage from a
 * torn end: one append is in flight at a time, so a crash leaves no good record after a bad one.
 */
export function findRecord(bytes: Uint8Array, minSeq: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + RECORD_HEADER_BYTES < bytes.length; at += RECORD_ALIGNMENT) {
    const length = view.getUint32(at + 4, true);
    if (length === 0 || length > MAX_PAYLOAD_BYTES) continue;
    const total = recordBytes(length);
    if (at + total > bytes.length) continue;
    const seqHigh = view.getUint32(at + 12, true);
    if (seqHigh > MAX_SEQ_HIGH) continue;
    if (seqHigh * TWO_TO_32 + view.getUint32(at + 8, true) < minSeq) continue;
    if (Bun.hash.crc32(bytes.subarray(at + 4, at + total)) === view.getUint32(at, true)) return at;
  }
  return -1;
}

function sha256(bytes: Uint8Array): Uint8Array {
  const hash = new Uint8Array(CHAIN_HASH_BYTES);
  Bun.SHA256.hash(bytes, hash);
  return hash;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
