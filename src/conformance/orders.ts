// Checks of orders: what may be entered, what is refused and how, what the report of an order says
// in FIX codes.
import * as decimal from '../sdk/decimal.ts';
import { type Check, expect, expectSame, Skipped, section } from './check.ts';
import { decimalText, expectOk, expectRefused, expectShape, type Shape } from './expect.ts';
import { type Kit, MARKET, SPOT } from './kit.ts';
import type { Json } from './wire.ts';

const create = section('trading', 'createNewOrder');
const testing = section('trading', 'createTestOrder');
const report = section('trading', 'Execution report');
const errors = section('trading', 'Errors');
const limits = section('trading', 'Limits');
const ours = section('agio', 'Orders');
const strict = section('agio', 'Strictness');

const TEST_ORDER = `${SPOT}/testorder`;
const INVALID = 100200;
const UNKNOWN_SYMBOL = 100201;
const MISMATCH = 100202;
const NO_MONEY = 100206;
const TOO_SMALL = 100207;
const OFF_GRID = 100208;
const UNSUPPORTED = 100210;

export const REPORT: Shape = {
  rowId: 'integer',
  type: 'text',
  account: 'integer',
  orderId: 'integer',
  execId: 'integer',
  clOrdId: 'text',
  side: 'integer',
  orderQty: 'decimal?',
  quoteOrderQty: 'decimal?',
  cumQty: 'decimal',
  leavesQty: 'decimal',
  price: 'decimal?',
  stopPx: 'decimal?',
  avgPx: 'decimal',
  lastPx: 'decimal',
  lastQty: 'decimal',
  symbol: 'text',
  securityId: 'integer',
  ordType: 'integer',
  timeInForce: 'text',
  ordStatus: 'integer',
  execType: 'integer',
  transactTime: 'time',
};

/** A test order that must be refused. */
async function refused(kit: Kit, body: object, code: number, field?: string): Promise<void> {
  expectRefused(await kit.wire.post(TEST_ORDER, body), 400, code, field);
}

/**
 * Two prices that lie inside of the spread, so that nobody else is met. Throws Skipped where there
 * are none.
 */
async function priceInside(kit: Kit): Promise<string> {
  const { symbol, tick, bidPrice } = await kit.pair();
  const book = expectOk(await kit.wire.open(`${MARKET}/orderbook`, { symbol, depth: 1 }));
  const bid = book.bids?.[0]?.[0] as unknown;
  const ask = book.asks?.[0]?.[0] as unknown;
  if (ask === undefined) {
    const above = bid === undefined ? bidPrice : decimalText(bid);
    return decimal.add(above, decimal.multiply(tick, '2'));
  }
  const below = decimal.subtract(decimalText(ask), tick);
  const isFree = bid === undefined || decimal.compare(decimalText(bid), below) < 0;
  if (!isFree)
    throw new Skipped('the spread is one tick: an own trade would meet somebody else’s order');
  return below;
}

export const orderChecks: readonly Check[] = [
  create(
    'ORD-01',
    'An order is answered with orderId, symbol, clOrdId and transactTime.',
    async (kit) => {
      const { symbol } = await kit.pair();
      const clOrdId = `kit-${Date.now()}`;
      const answer = expectOk(await kit.enter(kit.bid(await kit.pair(), { clOrdId })));
      expectShape('the answer', answer, {
        orderId: 'integer',
        symbol: 'text',
        clOrdId: 'text',
        transactTime: 'time',
      });
      expectSame('symbol, as sent', answer.symbol, symbol);
      expectSame('clOrdId, as sent', answer.clOrdId, clOrdId);
    },
  ),
  create('ORD-02', 'Without a clOrdId the system generates one.', async (kit) => {
    for (const more of [{}, { clOrdId: '' }]) {
      const answer = expectOk(await kit.enter(kit.bid(await kit.pair(), more)));
      expect(String(answer.clOrdId ?? '').length > 0, 'a generated clOrdId', answer.clOrdId);
    }
  }),
  report('ORD-03', 'The report of a new order has the fields of the table.', async (kit) => {
    const row = await kit.row(await kit.rest());
    expect(row !== undefined, 'the order to be found', row);
    expectShape('the report', row, REPORT);
    expectSame('type', row.type, 'ORDER');
    expectSame('account', row.account, 1);
    expectSame('timeInForce', row.timeInForce, '1');
  }),
  report(
    'ORD-04',
    'A resting order is new: ordStatus 0, execType 0, nothing filled.',
    async (kit) => {
      const { quantity, bidPrice, symbol, securityId } = await kit.pair();
      const row = await kit.row(await kit.rest());
      expectSame('ordStatus and execType', [row.ordStatus, row.execType], [0, 0]);
      expectSame('side and ordType', [row.side, row.ordType], [1, 2]);
      expectSame('the pair', [row.symbol, row.securityId], [symbol, securityId]);
      const amounts = ['orderQty', 'leavesQty', 'price', 'cumQty'].map((name) =>
        decimalText(row[name]),
      );
      expectSame('orderQty, leavesQty, price, cumQty', amounts, [
        quantity,
        quantity,
        bidPrice,
        '0',
      ]);
    },
  ),
  create('ORD-05', 'A limit order needs a price, and it is above 0.', async (kit) => {
    const bid = kit.bid(await kit.pair());
    await refused(kit, { ...bid, price: undefined }, INVALID, 'price');
    await refused(kit, { ...bid, price: 0 }, INVALID, 'price');
  }),
  create('ORD-06', 'Either orderQty or quoteOrderQty has to be given.', async (kit) => {
    const { symbol } = await kit.pair();
    await refused(kit, { symbol, side: 1, ordType: 1 }, INVALID, 'orderQty');
    await refused(kit, kit.bid(await kit.pair(), { orderQty: undefined }), INVALID, 'orderQty');
  }),
  create('ORD-07', 'quoteOrderQty is for market buys only.', async (kit) => {
    const { symbol } = await kit.pair();
    await refused(
      kit,
      { symbol, side: 2, ordType: 1, quoteOrderQty: 10 },
      INVALID,
      'quoteOrderQty',
    );
    await refused(kit, kit.bid(await kit.pair(), { quoteOrderQty: 10 }), INVALID, 'quoteOrderQty');
  }),
  errors(
    'ORD-08',
    'A market buy with an invalid orderQty is an error whose userMsg names it.',
    async (kit) => {
      const { symbol, quantity } = await kit.pair();
      const body = { symbol, side: 1, ordType: 1, orderQty: quantity, quoteOrderQty: 10 };
      await refused(kit, body, INVALID, 'orderQty');
      await refused(kit, { symbol, side: 1, ordType: 1, orderQty: 'much' }, INVALID, 'orderQty');
    },
  ),
  create(
    'ORD-09',
    'The pair is named by symbol or by securityId; one of them has to be given.',
    async (kit) => {
      const { securityId } = await kit.pair();
      const bid = kit.bid(await kit.pair());
      expectOk(await kit.wire.post(TEST_ORDER, { ...bid, symbol: undefined, securityId }));
      await refused(kit, { ...bid, symbol: undefined }, INVALID, 'symbol');
      await refused(kit, { ...bid, symbol: 'NO-SUCH' }, UNKNOWN_SYMBOL);
    },
  ),
  errors(
    'ORD-10',
    'A symbol and a securityId that do not correspond are a mismatch error.',
    async (kit) => {
      const { securityId } = await kit.pair();
      const { status, json } = await kit.wire.post(
        TEST_ORDER,
        kit.bid(await kit.pair(), { securityId: securityId + 1 }),
      );
      const code = String(json?.code);
      const isMismatch =
        status === 400 && (code === String(MISMATCH) || code === String(UNKNOWN_SYMBOL));
      expect(isMismatch, `400 with code ${MISMATCH}`, `${status} ${code}`);
    },
  ),
  limits('ORD-11', 'A price off its increment is refused, never rounded.', async (kit) => {
    const { bidPrice, tick } = await kit.pair();
    const price = decimal.add(bidPrice, decimal.multiply(tick, '0.5'));
    await refused(kit, kit.bid(await kit.pair(), { price }), OFF_GRID, 'price');
  }),
  limits('ORD-12', 'A quantity off its increment is refused, never rounded.', async (kit) => {
    const { quantity, lot } = await kit.pair();
    const orderQty = decimal.add(quantity, decimal.multiply(lot, '0.5'));
    await refused(kit, kit.bid(await kit.pair(), { orderQty }), OFF_GRID, 'orderQty');
  }),
  limits('ORD-13', 'A quantity below the minimum is refused.', async (kit) => {
    const { minQuantity, lot } = await kit.pair();
    const orderQty = decimal.subtract(minQuantity, lot);
    if (!decimal.isPositive(orderQty)) throw new Skipped('the minimum is one increment');
    await refused(kit, kit.bid(await kit.pair(), { orderQty }), TOO_SMALL, 'orderQty');
  }),
  limits('ORD-14', 'timeInForce is 1 only, execInst 6 only, account 1 only.', async (kit) => {
    const pair = await kit.pair();
    expectOk(await kit.wire.post(TEST_ORDER, kit.bid(pair, { timeInForce: '1', account: 1 })));
    for (const [field, value] of [
      ['timeInForce', '3'],
      ['execInst', '5'],
      ['account', 2],
      ['ordType', '3'],
    ] as const) {
      await refused(kit, kit.bid(pair, { [field]: value }), UNSUPPORTED, field);
    }
  }),
  create('ORD-15', 'side is 1 or 2.', async (kit) => {
    const pair = await kit.pair();
    await refused(kit, kit.bid(pair, { side: '3' }), INVALID, 'side');
    await refused(kit, kit.bid(pair, { side: undefined }), INVALID, 'side');
  }),
  errors('ORD-16', 'What the balance does not cover is refused.', async (kit) => {
    const { quote, bidPrice, lot } = await kit.pair();
    const has = await kit.has(quote);
    const lots = decimal.floorTo(decimal.divideDown(has, bidPrice, 18), lot);
    const orderQty = decimal.add(decimal.multiply(lots, '2'), lot);
    await refused(kit, kit.bid(await kit.pair(), { orderQty }), NO_MONEY);
  }),
  strict(
    'ORD-17',
    'A field that the call does not have is refused by name; so is one that is sent twice.',
    async (kit) => {
      const bid = kit.bid(await kit.pair());
      await refused(kit, { ...bid, ordertype: 2 }, INVALID, 'ordertype');
      const twice = JSON.stringify(bid).replace('{', '{"side":1,');
      expectRefused(await kit.wire.post(TEST_ORDER, twice), 400, INVALID);
    },
  ),
  strict('ORD-18', 'Decimals are taken as numbers or strings, without exponents.', async (kit) => {
    const { bidPrice, quantity, symbol } = await kit.pair();
    const text = (price: string) =>
      `{"symbol":"${symbol}","side":1,"ordType":2,"price":${price},"orderQty":"${quantity}"}`;
    expectOk(await kit.wire.post(TEST_ORDER, text(bidPrice)));
    expectOk(await kit.wire.post(TEST_ORDER, text(`"${bidPrice}"`)));
    expectRefused(await kit.wire.post(TEST_ORDER, text('1e2')), 400, INVALID, 'price');
  }),
  testing('ORD-19', 'A test order is checked as a real one, and creates none.', async (kit) => {
    const { symbol, bidPrice, tick } = await kit.pair();
    const clOrdId = `kit-test-${Date.now()}`;
    const { status, text } = await kit.wire.post(
      TEST_ORDER,
      kit.bid(await kit.pair(), { clOrdId }),
    );
    expect(status === 200 && text === '{}', 'an empty object', `${status} ${text}`);
    const found = expectOk(await kit.wire.get(`${SPOT}/orders`, { type: 'SINGLE', clOrdId }));
    expectSame('orders with the clOrdId of the test', found.data, []);
    const off = decimal.add(bidPrice, decimal.multiply(tick, '0.5'));
    const body = { ...kit.bid(await kit.pair()), symbol, price: off };
    const [tested, real] = [await kit.wire.post(TEST_ORDER, body), await kit.enter(body)];
    expectRefused(real, 400, OFF_GRID);
    expectSame('the refusal of the test order', tested.text, real.text);
  }),
  create('ORD-20', 'A post-only order rests, and its report says so.', async (kit) => {
    const row = await kit.row(await kit.rest({ execInst: '6' }));
    expectSame('execInst and ordStatus', [row.execInst, row.ordStatus], ['6', 0]);
  }),
  errors('ORD-21', 'A rejected order reports ordRejReason and ordRejText.', async (kit) => {
    const { base, bidPrice, quantity } = await kit.pair();
    if (decimal.compare(await kit.has(base), quantity) < 0) {
      throw new Skipped(`the account has less than ${quantity} ${base} to offer`);
    }
    await kit.rest();
    const ask = kit.bid(await kit.pair(), { side: 2, price: bidPrice, execInst: '6' });
    const { orderId } = expectOk(await kit.enter(ask));
    const row = await kit.row(Number(orderId));
    expectSame('ordStatus and execType', [row.ordStatus, row.execType], [8, 8]);
    expectShape('the report', row, { ordRejReason: 'integer', ordRejText: 'text' });
    expectSame('leavesQty', row.leavesQty, 0);
  }),
  report(
    'ORD-22',
    'A filled order is ordStatus 2 with cumQty and avgPx; both sides tell of it.',
    trade,
  ),
  create('ORD-23', 'An orderId is above those of before.', async (kit) => {
    const [first, second] = [await kit.rest(), await kit.rest()];
    expect(second > first, `an orderId above ${first}`, second);
  }),
  ours('ORD-24', 'Every refusal of a value says what would pass.', async (kit) => {
    const { bidPrice, tick } = await kit.pair();
    const price = decimal.add(bidPrice, decimal.multiply(tick, '0.5'));
    const body = kit.bid(await kit.pair(), { price });
    const { details } = expectRefused(await kit.wire.post(TEST_ORDER, body), 400, OFF_GRID);
    expectSame('details.field', details?.field, 'price');
    expectSame('details.limit', decimalText(details?.limit as unknown), tick);
  }),
];

/** The account trades with itself, inside the spread. */
async function trade(kit: Kit): Promise<void> {
  const pair = await kit.pair();
  if (decimal.compare(await kit.has(pair.base), pair.quantity) < 0) {
    throw new Skipped(`the account has less than ${pair.quantity} ${pair.base} to sell`);
  }
  const price = await priceInside(kit);
  const ask = await kit.enter(kit.bid(pair, { side: 2, price }));
  if (String(ask.json?.code) === '100211') throw new Skipped('a price band is in the way');
  const bid = await kit.enter(kit.bid(pair, { price }));
  const ids = [ask, bid].map((answer) => Number(expectOk(answer).orderId));
  const rows = await Promise.all(ids.map((orderId) => kit.row(orderId)));
  if (rows.some(({ ordCxlText }) => ordCxlText !== undefined)) {
    throw new Skipped(
      'self-trade prevention is on in this pair, and there is nobody else to trade with',
    );
  }
  for (const row of rows) {
    expectSame('ordStatus and execType', [row.ordStatus, row.execType], [2, 2]);
    const told = ['cumQty', 'leavesQty', 'avgPx'].map((name) => decimalText(row[name]));
    expectSame('cumQty, leavesQty, avgPx', told, [pair.quantity, '0', price]);
  }
  const fills = expectOk(await kit.wire.get(`${SPOT}/trades`, { symbol: pair.symbol, size: 10 }));
  const own = (fills as unknown as Json[]).filter(({ orderId }) => ids.includes(Number(orderId)));
  expectSame('sides of the two fills', own.map(({ side }) => side).sort() as unknown, [1, 2]);
}
