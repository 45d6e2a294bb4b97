// Each field reader: what it accepts, the words and details of each rejection, and its JSON Schema.
import { describe, expect, expectTypeOf, test } from 'bun:test';
import { neededField } from './absent.ts';
import type { Infer } from './fields.ts';
import { array, boolean, decimal, integer, numericId, oneOf, optional, text } from './fields.ts';
import { JsonNumber } from './json.ts';
import { parseBody } from './lossless-json.ts';
import { object, readBody } from './object.ts';
import { Problem } from './problem.ts';
import { readQuery } from './query.ts';
import type { Field } from './wire.ts';

const json = (source: string) => parseBody(new TextEncoder().encode(source));

function rejectionOf(action: () => unknown): Problem {
  try {
    action();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('the value was accepted');
}

/** Reads one JSON value as the field `f`. */
const read = <T>(field: Field<T>, source: string): T => field.read(json(source), 'f');
const rejection = (field: Field<unknown>, source: string) => rejectionOf(() => read(field, source));

describe('text', () => {
  const clOrdId = text({ max: 4, ascii: true });

  test('accepts up to its length', () => {
    expect(read(clOrdId, '"a ~1"')).toBe('a ~1');
    expect(read(clOrdId, '""')).toBe('');
    expect(rejection(clOrdId, '"abcde"').userMsg).toBe(
      'Invalid field: f. It must be a text of printable ASCII of at most 4 characters; ' +
        '"abcde" was sent.',
    );
    expect(rejection(clOrdId, '"abcde"').details).toEqual({
      field: 'f',
      rule: 'maxLength',
      limit: 4,
      value: 'abcde',
    });
  });

  test('counts characters, not code units', () => {
    const two = text({ min: 2, max: 2 });
    expect(read(two, '"😀😀"')).toBe('😀😀');
    expect(rejection(two, '"😀"').details!.rule).toBe('minLength');
    expect(rejection(two, '"😀😀😀"').details!.rule).toBe('maxLength');
  });

  test('rejects other characters and other types', () => {
    expect(rejection(clOrdId, '"é"').details!.rule).toBe('characters');
    expect(rejection(text({ max: 9 }), '"a\\nb"').details!.rule).toBe('characters');
    expect(rejection(text({ max: 9 }), '"\\u007f"').details!.rule).toBe('characters');
    expect(rejection(clOrdId, '12').userMsg).toEndWith('; 12 was sent.');
    expect(rejection(clOrdId, '["a"]').userMsg).toEndWith('; an array was sent.');
    expect(rejection(clOrdId, '{}').userMsg).toEndWith('; an object was sent.');
    expect(rejection(clOrdId, 'null').userMsg).toEndWith('; null was sent.');
  });

  test('follows its pattern, in its own words', () => {
    const coin = text({ max: 12, pattern: /^[A-Z]+$/, expected: 'an asset such as BTC' });
    expect(read(coin, '"BTC"')).toBe('BTC');
    expect(rejection(coin, '"btc"').userMsg).toContain('It must be an asset such as BTC; "btc"');
  });

  test('a secret is never repeated, whatever is wrong with it', () => {
    const code = text({ min: 6, max: 6, pattern: /^\d+$/, secret: true });
    for (const source of ['"hunter2"', '"hunt"', '"hunter"', '123457', '"hunté2"']) {
      const { userMsg, details } = rejection(code, source);
      expect(userMsg).toBe('Invalid field: f. It must be a text of 6 characters.');
      expect(JSON.stringify(details)).not.toMatch(/hunt|1234/);
    }
  });

  test('a long value is clipped in the rejection', () => {
    const long = `"${'x'.repeat(5000)}"`;
    expect(rejection(clOrdId, long).userMsg.length).toBeLessThan(200);
  });
});

describe('integer', () => {
  const size = integer({ min: 1, max: 1000 });

  test('accepts whole JSON numbers, also as doubles are written', () => {
    for (const [source, value] of [
      ['1000', 1000],
      ['5.0', 5],
      ['5e0', 5],
      ['1.0E+3', 1000],
    ] as const) {
      expect(read(size, source)).toBe(value);
    }
    for (const source of ['"5"', 'true', '[5]', '0.5', '5.01', '5e-1']) {
      expect(rejection(size, source).details!.rule).toBe('type');
    }
    expect(Object.is(read(integer(), '-0'), 0)).toBe(true);
  });

  test('names the bound and the nearest value', () => {
    expect(rejection(size, '1001').userMsg).toBe(
      'Invalid field: f. It must be an integer from 1 to 1000; 1001 was sent.',
    );
    expect(rejection(size, '1001').details).toEqual({
      field: 'f',
      rule: 'maximum',
      limit: 1000,
      value: '1001',
      nearest: 1000,
    });
    expect(rejection(size, '0').details!.nearest).toBe(1);
  });

  test('is safe: what a double would round is rejected', () => {
    expect(read(integer(), '9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    expect(rejection(integer(), '9007199254740993').details!.rule).toBe('maximum');
    expect(rejection(integer(), '-9007199254740993').details!.rule).toBe('minimum');
    expect(rejection(integer(), '9'.repeat(400)).details!.rule).toBe('maximum');
  });

  test('lenient accepts a string of digits', () => {
    const orderId = integer({ min: 1, lenient: true });
    expect(read(orderId, '"12"')).toBe(12);
    expect(rejection(orderId, '" 12"').details!.rule).toBe('type');
    expect(rejection(orderId, '""').details!.rule).toBe('type');
  });
});

describe('decimal', () => {
  test('gives the exact text of a number or a string', () => {
    expect(read(decimal(), '0.10')).toBe('0.10');
    expect(read(decimal(), '"12345678901234567890.5"')).toBe('12345678901234567890.5');
    expect(read(decimal(), '-1')).toBe('-1');
  });

  test('reads an exponent exactly and without it', () => {
    for (const [source, plain] of [
      ['1e3', '1000'],
      ['"1e3"', '1000'],
      ['1E-7', '0.0000001'],
    ]) {
      expect(read(decimal(), source!)).toBe(plain!);
    }
    const { details, userMsg } = rejection(decimal(), '1e999999999');
    expect(details).toMatchObject({ rule: 'maxDigits', limit: 60 });
    expect(userMsg).toContain('with at most 60 digits; 1e999999999 was sent');
  });

  test('rejects text that is no decimal', () => {
    for (const source of ['"NaN"', '"0x10"', '" 1"', '"1,5"', '""', 'true', '{}', '".5"', '"+1"']) {
      expect(rejection(decimal(), source).details!.rule).toBe('type');
    }
    expect(rejection(decimal(), '9'.repeat(61)).details!.rule).toBe('maxDigits');
  });

  test('checks the sign where asked', () => {
    const positive = decimal({ sign: 'positive' });
    const notNegative = decimal({ sign: 'notNegative' });
    for (const zero of ['0', '-0', '0.000', '-0.0']) {
      expect(rejection(positive, zero).userMsg).toContain('a decimal number above 0');
      expect(read(notNegative, zero)).toBe(zero);
    }
    expect(rejection(positive, '-0.1').details!.rule).toBe('aboveZero');
    expect(rejection(notNegative, '-0.1').details!.rule).toBe('minimum');
    expect(read(positive, '0.01')).toBe('0.01');
  });
});

describe('boolean and oneOf', () => {
  test('boolean takes true and false only', () => {
    expect(read(boolean(), 'true')).toBe(true);
    for (const source of ['1', '"true"', 'null']) {
      expect(rejection(boolean(), source).details!.rule).toBe('type');
    }
  });

  test('lenient oneOf takes either JSON type and gives the listed value', () => {
    const side = oneOf([1, 2], { lenient: true });
    expect(read(side, '1')).toBe(1);
    expect(read(side, '"2"')).toBe(2);
    expect(read(oneOf(['1'], { lenient: true }), '1')).toBe('1');
    expect(rejection(side, '3').userMsg).toBe(
      'Invalid field: f. It must be one of 1, 2; 3 was sent.',
    );
    expect(rejection(side, '"buy"').details!.rule).toBe('oneOf');
    expect(read(side, '1.0')).toBe(1);
    expect(rejection(side, '1.5').details!.rule).toBe('oneOf');
    expect(rejection(side, '"toString"').details!.rule).toBe('oneOf');
    expectTypeOf<Infer<typeof side>>().toEqualTypeOf<1 | 2>();
  });

  test('strict oneOf takes the listed type', () => {
    expect(read(oneOf(['OPEN', 'SINGLE']), '"OPEN"')).toBe('OPEN');
    expect(rejection(oneOf([7]), '"7"').details!.rule).toBe('type');
    expect(rejection(oneOf(['7']), '7').userMsg).toContain('It must be "7"; 7 was sent');
  });

  test('a value that is not listed may have a rejection of its own', () => {
    const timeInForce = oneOf(['1'], { lenient: true, rejection: 'unsupported' });
    expect(rejection(timeInForce, '"3"').code).toBe('100210');
    expect(rejection(timeInForce, '{}').code).toBe('100200');
  });
});

describe('array', () => {
  const modules = array(integer({ min: 1, max: 6 }), { min: 1, max: 3 });

  test('reads its items and names the one that is wrong', () => {
    expect(read(modules, '[5,6]')).toEqual([5, 6]);
    expect(rejection(modules, '[5,"6"]').details!.field).toBe('f[1]');
    expect(rejection(modules, '[]').details!.rule).toBe('minItems');
    expect(rejection(modules, '[1,2,3,4]').details).toMatchObject({ rule: 'maxItems', limit: 3 });
    expect(rejection(modules, '5').details!.rule).toBe('type');
  });
});

describe('optional', () => {
  test('missing and null read as undefined, or as the default', () => {
    const shape = object({ a: optional(integer()), b: optional(integer(), 20) });
    expect(readBody(shape, json('{}'))).toEqual({ a: undefined, b: 20 });
    expect(readBody(shape, json('{"a":null,"b":null}'))).toEqual({ a: undefined, b: 20 });
    expect(readBody(shape, json('{"a":1,"b":2}'))).toEqual({ a: 1, b: 2 });
    expectTypeOf<Infer<typeof shape>>().toEqualTypeOf<{
      readonly a: number | undefined;
      readonly b: number;
    }>();
  });

  const ZEROS = ['0', '-0', '0.00', '0E-8', '"0"', '"0.0"'];
  const order = object({
    orderQty: optional(decimal({ sign: 'positive' })),
    orderId: optional(numericId('')),
    makerFee: optional(decimal({ sign: 'positive', unit: 'rate' })),
    size: optional(integer({ min: 1, max: 9 }), 5),
    days: optional(integer({ min: 0 })),
    label: optional(text({ max: 9, emptyIsValue: true })),
    symbol: optional(text({ max: 9 })),
    bracket: optional(object({ stopPx: optional(decimal({ sign: 'positive' })) })),
  });
  const none = readBody(order, json('{}'));

  test('an empty text reads as missing, and so does 0 of a quantity or an id', () => {
    for (const name of ['orderQty', 'orderId', 'makerFee', 'size', 'days', 'symbol', 'bracket']) {
      expect(readBody(order, json(`{"${name}":""}`))).toEqual(none);
      expect(readQuery(order, `${name}=`)).toEqual(none);
    }
    for (const name of ['orderQty', 'orderId']) {
      for (const zero of ZEROS) expect(readBody(order, json(`{"${name}":${zero}}`))).toEqual(none);
      expect(readQuery(order, `${name}=0`)).toEqual(none);
    }
  });

  test('a value that means something keeps its meaning', () => {
    expect(readBody(order, json('{"days":0}')).days).toBe(0);
    expect(readBody(order, json('{"label":""}')).label).toBe('');
    const rule = (body: string) =>
      rejectionOf(() => readBody(order, json(body))).details!.rule as string;
    expect(['{"makerFee":0}', '{"size":0}', '{"orderQty":-1}'].map(rule)).toEqual([
      'aboveZero',
      'minimum',
      'aboveZero',
    ]);
  });

  test('an unknown field is ignored without a value, in a body', () => {
    expect(readBody(order, json('{"stopPx":null,"execInst":""}'))).toEqual(none);
    for (const value of ['0', 'false', '[]', '{}', '" "']) {
      expect(rejectionOf(() => readBody(order, json(`{"x":${value}}`))).details!.rule).toBe(
        'known',
      );
    }
  });

  test('what a request needs after all is rejected as its field rejects it', () => {
    const needed = (read: object) => neededField(read, 'orderQty', 'a quantity').details;
    expect(needed(none)).toEqual({ field: 'orderQty', rule: 'required' });
    expect(needed(readBody(order, json('{"orderQty":0}')))).toMatchObject({ rule: 'aboveZero' });
    expect(needed(readBody(order, json('{"orderQty":""}')))).toMatchObject({ rule: 'type' });
    expect(needed(readQuery(order, 'orderQty=0'))).toMatchObject({ rule: 'aboveZero' });
    const { bracket } = readBody(order, json('{"bracket":{"stopPx":0}}'));
    expect(neededField(bracket!, 'stopPx', '', 'bracket.stopPx').details).toMatchObject({
      field: 'bracket.stopPx',
      rule: 'aboveZero',
    });
  });
});

describe('object', () => {
  const plan = object({
    planName: text({ max: 40 }),
    booster: optional(object({ coin: text({ max: 12 }), ratio: decimal() })),
  });

  test('a missing field names its expected form', () => {
    const problem = rejectionOf(() => readBody(plan, json('{}')));
    expect(problem.userMsg).toBe(
      'Invalid field: planName. It must be a text of at most 40 characters; it is missing.',
    );
    expect(problem.details).toEqual({ field: 'planName', rule: 'required' });
  });

  test('an unknown field is named with those accepted, also when its right name is missing', () => {
    const problem = rejectionOf(() => readBody(plan, json('{"planname":"x"}')));
    expect(problem.userMsg).toBe(
      'Invalid field: planname. It must be left out; accepted here: planName, booster.',
    );
  });

  test('nested fields are named by their path', () => {
    const of = (source: string) => rejectionOf(() => readBody(plan, json(source))).details!.field;
    expect(of('{"planName":"x","booster":{"coin":"MMX"}}')).toBe('booster.ratio');
    expect(of('{"planName":"x","booster":{"coin":"MMX","ratio":true}}')).toBe('booster.ratio');
    expect(of('{"planName":"x","booster":{"coin":"M","ratio":1,"apr":1}}')).toBe('booster.apr');
    expect(of('{"planName":"x","booster":[]}')).toBe('booster');
    expect(of('[]')).toBe('body');
    expect(of('7')).toBe('body');
  });

  test('inherited names are neither found nor accepted', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const problem = rejectionOf(() => readBody(plan, json(`{"planName":"x","${name}":{}}`)));
      expect(problem.details!.field).toBe(name);
    }
    expect(() => object({ constructor: integer() } as never)).toThrow(TypeError);
  });
});

describe('query', () => {
  const orders = object({
    type: oneOf(['SINGLE', 'OPEN', 'COMPLETED']),
    size: optional(integer({ min: 1, max: 1000 }), 500),
    filter: optional(text({ max: 40 })),
    amount: optional(decimal()),
    all: optional(boolean()),
  });
  const rule = (raw: string) => rejectionOf(() => readQuery(orders, raw)).details!.rule;

  test('reads each kind from text', () => {
    expect(readQuery(orders, 'type=OPEN&size=7&filter=side%2C1&amount=0.10&all=true')).toEqual({
      type: 'OPEN',
      size: 7,
      filter: 'side,1',
      amount: '0.10',
      all: true,
    });
    expect(readQuery(orders, 'type=OPEN')).toEqual({
      type: 'OPEN',
      size: 500,
      filter: undefined,
      amount: undefined,
      all: undefined,
    });
  });

  test('decodes strictly: escapes are UTF-8, and a raw plus could be read in two ways', () => {
    expect(readQuery(orders, 'type=OPEN&filter=a%2Bb%20c').filter).toBe('a+b c');
    expect(readQuery(orders, 'type=OPEN&filter=%F0%9F%98%80%3d').filter).toBe('😀=');
    for (const bad of [
      'a+b',
      '%',
      '%4',
      '%zz',
      '%ff',
      '%c0%80',
      '%ed%a0%80',
      'a b',
      'é',
      'a"',
      'a#b',
    ]) {
      expect(rule(`type=OPEN&filter=${bad}`)).toBe('encoding');
    }
    expect(rule('type=OPEN&filter=a%00b')).toBe('characters');
  });

  test.each([
    ['type=OPEN&', 'shape'],
    ['&type=OPEN', 'shape'],
    ['type=OPEN&&size=1', 'shape'],
    ['type', 'shape'],
    ['=OPEN', 'shape'],
    ['type=OPEN&filter=a=b', 'encoding'],
    ['type=OPEN&type=OPEN', 'unique'],
    ['type=OPEN&Size=1', 'known'],
    ['type=OPEN&%73ize=1', 'known'],
    ['type=OPEN&toString=1', 'known'],
    ['type=', 'oneOf'],
    ['type=OPEN&unknown=', 'known'],
    ['type=OPEN&size=1.5', 'type'],
    ['type=OPEN&all=1', 'type'],
    ['size=1', 'required'],
    ['', 'required'],
    [`type=OPEN&filter=${'a'.repeat(5000)}`, 'maxLength'],
  ])('%s is rejected: %s', (raw, expected) => expect(rule(raw)).toBe(expected));

  test('a call without parameters accepts none', () => {
    expect(readQuery(object({}), '')).toEqual({});
    expect(rejectionOf(() => readQuery(object({}), 'a=1')).userMsg).toBe(
      'Invalid field: a. It must be left out; accepted here: no fields.',
    );
  });
});

test('descriptions emit their JSON Schema and their query parameters', () => {
  const order = object({
    side: oneOf([1, 2], { lenient: true, about: '1 buy, 2 sell' }),
    orderQty: optional(decimal({ sign: 'positive' })),
    clOrdId: optional(text({ max: 64, ascii: true })),
    size: optional(integer({ min: 1, max: 9 }), 5),
    moduleIds: optional(array(integer(), { max: 6 })),
    execInst: optional(oneOf(['6'], { lenient: true })),
    autoRenew: optional(boolean()),
  });
  const decimalPattern = '^(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?$';
  const EMPTY = { 'x-absent': [''] };
  const SIZE = { format: 'int64', minimum: 1, maximum: 9, default: 5, ...EMPTY };
  expect(order.toJsonSchema()).toEqual({
    type: 'object',
    required: ['side'],
    additionalProperties: false,
    properties: {
      side: { enum: [1, '1', 2, '2'], description: '1 buy, 2 sell' },
      orderQty: {
        type: ['number', 'string', 'null'],
        format: 'decimal',
        pattern: decimalPattern,
        exclusiveMinimum: 0,
        'x-absent': ['', 0],
      },
      clOrdId: { type: ['string', 'null'], maxLength: 64, pattern: '^[\\x20-\\x7e]*$', ...EMPTY },
      size: { type: ['integer', 'null'], ...SIZE },
      moduleIds: {
        type: ['array', 'null'],
        items: { type: 'integer', format: 'int64' },
        maxItems: 6,
        ...EMPTY,
      },
      execInst: { enum: ['6', 6, null], ...EMPTY },
      autoRenew: { type: ['boolean', 'null'], ...EMPTY },
    },
  });
  expect(order.toQueryParameters()[3]).toEqual({
    name: 'size',
    in: 'query',
    required: false,
    schema: { type: 'integer', ...SIZE },
  });
});

test('numbers that a decoder has not made are not taken for numbers', () => {
  expect(() => integer().read(5 as never, 'f')).toThrow(Problem);
  expect(integer().read(new JsonNumber('5'), 'f')).toBe(5);
});
