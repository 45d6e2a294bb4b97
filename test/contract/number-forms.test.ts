// Clients whose numbers are doubles: every spelling of a number is read exactly, in bodies and
// queries, on websockets and by the operator's calls.
import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import {
  AMEND,
  type Client,
  FILLS,
  ORDER,
  ORDER_V2,
  ORDERBOOK,
  ORDERS,
  TEST_ORDER,
  TestNode,
} from '../support/node.ts';
import { java, javaScript, type NumberForm, python } from '../support/number-forms.ts';
import { Operator } from '../support/operator.ts';
import { pairTerms } from '../support/pair-terms.ts';
import { expectError, expectOk } from '../support/shape.ts';

const node = TestNode.forFile();
let client: Client;
beforeAll(async () => {
  const terms = { minQuantity: '0.00000001', minNotional: '0' };
  await node.must(pairTerms('BTC-MMX', { ...terms, tick: '1', lot: '0.00000001' }));
  await node.must(
    pairTerms('MMX-BTC', { ...terms, minQuantity: '1', tick: '0.00000001', lot: '1' }),
  );
  client = await node.client({ BTC: '100', MMX: '90000000' });
});

const FORMS: Readonly<Record<string, NumberForm>> = { javaScript, python, java };

test('the forms are those of the languages', () => {
  const values = [1e-5, 0.0005, 0.001, 5, 50000, 1e7, 1.5e-7, 123456789.125, 1e16, 1e21];
  expect(values.map(javaScript).join(' ')).toBe(
    '0.00001 0.0005 0.001 5 50000 10000000 1.5e-7 123456789.125 10000000000000000 1e+21',
  );
  expect(values.map(python).join(' ')).toBe(
    '1e-05 0.0005 0.001 5.0 50000.0 10000000.0 1.5e-07 123456789.125 1e+16 1e+21',
  );
  expect(values.map(java).join(' ')).toBe(
    '1.0E-5 5.0E-4 0.001 5.0 50000.0 1.0E7 1.5E-7 1.23456789125E8 1.0E16 1.0E21',
  );
});

/** An order as text, since JSON.stringify has but one form of a number. */
const bodyOf = (symbol: string, price: string, orderQty: string, more = '') =>
  `{"symbol":"${symbol}","side":1,"ordType":2,"price":${price},"orderQty":${orderQty}${more}}`;

describe.each(Object.entries(FORMS))('numbers of %s', (_name, form) => {
  test('are prices and quantities from 1e-8 to 7e9, as numbers and as texts', async () => {
    for (let exponent = -8; exponent <= 9; exponent++) {
      for (const value of [Number(`1e${exponent}`), Number(`7e${exponent}`)]) {
        const [symbol, price, orderQty] =
          value < 1 ? ['BTC-MMX', 1, value] : ['MMX-BTC', 1e-8, value];
        const texts = [form(price), form(orderQty)] as const;
        const quoted = texts.map((text) => `"${text}"`) as [string, string];
        for (const [first, second] of [texts, quoted]) {
          expectOk(await client.post(TEST_ORDER, bodyOf(symbol, first, second)));
        }
      }
    }
  });

  test('are stored without an exponent, exactly', async () => {
    const body = bodyOf('BTC-MMX', form(20_000_000), form(1.5e-7), `,"account":${form(1)}`);
    const { orderId } = expectOk(await client.post(ORDER, body));
    const { text } = await node.get(ORDERBOOK, 'symbol=BTC-MMX');
    expect(text).toContain('[20000000,0.00000015');
    const sent = `{"orderId":${form(Number(orderId))},"price":"${form(30_000_000)}"}`;
    expectOk(await client.post(AMEND, sent));
    const row = await client.row(Number(orderId));
    expect<unknown>([row.price, row.orderQty]).toEqual([30_000_000, 1.5e-7]);
  });

  test('are ids, codes, counts and times', async () => {
    const order = `{"symbol":"BTC-MMX","side":${form(1)},"ordType":"${form(4)}",`;
    const prices = `"stopPx":${form(9)},"price":${form(9)},"orderQty":${form(1e-8)},`;
    const time = `"timeInForce":${form(6)},"expireTime":${form(1_900_000_000_000)}}`;
    const { orderId } = expectOk(await client.post(ORDER_V2, order + prices + time));
    const query = `type=SINGLE&orderId=${form(Number(orderId))}&size=${form(50)}`;
    const [found] = expectOk(await client.get(ORDERS, query)).data as unknown as unknown[];
    expect(found).toMatchObject({ orderId, expireTime: 1_900_000_000_000 });
    expectOk(await client.get(FILLS, `startTime=${form(1_700_000_000_000)}&size=${form(1)}`));
  });

  test('are amounts, rates and ids of the operator', async () => {
    const sent = `{"makerFee":${form(1e-5)},"maxOpenOrders":${form(100)}}`;
    const answer = await new Operator(node).patch(`users/${await node.user()}`, sent);
    expect<unknown>(expectOk(answer)).toMatchObject({ makerFee: 1e-5, maxOpenOrders: 100 });
  });
});

test('an exponent without bound is rejected quickly, by name', async () => {
  for (const bad of ['1e999999999', '1e-999999999', `1e${'9'.repeat(200)}`]) {
    const { rule } = expectError(
      await client.post(TEST_ORDER, bodyOf('BTC-MMX', '1', bad)),
      400,
      100200,
      'orderQty',
    );
    expect<unknown>(rule).toBe(bad.length > 100 ? 'type' : 'maxDigits');
  }
  for (const bad of ['+1', '.5', '5.', '1e', 'NaN', 'Infinity', '0x1', '1_000']) {
    const answer = await client.post(TEST_ORDER, bodyOf('BTC-MMX', '1', `"${bad}"`));
    expectError(answer, 400, 100200, 'orderQty');
  }
});

/** Not every machine has it. The forms of Python are tested above in any case. */
const PYTHON = Bun.which('python3');

test('a client in Python, written from the spec alone', async () => {
  if (PYTHON === null) return console.log('python3 is not installed: its client did not run');
  const { apiKey, secretKey } = client.credentials;
  const script = join(import.meta.dir, 'python-client.py');
  const child = Bun.spawn([PYTHON, script, node.url, apiKey, secretKey], { stdout: 'pipe' });
  const lines = (await new Response(child.stdout).text()).trim().split('\n');
  expect(await child.exited).toBe(0);
  expect(lines.length).toBe(7);
  for (const line of lines) {
    const [body, status, answer] = JSON.parse(line);
    expect([status, body, answer]).toEqual([200, body, expect.stringContaining('"orderId":')]);
  }
});
