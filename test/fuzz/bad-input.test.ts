// Bad input for every field of every call, made from the descriptions that the server itself reads
// with. probe.ts checks the promises about every answer; here, a value outside the published schema
// must be rejected by name.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { BodyLimit } from '../../src/contract/call.ts';
import type { JsonSchema } from '../../src/contract/wire.ts';
import { routes } from '../../src/gateway/routes/routes.ts';
import { Prng } from '../support/prng.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { admits, admitsParameter, BROKEN_VALUES, JSON_VALUES, QUERY_VALUES } from './bad-values.ts';
import {
  ENTRIES,
  expectNamed,
  isOperator,
  LIMIT_ORDER,
  nameOf,
  Prober,
  statusOf,
  validBody,
  validQuery,
  withField,
} from './probe.ts';

let prober: Prober;
beforeAll(async () => {
  prober = await Prober.start();
});
afterAll(async () => {
  await prober.stop();
  expect(prober.asked).toBeGreaterThan(4000);
});

const withBody = routes.filter(({ body }) => body !== undefined);
const short = (text: string): string => text.slice(0, 60);

describe('every field of every body', () => {
  for (const route of withBody) {
    const fields = [...route.body!.fields];
    if (fields.length === 0) continue;
    test(nameOf(route), async () => {
      const valid = validBody(route);
      for (const [name, field] of fields) {
        const schema = field.toJsonSchema();
        for (const json of JSON_VALUES) {
          const about = { [name]: short(json) };
          const answer = await prober.probe(route, { body: withField(valid, name, json) }, about);
          const value = JSON.parse(json) as unknown;
          const admitted = (value === null && field.optional) || admits(schema, value);
          if (!admitted) expectNamed(answer, name, about);
        }
        for (const broken of BROKEN_VALUES) {
          const about = { [name]: short(broken) };
          const answer = await prober.probe(route, { body: withField(valid, name, broken) }, about);
          expect({ about, status: statusOf(answer) }).toEqual({ about, status: 400 });
          expect(answer.body).toContain('Invalid body');
        }
        if (field.optional) continue;
        const { [name]: _, ...rest } = valid;
        const about = { missing: name };
        expectNamed(await prober.probe(route, { body: JSON.stringify(rest) }, about), name, about);
      }
    });
  }
});

describe('every field of every entry of a batch, and of a bracket', () => {
  const route = withBody.find(({ path }) => path.endsWith('/v2/orders'))!;
  const { items } = route.body!.fields.get('orders')!.toJsonSchema() as unknown as {
    items: { oneOf: readonly Variant[] };
  };
  const variants = items.oneOf;
  const entries = Object.entries(ENTRIES).flatMap(([op, valid]) => {
    const { properties } = variants.find((one) => one.properties.op!.const === op)!;
    return Object.keys(properties)
      .filter((name) => name !== 'op')
      .map((name) => ({ op, name, valid, schema: properties[name]! }));
  });
  for (const { op, name, valid, schema } of entries) {
    test(`${op} ${name}`, async () => {
      for (const json of JSON_VALUES) {
        const entry = withField({ op, ...valid }, name, json);
        const about = { [name]: short(json) };
        const answer = await prober.probe(route, { body: `{"orders":[${entry}]}` }, about);
        expect({ about, status: answer.status }).toEqual({ about, status: 200 });
        const [own] = (JSON.parse(answer.body) as { orders: unknown[] }).orders;
        if (!admits(schema, JSON.parse(json))) expectNamed(rejectionOf(own), name, about);
      }
    });
  }

  const order = withBody.find(({ path }) => path.endsWith('/v2/order'))!;
  test.each(['takeProfitPx', 'stopPx', 'stopLimitPx'])('bracket %s', async (name) => {
    const { properties } = order.body!.fields.get('bracket')!.toJsonSchema() as unknown as Variant;
    const bracket = { takeProfitPx: 200, stopPx: 50 };
    for (const json of JSON_VALUES) {
      const about = { [name]: short(json) };
      const body = withField(LIMIT_ORDER, 'bracket', withField(bracket, name, json));
      const answer = await prober.probe(order, { body }, about);
      const value = JSON.parse(json) as unknown;
      const isAbsent = name === 'stopLimitPx' && (value === null || value === 0 || value === '');
      if (!isAbsent && !admits(properties[name]!, value)) expectNamed(answer, 'bracket', about);
    }
  });
});

interface Variant {
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** A rejected entry in the form of a rejected call. */
const rejectionOf = (entry: unknown): RawAnswer => ({
  status: 400,
  head: '',
  closed: false,
  body: JSON.stringify(entry),
});

type BadBody = readonly [
  why: string,
  make: (valid: string, limit: BodyLimit) => string | Uint8Array,
];
const adding = (name: string, json: string) => (valid: string) =>
  withField(JSON.parse(valid) as object, name, json);

/** Whole bodies that no call accepts. */
const BAD_BODIES: readonly BadBody[] = [
  ['nothing', () => ' '],
  ['a list', (valid) => `[${valid}]`],
  ['a text', () => '"x"'],
  ['null', () => 'null'],
  ['two objects', (valid) => valid + valid],
  ['something after it', (valid) => `${valid}x`],
  ['a NUL after it', (valid) => `${valid}\0`],
  ['a byte order mark', (valid) => `\ufeff${valid}`],
  ['half of it', (valid) => valid.slice(0, -1)],
  ['a field that does not exist', adding('nonsense', '1')],
  ['__proto__', adding('__proto__', '{"side":1}')],
  ['constructor', adding('constructor', '1')],
  ['an empty name', adding('', '1')],
  ['a name with NUL', adding('a\0', '1')],
  ['a long name', adding('n'.repeat(9000), '1')],
  [
    'too many fields',
    (_, { members }) =>
      `{${Array.from({ length: members + 1 }, (_field, i) => `"f${i}":1`).join(',')}}`,
  ],
  ['UTF-16', (valid) => Buffer.from(valid, 'utf16le')],
  ['invalid UTF-8', (valid) => Buffer.concat([Buffer.from(valid), Buffer.from([0xff])])],
  ['an overlong form', () => Buffer.from([0x7b, 0xc0, 0xa2, 0x7d])],
  ['a form', () => 'side=1&symbol=BTC-USDT'],
  ['XML', () => '<order><side>1</side></order>'],
  ['too much', (valid, { bytes }) => valid.padEnd(bytes + 1)],
];

describe('whole bodies', () => {
  for (const route of withBody) {
    test(nameOf(route), async () => {
      const valid = validBody(route);
      const text = JSON.stringify(valid);
      for (const [why, make] of BAD_BODIES) {
        const status = statusOf(
          await prober.probe(route, { body: make(text, route.bodyLimit) }, why),
        );
        expect({ why, status }).toEqual({ why, status: why === 'too much' ? 413 : 400 });
      }
      for (const name of Object.keys(valid)) {
        const body = `{${JSON.stringify(name)}:1,${text.slice(1)}`;
        const answer = await prober.probe(route, { body }, { twice: name });
        expect(statusOf(answer)).toBe(400);
        expect(answer.body).toContain('uniqueKeys');
      }
      for (const type of ['text/plain', 'application/json; charset=utf-16', 'application/xml']) {
        const sent = { body: text, headers: { 'Content-Type': type } };
        expect((await prober.probe(route, sent, type)).status).toBe(415);
      }
      await prober.probe(route, { body: text, headers: { 'X-Agio-Min-Seq': 'x' } }, 'no position');
      await prober.probe(route, { body: text }, 'valid');
      if (route.query.fields.size > 0) return;
      const about = 'a query';
      expectNamed(await prober.probe(route, { body: text, query: 'side=1' }, about), 'side', about);
    });
  }
});

/** Other parameters that a bad value may be rejected for. */
const ALSO_BLAMED = ['query', 'orderId', 'startTime', 'startDate', 'securityId', 'date'];

const NO_QUERIES = ['nonsense=1', '__proto__=1', 'constructor=1', 'toString', '=1', '&', '?a=1'];

describe('every parameter of every query', () => {
  const withQuery = ({ method, query }: (typeof routes)[number]): boolean =>
    method === 'GET' || query.fields.size > 0;
  for (const route of routes.filter(withQuery)) {
    const fields = [...route.query.fields];
    const required = validQuery(route);
    const queryWith = (...given: readonly (readonly [string, string])[]): string =>
      [...required.filter(([name]) => !given.some(([other]) => other === name)), ...given]
        .map((pair) => pair.join('='))
        .join('&');
    test(nameOf(route), async () => {
      for (const [name, field] of fields) {
        for (const value of QUERY_VALUES) {
          const about = { [name]: short(value) };
          const answer = await prober.probe(route, { query: queryWith([name, value]) }, about);
          const status = statusOf(answer);
          const admitted = admitsParameter(field.toJsonSchema(), value);
          if (!admitted)
            expect({ about, isRejected: status >= 400 }).toEqual({ about, isRejected: true });
          if (status !== 400) continue;
          const { details } = JSON.parse(answer.body) as { details?: { field?: string } };
          expect([name, ...ALSO_BLAMED]).toContain(details?.field ?? JSON.stringify(about));
        }
        const once = queryWith([name, '1']);
        const twice = await prober.probe(route, { query: `${once}&${name}=1` }, { twice: name });
        expect(statusOf(twice)).toBe(400);
        const spaced = await prober.probe(route, { query: `${once}&${name}%20=1` }, 'a space');
        expect(statusOf(spaced)).toBe(400);
        if (field.optional) continue;
        const others = required.filter(([other]) => other !== name);
        const query = others.map((pair) => pair.join('=')).join('&');
        const about = { missing: name };
        expectNamed(await prober.probe(route, { query }, about), name, about);
      }
      await prober.probe(route, { headers: { 'X-Agio-Min-Seq': 'x' } }, 'no position');
      for (const more of NO_QUERIES) {
        const query = required.length === 0 ? more : `${queryWith()}&${more}`;
        const answer = await prober.probe(route, { query }, more);
        expect({ more, status: statusOf(answer) }).toEqual({ more, status: 400 });
      }
    });
  }
});

/** No user, plan, pair, enterprise or key has one of these names. */
const NO_NAMES = ['0', '9999', '01', 'x', '-1', '1e3', '9'.repeat(20), '__proto__', 'NO-SUCH'];

/** A change of each thing that has one, of whatever name. */
const CHANGES = { kyc: true, makerFee: 0, label: 'fuzz', name: 'Fuzz' };

describe('every name in a path', () => {
  for (const route of routes.filter(({ path }) => path.includes('{'))) {
    test(nameOf(route), async () => {
      const [, field] = /\{(\w+)\}/.exec(route.path)!;
      const fields = route.body?.fields;
      const change = Object.entries(CHANGES).filter(([name]) => fields?.get(name)?.optional);
      const body = fields && JSON.stringify({ ...validBody(route), ...Object.fromEntries(change) });
      // The tests above may have created assets of any possible name.
      const names = NO_NAMES.filter((name) => field !== 'asset' || !/^[A-Z0-9]+$/.test(name));
      for (const name of names) {
        const answer = await prober.probe(route, { name, ...(body && { body }) }, { name });
        const { details } = JSON.parse(answer.body) as { details?: { field?: string } };
        const found = { name, status: statusOf(answer), field: details?.field };
        expect(found).toEqual({ name, status: 400, field });
      }
    });
  }
});

describe('combinations', () => {
  test('of random values in random fields, seeded', async () => {
    const random = new Prng(20_260_101);
    const customers = withBody.filter((route) => !isOperator(route));
    const values = [...JSON_VALUES, '"1"', '"2"', '"6"', '100', '0.01', '"0.001"'];
    for (let i = 0; i < 600; i++) {
      const route = random.pick(customers);
      const names = [...route.body!.fields.keys()];
      const valid = Object.entries(validBody(route));
      const members = new Map(valid.map(([name, value]) => [name, JSON.stringify(value)]));
      for (let n = random.between(1, 4); n > 0; n--) {
        const name = random.pick(names);
        if (random.oneIn(4)) members.delete(name);
        else members.set(name, random.pick(values));
      }
      const body = `{${[...members].map(([name, json]) => `"${name}":${json}`).join(',')}}`;
      await prober.probe(route, { body }, { i, body: body.slice(0, 300) });
    }
  });

  test('of bytes changed anywhere in a valid body, seeded', async () => {
    const random = new Prng(20_260_102);
    const route = withBody.find(({ path }) => path.endsWith('/order'))!;
    const valid = Buffer.from(JSON.stringify(LIMIT_ORDER));
    for (let i = 0; i < 600; i++) {
      const body = Buffer.from(valid);
      for (let n = random.between(1, 3); n > 0; n--) {
        body[random.below(body.length)] = random.below(256);
      }
      await prober.probe(route, { body }, { i, body: body.toString('latin1') });
    }
  });

  test('nothing of it has reached a prototype', () => {
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
