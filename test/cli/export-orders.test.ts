// `agio export` writes each term of an order, also within a batch and with all digits, and each
// movement of a statement beside its order.
import { expect, test } from 'bun:test';
import type { Command } from '../../src/core/command.ts';
import { OrdType, Side, TimeInForce, TriggerPriceDirection } from '../../src/core/fix.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';
import { openFileJournal } from '../../src/journal/open-journal.ts';
import { agio, Place } from '../support/cli.ts';
import { amendOf, limitWith, ocoOf, stopOf } from '../support/order-types.ts';
import { placeOrder, Venue } from '../support/venue.ts';
import { appendLog } from '../support/view-files.ts';

test('export journal writes the terms of orders, and the entries of a batch', async () => {
  using place = new Place();
  const data = place.path('data');
  const venue = new Venue();
  const bracket = { takeProfitPx: ticks(150), stopPx: ticks(90), stopLimitPx: ticks(0), trail: 0 };
  const extras = {
    timeInForce: 1,
    expireTime: 0,
    displayQty: lots(0),
    selfTradePrevention: null,
    stopPx: ticks(120),
    triggerPriceDirection: TriggerPriceDirection.up,
    trail: 0,
    bracket,
  } as const;
  const stop = { uid: 1, side: Side.buy, ordType: OrdType.stop, orderQty: lots(1), extras };
  venue.send(placeOrder(stop));
  const budget = { ordType: OrdType.market, quoteOrderQty: amount(9_999_999_999_000_000_000n) };
  const { uid, signature, idempotency, ...byQuote } = placeOrder({
    ...stop,
    ...budget,
    extras: null,
  });
  venue.send({ type: 'orderBatch', uid, signature, idempotency, entries: [byQuote] });
  const journal = await openFileJournal(data);
  await appendLog(journal, venue.log);
  await journal.close();
  const { code, stdout, stderr } = await agio(['export', 'journal', '--data', data]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [order, batch] = stdout.trimEnd().split('\n').slice(-2);
  expect(JSON.parse(order!).command).toMatchObject({
    type: 'placeOrder',
    extras: { stopPx: 120, bracket },
  });
  expect(batch).toContain('"quoteOrderQty":9999999999000000000,');
  expect(JSON.parse(batch!).command.entries).toMatchObject([{ type: 'placeOrder', ordType: 1 }]);
});

const price = (usdt: number): number => usdt * 100;
const btc = (quantity: number): number => Math.round(quantity * 1_000_000);
const [ALICE, BOB, CAROL] = [1, 2, 3];

/** Alice trades a bracket, an iceberg, an OCO pair and a stop. */
function tradedVenue(): Venue {
  const fees = { makerFee: 100_000, takerFee: 200_000 };
  const ten = amount(10 * 10 ** 8);
  const venue = new Venue({ users: 3, btc: ten, usdt: amount(10_000 * 10 ** 8), terms: fees });
  const bracket = {
    takeProfitPx: ticks(price(110)),
    stopPx: ticks(price(95)),
    stopLimitPx: ticks(0),
    trail: 0,
  };
  venue.must(limitWith([ALICE, Side.buy, price(100), btc(1)], { bracket }));
  venue.sell(BOB, price(100), btc(1));
  // The stop of the exits sells at 94 and cancels the limit order of its pair.
  venue.buy(BOB, price(94), btc(0.999));
  venue.buy(CAROL, price(95), btc(0.5));
  venue.sell(BOB, price(95), btc(0.5));
  venue.must(limitWith([ALICE, Side.sell, price(105), btc(3)], { displayQty: lots(btc(1)) }));
  venue.buy(BOB, price(105), btc(2));
  const orderQty = btc(1);
  venue.must(
    ocoOf({ uid: ALICE, side: Side.sell, price: price(104), stopPx: price(90), orderQty }),
  );
  venue.buy(CAROL, price(104), btc(0.4));
  const until = {
    timeInForce: TimeInForce.goodTillDate,
    expireTime: venue.time + 60_000,
  };
  const { orderId } = venue.must(stopOf([ALICE, Side.buy, price(106), btc(1)], {}, until));
  venue.must(amendOf(ALICE, orderId, { orderQty: lots(btc(0.5)) }));
  return venue;
}

/** A statement reads a snapshot, which is sealed. */
const env = { AGIO_MASTER_KEY: '8'.repeat(64) };

async function exported(venue: Venue, what: string): Promise<string[]> {
  using place = new Place();
  const data = place.path('data');
  const journal = await openFileJournal(data);
  await appendLog(journal, venue.log);
  await journal.close();
  const { code, stdout, stderr } = await agio(`export ${what} --data ${data}`, { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

test('export journal has every term of each command', async () => {
  const venue = tradedVenue();
  const inJson = (command: Command): unknown =>
    JSON.parse(
      JSON.stringify(command, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
    );
  const lines = await exported(venue, 'journal');
  expect(lines.map((line) => JSON.parse(line).command)).toEqual(
    venue.log.map(({ command }) => inJson(command)),
  );
});

test('export statement has the fills of exits, icebergs and pairs by order', async () => {
  const [, ...lines] = await exported(tradedVenue(), 'statement 1');
  const rows = lines.map((line) => line.trimEnd().split(','));
  const facts = rows.flatMap(([, , type, asset, change, balance, tradeId, orderId]) =>
    type === 'credit' ? [] : [`${orderId}/${tradeId} ${type} ${change} ${asset} = ${balance}`],
  );
  expect(facts).toEqual([
    '1/1 trade -100 USDT = 9900',
    '1/1 trade 1 BTC = 11',
    '1/1 fee -0.001 BTC = 10.999',
    '4/3 trade -0.999 BTC = 10',
    '4/3 trade 93.906 USDT = 9993.906',
    '4/3 fee -0.187812 USDT = 9993.718188',
    '8/4 trade -2 BTC = 8',
    '8/4 trade 210 USDT = 10203.718188',
    '8/4 fee -0.21 USDT = 10203.508188',
    '11/5 trade -0.4 BTC = 7.6',
    '11/5 trade 41.6 USDT = 10245.108188',
    '11/5 fee -0.0416 USDT = 10245.066588',
  ]);
});
