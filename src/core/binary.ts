// A growable byte writer and its reader: the one binary form of everything durable (commands in the
// journal, snapshots). Integers are variable-length, seven bits a byte, low bits first.
import { assert } from './assert.ts';
import { type Amount, amount } from './units.ts';

/** The values below it take four bytes of an encoded integer at most. */
const TWO_28 = 2 ** 28;

const encoder = new TextEncoder();
// A byte order mark at the start of a text is part of it; the decoder would drop it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class BinaryWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  reset(): void {
    this.#length = 0;
  }

  /** A view of what was written, valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(extra: number): void {
    const needed = this.#length + extra;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }

  byte(value: number): void {
    assert((value & 0xff) === value, 'an encoded byte is a natural number below 256');
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  boolean(value: boolean): void {
    this.byte(value ? 1 : 0);
  }

  integer(value: number): void {
    const valid = value >= 0 && Number.isSafeInteger(value);
    assert(valid, 'an encoded integer is a safe natural number');
    this.#reserve(8);
    const bytes = this.#bytes;
    let at = this.#length;
    let rest = value;
    // Shifts are of 32 bits, so four bytes are split off first.
    if (rest >= TWO_28) {
      rest = Math.floor(value / TWO_28);
      const low = value - rest * TWO_28;
      bytes[at] = low | 0x80;
      bytes[at + 1] = (low >>> 7) | 0x80;
      bytes[at + 2] = (low >>> 14) | 0x80;
      bytes[at + 3] = (low >>> 21) | 0x80;
      at += 4;
    }
    while (rest >= 0x80) {
      bytes[at++] = rest | 0x80;
      rest >>>= 7;
    }
    bytes[at++] = rest;
    this.#length = at;
  }

  /** An integer of any size and sign. */
  amount(value: Amount): void {
    const negative = value < 0;
    if (typeof value === 'number') {
      this.byte(negative ? 1 : 0);
      this.integer(negative ? -value : value);
      return;
    }
    this.byte(negative ? 3 : 2);
    this.text((negative ? -(value as bigint) : (value as bigint)).toString(16));
  }

  text(value: string): void {
    const length = value.length;
    this.#reserve(8 + length * 3);
    // Nearly all text here is short ASCII: one pass writes it.
    if (length < 0x80) {
      const start = this.#length;
      const bytes = this.#bytes;
      let i = 0;
      for (; i < length; i++) {
        const code = value.charCodeAt(i);
        if (code >= 0x80) break;
        bytes[start + 1 + i] = code;
      }
      if (i === length) {
        bytes[start] = length;
        this.#length = start + 1 + length;
        return;
      }
    }
    this.bytes(encoder.encode(value));
  }

  bytes(value: Uint8Array): void {
    this.integer(value.length);
    this.raw(value);
  }

  /** Bytes without a length before them. */
  raw(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }
}

export class BinaryReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    assert(this.#at < this.#bytes.length, 'encoded bytes are complete');
    return this.#bytes[this.#at++];
  }

  boolean(): boolean {
    const byte = this.byte();
    assert(byte <= 1, 'an encoded flag is 0 or 1');
    return byte === 1;
  }

  integer(): number {
    let value = this.byte();
    if (value < 0x80) return value;
    value &= 0x7f;
    // As in the writer, shifts reach no further than four bytes.
    for (let shift = 7; shift < 28; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    for (let scale = TWO_28; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    assert(value <= Number.MAX_SAFE_INTEGER, 'an encoded integer is safe');
    return value;
  }

  amount(): Amount {
    const form = this.byte();
    if (form < 2) {
      const magnitude = this.integer();
      return amount(form === 1 ? -magnitude : magnitude);
    }
    const magnitude = BigInt(`0x${this.text()}`);
    return amount(form === 3 ? -magnitude : magnitude);
  }

  text(): string {
    const length = this.integer();
    const end = this.#at + length;
    assert(end <= this.#bytes.length, 'encoded bytes are complete');
    if (length < 48) {
      let text = '';
      let i = this.#at;
      for (; i < end; i++) {
        const code = this.#bytes[i];
        if (code >= 0x80) break;
        text += String.fromCharCode(code);
      }
      if (i === end) {
        this.#at = end;
        return text;
      }
    }
    const text = decoder.decode(this.#bytes.subarray(this.#at, end));
    this.#at = end;
    return text;
  }

  bytes(): Uint8Array {
    return this.raw(this.integer());
  }

  /** All bytes that are left, a view on the source. */
  rest(): Uint8Array {
    return this.raw(this.#bytes.length - this.#at);
  }

  /** The next `length` bytes, a view on the source. */
  raw(length: number): Uint8Array {
    const end = this.#at + length;
    assert(end <= this.#bytes.length, 'encoded bytes are complete');
    const view = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return view;
  }
}
