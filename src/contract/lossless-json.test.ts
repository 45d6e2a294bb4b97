// The reader against JSON.parse on valid texts, and against each thing that it must reject.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { JsonValue } from './json.ts';
import { JsonNumber } from './json.ts';
import { MAX_DEPTH, MAX_MEMBERS, parseBody } from './lossless-json.ts';
import { Problem } from './problem.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseBody(bytes(text));

function rejection(input: string | Uint8Array): Problem {
  try {
    parseBody(typeof input === 'string' ? bytes(input) : input);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('the body was accepted');
}

/** The value with numbers as doubles, to be compared with JSON.parse. */
function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.source);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

describe('numbers keep their text', () => {
  test.each([
    '0.1',
    '1.50',
    '-0',
    '1e3',
    '12345678901234567890.123456789',
    '0.10000000000000000001',
  ])('%s', (source) => {
    expect(parse(`{"n":${source}}`)).toEqual({ n: new JsonNumber(source) });
    expect(parse(`[[${source} ]]`)).toEqual([[new JsonNumber(source)]]);
    expect(parse(source)).toEqual(new JsonNumber(source));
  });
});

test('valid bodies read like JSON.parse', () => {
  const body = fc.jsonValue({ maxDepth: 5, noUnicodeString: false }).filter((value) => {
    const text = JSON.stringify(value);
    return !/\\u(0000|d[89a-f])/.test(text) && (text.match(/:/g) ?? []).length <= MAX_MEMBERS;
  });
  fc.assert(
    fc.property(body, fc.constantFrom(undefined, 1), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(plain(parse(text))).toEqual(JSON.parse(text));
    }),
    { numRuns: 5000 },
  );
});

test('any text is rejected by JSON.parse too, or reads the same, or breaks a rule of ours', () => {
  const unit = fc.constantFrom(...'{}[]":,\\ 01ea.-nultrfs', '\\"', '"a":', '"a":1', '\\u00e9');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 16 }), (text) => {
      let expected: unknown;
      let valid = true;
      try {
        expected = JSON.parse(text);
      } catch {
        valid = false;
      }
      try {
        const read = plain(parse(text));
        expect(valid).toBe(true);
        expect(read).toEqual(expected);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (valid) expect(['uniqueKeys', 'depth']).toContain(error.details!.rule!);
      }
    }),
    { numRuns: 50_000 },
  );
});

describe('strings', () => {
  test('quotes, colons and braces inside them do not count', () => {
    const tricky = { 'a:b{': '\\', 'c"': '":"}', d: '\\\\"', '\\': '[[[[[[[[[[' };
    expect(parse(JSON.stringify(tricky))).toEqual(tricky);
  });

  test('half of a surrogate pair is rejected in values and keys; a whole one is not', () => {
    expect(rejection('{"a":"\\ud83d"}').details!.rule).toBe('utf8');
    expect(rejection('{"\\ude00":1}').details!.rule).toBe('utf8');
    expect(parse('{"a":"\\ud83d\\ude00"}')).toEqual({ a: '😀' });
  });

  test('U+0000 is rejected, raw and escaped', () => {
    expect(rejection('{"a":"\\u0000"}').details!.rule).toBe('characters');
    expect(rejection('{"a":"\0"}').details!.rule).toBe('syntax');
    expect(rejection('{"a":1}\0').details!.rule).toBe('syntax');
  });
});

describe('keys', () => {
  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"1":1,"1":2}',
    '{"a":{"b":1,"b":[]}}',
    '[{"a":1},{"a":1,"a":2}]',
    '{"__proto__":1,"__proto__":2}',
  ])('%s repeats one', (text) => expect(rejection(text).details!.rule).toBe('uniqueKeys'));

  test('the same key in two objects is no duplicate', () => {
    expect(parse('[{"a":1},{"a":{"a":[]}}]')).toBeArrayOfSize(2);
  });

  test('__proto__ is a member like any other', () => {
    const value = parse('{"__proto__":{"admin":true},"a":1}') as Record<string, JsonValue>;
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value.admin).toBeUndefined();
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });
});

describe('limits', () => {
  test('nesting', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parse(nested(MAX_DEPTH))).not.toThrow();
    expect(rejection(nested(MAX_DEPTH + 1)).details!.rule).toBe('depth');
    expect(rejection('['.repeat(100_000)).details!.rule).toBe('depth');
  });

  test('members', () => {
    const wide = (n: number) =>
      JSON.stringify(
        Object.fromEntries(
          Array(n)
            .fill(0)
            .map((_, i) => [`k${i}`, i]),
        ),
      );
    expect(() => parse(wide(MAX_MEMBERS))).not.toThrow();
    expect(rejection(wide(MAX_MEMBERS + 1)).details!.rule).toBe('members');
  });
});

describe('bytes', () => {
  test('that are not UTF-8 are rejected', () => {
    expect(rejection(new Uint8Array([0x22, 0xff, 0x22])).details!.rule).toBe('utf8');
    expect(rejection(new Uint8Array([0x22, 0xc0, 0x80, 0x22])).details!.rule).toBe('utf8');
    expect(rejection(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])).details!.rule).toBe('utf8');
  });

  test('with a byte order mark are rejected by name', () => {
    expect(rejection('\ufeff{}').userMsg).toContain('byte order mark');
  });

  test('a part of a larger buffer is read as it stands', () => {
    const large = bytes('xx{"a":1}yy');
    expect(parseBody(large.subarray(2, 9))).toEqual({ a: new JsonNumber('1') });
  });
});

test('each rejection is a 400 with a reason', () => {
  for (const text of [
    '',
    ' ',
    '{',
    '{"a"}',
    "{'a':1}",
    '{"a":01}',
    '{"a":NaN}',
    '{}{}',
    '{"a":1,}',
  ]) {
    const problem = rejection(text);
    expect(problem.http).toBe(400);
    expect(problem.code).toBe('100200');
    expect(problem.userMsg).toMatch(/^Invalid body\. It must .+\.$/);
    expect(problem.userMsg.length).toBeLessThan(200);
  }
  expect(rejection('{"password": hunter2}').userMsg).not.toContain('hunter2');
  // A failed read leaves nothing behind for the next one.
  expect(parse('{"a":"b"}')).toEqual({ a: 'b' });
});
