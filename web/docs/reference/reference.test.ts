// The reference as data: calls by tag, fields as rows, rejections, and JSON with every digit.
import { describe, expect, test } from 'bun:test';
import { keyCredentials, NO_CREDENTIALS } from '../../../src/sdk/credentials.ts';
import { indented } from './marks.tsx';
import { authorized, prepare } from './request.ts';
import { answerRows, calls, fieldRows, groups, matching, rejectionsOf } from './spec.ts';

const call = (id: string) => calls.find((one) => one.id === id)!;

test('every call is in one group, and no group is empty', () => {
  expect(groups.flatMap((group) => group.calls).length).toBe(calls.length);
  for (const group of groups) expect(group.calls.length).toBeGreaterThan(0);
});

test('every call has rows for its request and its answer, and rejections with a sentence', () => {
  for (const one of calls) {
    for (const row of [...fieldRows(one.body?.schema ?? {}), ...answerRows(one)]) {
      expect([one.id, row.name, row.form.length > 0]).toEqual([one.id, row.name, true]);
    }
    const rejections = rejectionsOf(one);
    expect(rejections.length).toBeGreaterThan(3);
    for (const { text, code } of rejections) expect([code, text.length > 10]).toEqual([code, true]);
  }
});

test('a search finds a call by its words', () => {
  const found = matching('order CANCEL post').flatMap((group) => group.calls.map(({ id }) => id));
  expect(found).toContain('cancelOrder');
  expect(found).not.toContain('orders');
  expect(matching('zzz')).toEqual([]);
});

test('rows name the objects around a field', () => {
  const names = answerRows(call('orders')).map(({ name }) => name);
  expect(names).toContain('data[].ordStatus');
  expect(names).toContain('pagination.lastRowId');
  expect(fieldRows(call('createOrder').body!.schema)).toContainEqual({
    name: 'side',
    form: '1, 2',
    absent: null,
    about: '1 buy, 2 sell.',
  });
  expect(rejectionsOf(call('createOrder')).map(({ code }) => code)).toContain(100208);
  expect(rejectionsOf(call('applyPlan')).map(({ code }) => code)).toContain(40002);
});

describe('a request', () => {
  test('encodes its fields once, and leaves out empty ones', () => {
    const values = { type: 'SINGLE', clOrdId: "a b'&c", orderId: '' };
    expect(prepare(call('orders'), values, '')).toEqual({
      method: 'GET',
      path: '/spot-api/api/private/v1/orders',
      query: 'type=SINGLE&clOrdId=a%20b%27%26c',
      body: null,
    });
    expect(prepare(call('operatorUser'), { uid: '7' }, '').path).toBe('/operator/v1/users/7');
  });

  test('signs the bytes that it sends', () => {
    const body = '{ "orderId": 1 }';
    const request = prepare(call('cancelOrder'), {}, body);
    const key = keyCredentials({ apiKey: 'k', secretKey: 'secret' });
    const { headers, signed } = authorized(request, key);
    expect(signed).toBe(
      `${headers['EXCHANGE-API-TIMESTAMP']}POST/spot-api/api/private/v1/order/cancel${body}`,
    );
    const hmac = new Bun.CryptoHasher('sha256', 'secret').update(signed!).digest('hex');
    expect(headers['EXCHANGE-API-SIGN']).toBe(hmac);
    expect(authorized(request, NO_CREDENTIALS)).toEqual({
      headers: { 'Content-Type': 'application/json' },
      signed: null,
    });
  });
});

test.each([
  [
    '{"a":0.1234567890123456789,"b":[],"c":{"d":"x,{\\"y"}}',
    '{\n  "a": 0.1234567890123456789,\n  "b": [],\n  "c": {\n    "d": "x,{\\"y"\n  }\n}',
  ],
  ['[1,\n 2]', '[\n  1,\n  2\n]'],
  ['# HELP text', '# HELP text'],
  ['{"a": {}, "b":[ ]}', '{\n  "a": {},\n  "b": [ ]\n}'],
])('%p indented', (text, wanted) => {
  expect(indented(text)).toBe(wanted);
});
