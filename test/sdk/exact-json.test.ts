// The lossless reader of answers against JSON.parse: both agree on everything except numbers.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseExact } from '../../src/sdk/exact-json.ts';

describe('numbers', () => {
  test.each([
    ['{"price":60000.01}', { price: '60000.01' }],
    ['{"price":60000}', { price: '60000' }],
    [
      '{"bids":[[60000.010,1e3],[0.000000001,-0]]}',
      {
        bids: [
          ['60000.010', '1e3'],
          ['0.000000001', '-0'],
        ],
      },
    ],
    ['{"amount":123456789012345678901234.5}', { amount: '123456789012345678901234.5' }],
    ['{"orderId":7,"transactTime":1795237741922}', { orderId: 7, transactTime: 1795237741922 }],
    ['{"moduleIds":[5,6]}', { moduleIds: [5, 6] }],
    [
      '{"details":{"limit":0.01,"value":60000.005}}',
      { details: { limit: '0.01', value: '60000.005' } },
    ],
    ['[1.50]', ['1.50']],
  ])('%s', (text, value) => expect<unknown>(parseExact(text)).toEqual(value));

  test('an id that a double cannot hold stays text', () => {
    expect<unknown>(parseExact('{"orderId":9007199254740993}')).toEqual({
      orderId: '9007199254740993',
    });
    expect<unknown>(parseExact('{"orderId":1.5}')).toEqual({ orderId: '1.5' });
  });
});

/** The values that the reader returns: a number outside of integer fields is a text. */
const asTexts = (value: unknown): unknown => {
  if (typeof value === 'number') return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asTexts(member)]));
};

test('structure, texts and words are those of JSON.parse', () => {
  const names = fc.string({ unit: 'grapheme' }).map((name) => `x${name}`);
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, true, false),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(names, tie('value'), { maxKeys: 5 }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2, '\t'), (any, indent) => {
      const text = JSON.stringify(any, null, indent);
      expect<unknown>(parseExact(text)).toEqual(asTexts(JSON.parse(text)));
    }),
    { numRuns: 2000 },
  );
});

test('what JSON.parse rejects is rejected', () => {
  const alphabet = fc.constantFrom(...'{}[]",:\\ntrue0123.-eE \n\u0001');
  fc.assert(
    fc.property(fc.string({ unit: alphabet, maxLength: 12 }), (text) => {
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      let isRead = true;
      try {
        parseExact(text);
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
        isRead = false;
      }
      expect({ text, isRead }).toEqual({ text, isRead: isJson });
    }),
    { numRuns: 20_000 },
  );
});

test('a hostile answer is rejected without harm', () => {
  expect(() => parseExact('['.repeat(100_000))).toThrow(SyntaxError);
  const read = parseExact('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  expect(read.polluted).toBeUndefined();
});
