// The orders of others: a call that names one is answered as one that names nothing, whatever else
// it asks for.
import { beforeAll, describe, expect, test } from 'bun:test';
import {
  AMEND,
  type Answer,
  CANCEL,
  type Client,
  FILLS,
  type Json,
  ORDER_V2,
  ORDERS,
  ORDERS_V2,
  type Query,
  TestNode,
} from '../support/node.ts';
import { expectOk } from '../support/shape.ts';
import { OWN_ORDERS, StreamClient } from '../support/stream.ts';

const node = TestNode.forFile();
const NOBODYS = 999_999_999;
let client: Client;
/** A visible order, a hidden stop, a canceled order and a filled one of somebody else. */
let others: number[];
beforeAll(async () => {
  client = await node.client();
  const [owner, third] = [await node.client(), await node.client()];
  const canceled = await owner.limit(1, '80', '1');
  expectOk(await owner.post(CANCEL, { orderId: canceled }));
  const filled = await owner.limit(2, '100', '1');
  await third.limit(1, '100', '1');
  const terms = { symbol: 'MMX-USDT', side: 1, ordType: 3, stopPx: 2, orderQty: 10 };
  const stop = { ...terms, clOrdId: 'stop' };
  others = [
    await owner.limit(1, '90', '1', { clOrdId: 'bid' }),
    Number(expectOk(await owner.post(ORDER_V2, stop)).orderId),
    ...[canceled, filled],
  ];
});

/** Off the grids of all pairs, or below their minimums, or not for the order. */
const CHANGES = [
  { price: '90.00001' },
  { stopPx: '2.00001' },
  { orderQty: '0.0000001' },
  { orderQty: '0.05' },
  { displayQty: '0.0000001' },
  { expireTime: 1 },
];
/** Names that a call may have besides the id. */
const NAMES = [{}, { origClOrdId: 'bid' }, { origClOrdId: 'stop' }];

/** Calls that name an order, with a change or another name. */
const CALLS: Record<string, (named: object, change: object) => Promise<Answer>> = {
  amend: (named, change) => client.post(AMEND, { ...named, ...change }),
  cancel: (named) => client.post(CANCEL, named),
  batch: (named, change) => {
    const orders = [
      { op: 'amend', ...named, ...change },
      { op: 'cancel', ...named },
    ];
    return client.post(ORDERS_V2, { orders });
  },
};

describe('an order of another account', () => {
  for (const [name, call] of Object.entries(CALLS)) {
    test(`${name}: 100203, as for no order`, async () => {
      for (const change of CHANGES) {
        for (const name of NAMES) {
          const expected = (await call({ orderId: NOBODYS, ...name }, change)).text;
          expect(expected).toContain('"100203"');
          for (const orderId of others) {
            const { text } = await call({ orderId, ...name }, change);
            expect([change, name, text]).toEqual([change, name, expected]);
          }
        }
      }
    });
  }

  test('over a websocket: 100203, as for no order', async () => {
    await using own = await StreamClient.login(node, OWN_ORDERS, client);
    for (const change of CHANGES) {
      for (const orderId of [...others, NOBODYS]) {
        const amend = await own.order('order.amend', { orderId, ...change });
        const cancel = await own.order('order.cancel', { orderId });
        const orders = [{ op: 'amend', orderId, ...change }];
        const { data } = await own.order('order.batch', { orders });
        const [entry] = (data as unknown as { orders: [Json] }).orders;
        const codes = [amend.error, cancel.error, entry].map((e) => e!.code);
        expect<unknown>([change, codes]).toEqual([change, ['100203', '100203', '100203']]);
      }
    }
  });

  test('is in no answer to a query', async () => {
    const queries = [...others, NOBODYS].flatMap((orderId) => [
      { type: 'SINGLE', orderId },
      { type: 'SINGLE', clOrdId: `api_${client.uid + 1}_${orderId}` },
    ]);
    const names = { type: 'SINGLE', clOrdId: 'bid' };
    for (const query of [...queries, names, { type: 'OPEN' }, { type: 'COMPLETED' }]) {
      const found = await client.get(ORDERS, query as Query);
      expect<unknown>([query, expectOk(found).data]).toEqual([query, []]);
    }
    for (const query of ['', ...others.map((orderId) => `orderId=${orderId}`)]) {
      expect<unknown>((await client.get(FILLS, query)).body).toEqual([]);
    }
  });
});
