// Optional fields in the forms in which typed clients send what they do not mean: null, an empty
// text, and 0 for a quantity, amount, price or id. Each has the outcome of a request without it.
import { beforeAll, describe, expect, test } from 'bun:test';
import { operations, readExamples } from '../../docs/reference/openapi.ts';
import { parseText } from '../../src/contract/lossless-json.ts';
import type { ObjectField } from '../../src/contract/object.ts';
import { readQuery } from '../../src/contract/query.ts';
import { ORDER_OPS } from '../../src/contract/streams/requests.ts';
import type { Field } from '../../src/contract/wire.ts';
import {
  AMEND,
  CANCEL,
  type Client,
  FILLS,
  INSTRUMENTS,
  LEDGER,
  MASS_CANCEL,
  OCO,
  ORDER_V2,
  ORDERS,
  ORDERS_V2,
  TEST_ORDER,
  TEST_ORDER_V2,
  TestNode,
} from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { expectError, expectOk } from '../support/shape.ts';
import { OWN_ORDERS, StreamClient } from '../support/stream.ts';

const node = TestNode.forFile();
let client: Client;
beforeAll(async () => {
  client = await node.client();
});

/** The forms that mean "not sent" for a field, as JSON. */
function formsOf(field: Field<unknown>): readonly string[] {
  const { 'x-absent': forms = [], 'x-null': clears } = field.toJsonSchema();
  const zeros = ['0', '0.0', '-0', '0E-8', '"0"', '"0.00"'];
  const listed = (forms as readonly unknown[]).flatMap((form) => (form === 0 ? zeros : ['""']));
  return [...(clears === undefined ? ['null'] : []), ...listed];
}

describe('every optional field of every call reads as absent', () => {
  const examples = readExamples();
  const readBody = (body: ObjectField<unknown>, sent: object) =>
    body.read(parseText(JSON.stringify(sent).replace(/"#(.*?)#"/g, (_, text) => decode(text))), '');
  const decode = (text: string) => text.replaceAll('\\"', '"');

  const listed = operations().map(({ operationId, call }) => [operationId, call] as const);
  test.each(listed)('%s', (operationId, call) => {
    const { body = {}, query = {} } = examples[operationId]!;
    for (const [name, field] of call.body?.fields ?? []) {
      if (!field.optional) continue;
      const { [name]: _own, ...others } = body as Record<string, unknown>;
      const without = readBody(call.body!, others);
      for (const form of formsOf(field)) {
        const read = readBody(call.body!, { ...others, [name]: `#${form}#` });
        expect({ name, form, read }).toEqual({ name, form, read: without });
      }
    }
    for (const [name, field] of call.query.fields) {
      if (!field.optional) continue;
      const { [name]: _own, ...others } = query;
      const text = Object.entries(others).map(([key, value]) => `${key}=${encode(value)}`);
      const without = readQuery(call.query, text.join('&'));
      for (const form of formsOf(field).filter((one) => one !== 'null')) {
        const sent = [...text, `${name}=${form.replaceAll('"', '')}`].join('&');
        expect({ sent, read: readQuery(call.query, sent) }).toEqual({ sent, read: without });
      }
    }
  });
  const encode = (value: unknown) => encodeURIComponent(String(value)).replaceAll("'", '%27');
});

const PAIR = { symbol: 'BTC-USDT' };
const LIMIT = { ...PAIR, side: 1, ordType: 2, price: 90, orderQty: 1 };
const MARKET = { ...PAIR, side: 1, ordType: 1, quoteOrderQty: 50 };

/** The fields that a typed client sends with every order. */
const UNSENT_V1 = {
  ...{ account: 1, clOrdId: '', securityId: 0, execInst: '', timeInForce: '' },
  ...{ stopPx: null, avgPx: null, text: '' },
};
const UNSENT_V2 = {
  ...{ ...UNSENT_V1, stopPx: 0, displayQty: 0, expireTime: null, selfTradePrevention: '' },
  ...{ triggerPriceDirection: '', trailingDelta: null, trailingAmount: 0, bracket: null },
};

describe('an order in the form of a typed client', () => {
  test.each([
    [TEST_ORDER, { ...UNSENT_V1, ...LIMIT, quoteOrderQty: 0 }],
    [TEST_ORDER, { ...UNSENT_V1, ...LIMIT, quoteOrderQty: '' }],
    [TEST_ORDER, { ...UNSENT_V1, ...MARKET, orderQty: 0, price: 0 }],
    [TEST_ORDER, { ...UNSENT_V1, ...MARKET, orderQty: null, price: '' }],
    [TEST_ORDER, { ...UNSENT_V1, ...LIMIT, symbol: '', securityId: 1, quoteOrderQty: null }],
    [TEST_ORDER_V2, { ...UNSENT_V2, ...LIMIT, quoteOrderQty: 0 }],
    [TEST_ORDER_V2, { ...UNSENT_V2, ...MARKET, orderQty: '0.0', price: 0 }],
    [TEST_ORDER_V2, { ...UNSENT_V2, ...LIMIT, ordType: 3, stopPx: 120, price: 0 }],
    [TEST_ORDER_V2, { ...UNSENT_V2, ...LIMIT, ordType: 3, stopPx: 120, price: '' }],
    [
      TEST_ORDER_V2,
      { ...UNSENT_V2, ...LIMIT, bracket: { stopPx: 80, takeProfitPx: 0, stopLimitPx: '' } },
    ],
  ])('%s %j', async (path, order) => {
    expect(expectOk(await client.post(path, order))).toEqual({} as never);
  });

  test.each([
    [{ ...LIMIT, price: 0 }, 'price aboveZero'],
    [{ ...LIMIT, price: '' }, 'price type'],
    [{ ...LIMIT, price: null }, 'price required'],
    [{ ...LIMIT, orderQty: 0 }, 'orderQty aboveZero'],
    [{ ...LIMIT, orderQty: '' }, 'orderQty type'],
    [{ ...MARKET, quoteOrderQty: 0 }, 'orderQty required'],
    [{ ...LIMIT, symbol: '', securityId: 0 }, 'symbol required'],
    [{ ...LIMIT, side: 0 }, 'side oneOf'],
    [{ ...LIMIT, side: '' }, 'side oneOf'],
    [{ ...LIMIT, timeInForce: 0 }, 'timeInForce oneOf'],
    [{ ...LIMIT, stopprice: 0 }, 'stopprice known'],
    [{ ...LIMIT, stopprice: false }, 'stopprice known'],
  ])('what is needed, or unknown with a value, is rejected: %j', async (order, rejection) => {
    for (const path of [TEST_ORDER, TEST_ORDER_V2]) {
      const { details } = (await client.post(path, order)).body;
      expect(`${details?.field} ${details?.rule}`).toBe(rejection);
    }
  });

  test('cancels, amendments, pairs and batches', async () => {
    const none = { orderId: 0, clOrdId: '', account: null };
    const place = async (name: string) => {
      const answer = await client.post(ORDER_V2, { ...LIMIT, clOrdId: name });
      return Number(expectOk(answer).orderId);
    };
    const orderId = await place('mine');
    const change = { orderQty: 0, stopPx: '', displayQty: null, expireTime: null, securityId: 0 };
    expectOk(
      await client.post(AMEND, {
        ...none,
        origClOrdId: 'mine',
        ...change,
        bracket: null,
        price: 91,
      }),
    );
    const row = await client.row(orderId);
    expect<unknown>([row.price, row.orderQty]).toEqual([91, 1]);
    expectError(await client.post(AMEND, { orderId, ...change }), 400, 100200, 'orderQty');
    expectOk(await client.post(CANCEL, { ...none, origClOrdId: 'mine' }));
    expectError(await client.post(CANCEL, { ...none, origClOrdId: '' }), 400, 100200, 'orderId');
    const pair = { ...PAIR, side: 2, orderQty: 1, price: 110, stopPx: 90 };
    const unsent = { stopLimitPx: 0, trailingAmount: '0', timeInForce: '', expireTime: '' };
    expectOk(await client.post(OCO, { ...pair, ...unsent, stopClOrdId: null }));
    await place('again');
    const entries = [
      { op: 'place', ...UNSENT_V2, ...LIMIT, quoteOrderQty: 0 },
      { op: 'cancel', ...none, origClOrdId: 'again' },
    ];
    const { text } = await client.post(ORDERS_V2, { orders: entries, account: '' });
    expect(text).not.toContain('"code"');
    const all = { clOrdId: '', symbol: '', securityId: 0 };
    expect<unknown>(expectOk(await client.post(MASS_CANCEL, all))).toMatchObject({ symbol: null });
  });

  test('over a websocket, too', async () => {
    const stream = await StreamClient.login(node, OWN_ORDERS, client);
    const ops = Object.keys(ORDER_OPS);
    expect(ops).toContain('order.place');
    const placed = await stream.order('order.place', {
      ...{ ...UNSENT_V2, ...LIMIT, quoteOrderQty: '', price: 9e1, recvWindow: null },
    });
    expect<unknown>(placed.status).toBe(200);
    const canceled = await stream.order('order.cancelAll', { symbol: '', securityId: 0 });
    expect<unknown>(canceled.status).toBe(200);
  });

  test('in queries', async () => {
    const pages = 'lastRowId=&size=&startDate=&endDate=&filter=&symbol=&securityId=&account=1';
    expectOk(await client.get(ORDERS, `type=OPEN&orderId=0&clOrdId=&${pages}`));
    expectOk(await client.get(ORDERS, `type=COMPLETED&lastRowId=0&securityId=0`));
    expectError(await client.get(ORDERS, 'type=SINGLE&orderId=0'), 400, 100200, 'orderId');
    expectError(await client.get(ORDERS, 'type=&orderId=1'), 400, 100200, 'type');
    expectError(await client.get(ORDERS, 'type=OPEN&since='), 400, 100200, 'since');
    expectOk(await client.get(FILLS, 'symbol=&orderId=0&lastTradeId=&startTime='));
    expectOk(await client.get(LEDGER, 'asset=&lastEntryId=0&format='));
    const all = expectOk(await node.get(INSTRUMENTS));
    expect(expectOk(await node.get(INSTRUMENTS, 'symbol=&securityId=0&securityType='))).toEqual(
      all,
    );
  });

  test('of the operator, where null and 0 may be values', async () => {
    const operator = new Operator(node);
    const uid = await node.user();
    const patch = async (body: object) => expectOk(await operator.patch(`users/${uid}`, body));
    await patch({ makerFee: 0, maxOpenOrders: 7 });
    const unsent = { kyc: null, status: '', takerFee: '', enterpriseId: '', enterpriseAdmin: null };
    const after = await patch({ ...unsent, maxOpenOrders: 8 });
    expect<unknown>(after).toMatchObject({ makerFee: 0, takerFee: null, maxOpenOrders: 8 });
    expect<unknown>(await patch({ makerFee: null })).toMatchObject({ makerFee: null });
  });
});
