// Everything that is written is read back as it was: integers and amounts around every change of
// their form, texts of any alphabet, and nothing from bytes that are cut short.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BinaryReader, BinaryWriter } from './binary.ts';
import { amount } from './units.ts';

/** Writes values, and reads each back alone. */
function expectSame<T>(
  values: fc.Arbitrary<T>,
  write: (out: BinaryWriter, value: T) => void,
  read: (input: BinaryReader) => T,
): void {
  fc.assert(
    fc.property(values, (value) => {
      const out = new BinaryWriter(1);
      write(out, value);
      const input = new BinaryReader(out.view());
      expect(read(input)).toBe(value);
      expect(input.atEnd).toBe(true);
    }),
    { numRuns: 2_000 },
  );
}

const safe = fc.oneof(
  fc.maxSafeNat(),
  fc
    .tuple(fc.nat(52), fc.integer({ min: -2, max: 2 }))
    .map(([n, off]) => Math.max(0, 2 ** n + off)),
  fc.constant(Number.MAX_SAFE_INTEGER),
);

describe('reads back what it writes', () => {
  test('integers', () => {
    expectSame(
      safe,
      (out, n) => out.integer(n),
      (input) => input.integer(),
    );
  });

  test('amounts of any size and sign, in their one form', () => {
    const border = fc.constantFrom(2n ** 53n, -(2n ** 53n), 2n ** 64n, 0n);
    const near = fc.tuple(border, fc.bigInt(-2n, 2n)).map(([at, off]) => at + off);
    expectSame(
      fc.oneof(fc.bigInt(), near).map(amount),
      (out, n) => out.amount(n),
      (input) => input.amount(),
    );
  });

  test('texts, also with a byte order mark, of every length of the short forms', () => {
    const long = fc.string({ unit: 'grapheme', minLength: 0, maxLength: 300 });
    const ascii = fc.nat(200).map((n) => 'x'.repeat(n));
    const marked = fc.string({ unit: 'grapheme' }).map((text) => `\ufeff${text}`);
    expectSame(
      fc.oneof(long, ascii, marked),
      (out, text) => out.text(text),
      (input) => input.text(),
    );
  });

  test('a mixed sequence, with memory that is used again', () => {
    const out = new BinaryWriter(4);
    for (let round = 0; round < 3; round++) {
      out.reset();
      out.boolean(true);
      out.bytes(new Uint8Array([1, 2, 3]));
      out.text('ü');
      out.raw(new Uint8Array([9]));
      const input = new BinaryReader(out.view());
      expect(input.boolean()).toBe(true);
      expect([...input.bytes()]).toEqual([1, 2, 3]);
      expect(input.text()).toBe('ü');
      expect([...input.raw(1)]).toEqual([9]);
      expect(input.atEnd).toBe(true);
    }
  });
});

describe('rejects incomplete values', () => {
  test('bytes that end too early', () => {
    const out = new BinaryWriter();
    out.integer(300);
    out.amount(amount(10n ** 30n));
    out.text('a longer text with an ü');
    const bytes = out.view().slice();
    for (let length = 0; length < bytes.length; length++) {
      const input = new BinaryReader(bytes.subarray(0, length));
      expect(() => [input.integer(), input.amount(), input.text()]).toThrow('complete');
    }
  });

  test('integers that are not safe and natural', () => {
    for (const n of [-1, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => new BinaryWriter().integer(n)).toThrow('natural');
    }
    for (const n of [-1, 0.5, 256, Number.NaN]) {
      expect(() => new BinaryWriter().byte(n)).toThrow('below 256');
    }
  });
});
