// Checks of orders: which orders are accepted, how others are rejected, and the execution report in
// FIX codes.
import { marketDataCalls } from '../contract/market-data/calls.ts';
import { accountCalls, orderCalls } from '../contract/trading/calls.ts';
import * as decimal from '../sdk/decimal.ts';
import { type Check, section } from './check.ts';
import {
  type CodeName,
  expect,
  expectDescribed,
  expectRejected,
  expectSame,
  Skip,
} from './expect.ts';
import { expectMismatch, isCode, type Kit, type Pair } from './kit.ts';
import type { Fields } from './wire.ts';

const create = section('trading', 'createNewOrder');
const testing = section('trading', 'createTestOrder');
const report = section('trading', 'Execution report');
const errors = section('trading', 'Errors');
const limits = section('trading', 'Limits');
const ours = section('agio', 'Orders');
const strict = section('agio', 'Strictness');

const { createOrder, testOrder } = orderCalls;

/** The bid of the kit with these fields changed has to be rejected. */
async function expectRejectedBid(
  kit: Kit,
  more: Fields,
  code: CodeName,
  field?: string,
): Promise<Fields> {
  return kit.expectRejected(testOrder, await kit.bid(more), code, field);
}

/** A price between two steps. */
const offTick = ({ bidPrice, tick }: Pair): string =>
  decimal.add(bidPrice, decimal.multiply(tick, '0.5'));

async function requireBase(kit: Kit): Promise<void> {
  const { base, quantity } = await kit.pair();
  if (decimal.compare(await kit.has(base), quantity) >= 0) return;
  throw new Skip(`the account has less than ${quantity} ${base} to sell`);
}

/** A price inside the spread, where only own orders trade. Throws Skip if there is none. */
async function priceInside(kit: Kit): Promise<string> {
  const { symbol, tick, bidPrice } = await kit.pair();
  const { bids, asks } = await kit.call(marketDataCalls.orderbook, { symbol, depth: 1 });
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]];
  if (ask === undefined) return decimal.add(bid ?? bidPrice, decimal.multiply(tick, '2'));
  const below = decimal.subtract(ask, tick);
  if (bid === undefined || decimal.compare(bid, below) < 0) return below;
  throw new Skip('the spread is one tick: an own trade would meet somebody else’s order');
}

export const orderChecks: readonly Check[] = [
  create(
    'ORD-01',
    'An order is answered with orderId, symbol, clOrdId and transactTime.',
    async (kit) => {
      const { symbol } = await kit.pair();
      const clOrdId = `kit-${Date.now()}`;
      const created = await kit.create(await kit.bid({ clOrdId }));
      const sent = [created.symbol, created.clOrdId];
      expectSame('symbol and clOrdId, as sent', sent, [symbol, clOrdId]);
    },
  ),
  create('ORD-02', 'Without a clOrdId the system generates one.', async (kit) => {
    for (const more of [{}, { clOrdId: '' }]) {
      const { clOrdId } = await kit.create(await kit.bid(more));
      expect(clOrdId !== '', 'a generated clOrdId', clOrdId);
    }
  }),
  report('ORD-03', 'The report of a new order has the fields of the table.', async (kit) => {
    const { orderId, transactTime } = await kit.create(await kit.bid());
    const row = await kit.row(orderId);
    expectSame('account and transactTime', [row.account, row.transactTime], [1, transactTime]);
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
      const amounts = [row.orderQty, row.leavesQty, row.price, row.cumQty];
      const sent = [quantity, quantity, bidPrice, '0'];
      expectSame('orderQty, leavesQty, price, cumQty', amounts, sent);
    },
  ),
  create('ORD-05', 'A limit order needs a price, and it is above 0.', async (kit) => {
    await expectRejectedBid(kit, { price: undefined }, 'invalidField', 'price');
    await expectRejectedBid(kit, { price: 0 }, 'invalidField', 'price');
  }),
  create('ORD-06', 'An order needs orderQty or quoteOrderQty.', async (kit) => {
    const { symbol } = await kit.pair();
    const market = { symbol, side: 1, ordType: 1 };
    await kit.expectRejected(testOrder, market, 'invalidField', 'orderQty');
    await expectRejectedBid(kit, { orderQty: undefined }, 'invalidField', 'orderQty');
  }),
  create('ORD-07', 'quoteOrderQty is for market buys only.', async (kit) => {
    const { symbol } = await kit.pair();
    const sell = { symbol, side: 2, ordType: 1, quoteOrderQty: 10 };
    await kit.expectRejected(testOrder, sell, 'invalidField', 'quoteOrderQty');
    await expectRejectedBid(kit, { quoteOrderQty: 10 }, 'invalidField', 'quoteOrderQty');
  }),
  errors(
    'ORD-08',
    'A market buy with an invalid orderQty is an error whose userMsg names it.',
    async (kit) => {
      const { symbol, quantity } = await kit.pair();
      const market = { symbol, side: 1, ordType: 1 };
      for (const more of [{ orderQty: quantity, quoteOrderQty: 10 }, { orderQty: 'much' }]) {
        await kit.expectRejected(testOrder, { ...market, ...more }, 'invalidField', 'orderQty');
      }
    },
  ),
  create('ORD-09', 'symbol or securityId names the pair; one of them is required.', async (kit) => {
    const { securityId } = await kit.pair();
    await kit.call(testOrder, await kit.bid({ symbol: undefined, securityId }));
    await expectRejectedBid(kit, { symbol: undefined }, 'invalidField', 'symbol');
    await expectRejectedBid(kit, { symbol: 'NO-SUCH' }, 'unknownSymbol');
  }),
  errors(
    'ORD-10',
    'A symbol and a securityId that do not correspond are a mismatch error.',
    async (kit) => {
      const { securityId } = await kit.pair();
      const other = await kit.bid({ securityId: securityId + 1 });
      expectMismatch(await kit.wire.send(testOrder, other));
    },
  ),
  limits('ORD-11', 'A price off its increment is rejected, never rounded.', async (kit) => {
    const price = offTick(await kit.pair());
    await expectRejectedBid(kit, { price }, 'offIncrement', 'price');
  }),
  limits('ORD-12', 'A quantity off its increment is rejected, never rounded.', async (kit) => {
    const { quantity, lot } = await kit.pair();
    const orderQty = decimal.add(quantity, decimal.multiply(lot, '0.5'));
    await expectRejectedBid(kit, { orderQty }, 'offIncrement', 'orderQty');
  }),
  limits('ORD-13', 'A quantity below the minimum is rejected.', async (kit) => {
    const { minQuantity, lot } = await kit.pair();
    const orderQty = decimal.subtract(minQuantity, lot);
    if (!decimal.isPositive(orderQty)) throw new Skip('the minimum is one increment');
    await expectRejectedBid(kit, { orderQty }, 'belowMinimum', 'orderQty');
  }),
  limits('ORD-14', 'timeInForce is 1 only, execInst 6 only, account 1 only.', async (kit) => {
    await kit.call(testOrder, await kit.bid({ timeInForce: '1', account: 1 }));
    const others = { timeInForce: '3', execInst: '5', account: 2, ordType: '3' };
    for (const [field, value] of Object.entries(others)) {
      await expectRejectedBid(kit, { [field]: value }, 'unsupported', field);
    }
  }),
  create('ORD-15', 'side is 1 or 2.', async (kit) => {
    await expectRejectedBid(kit, { side: '3' }, 'invalidField', 'side');
    await expectRejectedBid(kit, { side: undefined }, 'invalidField', 'side');
  }),
  errors('ORD-16', 'An order that costs more than the balance is rejected.', async (kit) => {
    const { quote, bidPrice, lot } = await kit.pair();
    const has = await kit.has(quote);
    const lots = decimal.floorTo(decimal.divideDown(has, bidPrice, 18), lot);
    const orderQty = decimal.add(decimal.multiply(lots, '2'), lot);
    await expectRejectedBid(kit, { orderQty }, 'insufficientBalance');
  }),
  strict(
    'ORD-17',
    'A field that the call does not have is rejected by name; so is a field that is sent twice.',
    async (kit) => {
      await expectRejectedBid(kit, { ordertype: 2 }, 'invalidField', 'ordertype');
      const twice = JSON.stringify(await kit.bid()).replace('{', '{"side":1,');
      await kit.expectRejected(testOrder, twice, 'invalidField');
    },
  ),
  strict('ORD-18', 'Decimals are numbers or strings, also with an exponent.', async (kit) => {
    const { bidPrice, quantity, symbol } = await kit.pair();
    const body = (price: string) =>
      `{"symbol":"${symbol}","side":1,"ordType":2,"price":${price},"orderQty":"${quantity}"}`;
    await kit.call(testOrder, body(bidPrice));
    await kit.call(testOrder, body(`"${bidPrice}"`));
    await kit.call(testOrder, body(`${bidPrice}e0`));
    await kit.expectRejected(testOrder, body('1e999999999'), 'invalidField', 'price');
  }),
  testing('ORD-19', 'A test order is checked as a real one, and creates none.', async (kit) => {
    const clOrdId = `kit-test-${Date.now()}`;
    await kit.call(testOrder, await kit.bid({ clOrdId }));
    const rows = await kit.rows({ type: 'SINGLE', clOrdId });
    expectSame('orders with the clOrdId of the test', rows, []);
    const body = await kit.bid({ price: offTick(await kit.pair()) });
    const [tested, real] = [await kit.wire.send(testOrder, body), await kit.enter(body)];
    expectRejected(real, 'offIncrement');
    expectSame('the rejection of the test order', tested.text, real.text);
  }),
  create('ORD-20', 'A post-only order rests, and its report says so.', async (kit) => {
    const row = await kit.row(await kit.rest({ execInst: '6' }));
    expectSame('execInst and ordStatus', [row.execInst, row.ordStatus], ['6', 0]);
  }),
  errors('ORD-21', 'A rejected order reports ordRejReason and ordRejText.', async (kit) => {
    await requireBase(kit);
    await kit.rest();
    const { orderId } = await kit.create(await kit.bid({ side: 2, execInst: '6' }));
    const row = await kit.row(orderId);
    expectSame('ordStatus and execType', [row.ordStatus, row.execType], [8, 8]);
    expectSame('execInst', row.execInst, '6');
    const hasReason = row.ordRejReason !== undefined && row.ordRejText !== undefined;
    expect(hasReason, 'ordRejReason and ordRejText', row);
    expectSame('leavesQty', row.leavesQty, '0');
  }),
  report(
    'ORD-22',
    'A filled order is ordStatus 2 with cumQty and avgPx; both sides report it.',
    expectOwnTrade,
  ),
  create('ORD-23', 'An orderId is above all earlier ones.', async (kit) => {
    const [first, second] = [await kit.rest(), await kit.rest()];
    expect(second > first, `an orderId above ${first}`, second);
  }),
  ours('ORD-24', 'Every rejection of a value gives the valid ones.', async (kit) => {
    const pair = await kit.pair();
    const { field, limit } = await expectRejectedBid(kit, { price: offTick(pair) }, 'offIncrement');
    expectSame('details.field and details.limit', [field, limit], ['price', pair.tick]);
  }),
];

/** The account trades with itself, inside the spread. */
async function expectOwnTrade(kit: Kit): Promise<void> {
  await requireBase(kit);
  const { symbol, quantity } = await kit.pair();
  const price = await priceInside(kit);
  const ask = await kit.enter(await kit.bid({ side: 2, price }));
  if (isCode(ask, 'priceOutsideBand')) throw new Skip('the pair has a narrow price band');
  const bid = await kit.enter(await kit.bid({ price }));
  const ids = [ask, bid].map((answer) => expectDescribed(createOrder, answer).orderId);
  const rows = await Promise.all(ids.map((orderId) => kit.row(orderId)));
  if (rows.some(({ ordCxlText }) => ordCxlText !== undefined)) {
    throw new Skip(
      'self-trade prevention is on in this pair, and there is nobody else to trade with',
    );
  }
  for (const row of rows) {
    expectSame('ordStatus and execType', [row.ordStatus, row.execType], [2, 2]);
    const amounts = [row.cumQty, row.leavesQty, row.avgPx];
    expectSame('cumQty, leavesQty, avgPx', amounts, [quantity, '0', price]);
  }
  const fills = await kit.call(accountCalls.fills, { symbol, size: 10 });
  const own = fills.filter(({ orderId }) => ids.includes(orderId));
  expectSame('sides of the two fills', own.map(({ side }) => side).sort(), [1, 2]);
}
