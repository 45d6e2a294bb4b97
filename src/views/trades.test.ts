// The trades view against the list of trade events: the public trades of an instrument, and each
// user's own fills.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ETH, ETH_USDT, tradedVenue } from '../../test/support/trading-workload.ts';
import { BTC, BTC_USDT, USDT, Venue } from '../../test/support/venue.ts';
import { eventsOf, storeOf, TemporaryDirectory } from '../../test/support/view-files.ts';
import type { Trade } from '../core/event.ts';
import { Side } from '../core/fix.ts';
import { add, amount, RATE_ONE } from '../core/units.ts';
import type { AggTrade } from './agg-trades.ts';
import type { Fill, FillsQuery } from './fills.ts';
import type { AggTradesQuery } from './trades.ts';
import type { ViewStore } from './view-store.ts';

const USERS = 3;
let directory: TemporaryDirectory;
let store: ViewStore;
let venue: Venue;
/** Newest first. */
let trades: Trade[];

beforeAll(() => {
  directory = new TemporaryDirectory();
  const terms = { makerFee: 0, takerFee: RATE_ONE / 1000 };
  venue = tradedVenue(2, 3000, { users: USERS, terms });
  store = storeOf(venue, directory.path, 100);
  trades = eventsOf(venue.log)
    .flat()
    .filter((event) => event.type === 'trade')
    .reverse();
});

afterAll(() => {
  store.close();
  directory[Symbol.dispose]();
});

/** The fills that a trade is for a user: none, one, or for a self trade two. */
function fillsOf(trade: Trade, uid: number): Fill[] {
  const base = trade.securityId === BTC_USDT ? BTC : ETH;
  const common = {
    tradeId: trade.tradeId,
    securityId: trade.securityId,
    price: trade.price,
    quantity: trade.quantity,
    quoteAmount: trade.quoteAmount,
    transactTime: trade.transactTime,
  };
  const takerBuys = trade.takerSide === Side.buy;
  const maker: Fill = {
    ...common,
    orderId: trade.makerOrderId,
    side: takerBuys ? Side.sell : Side.buy,
    fee: trade.makerFee,
    feeAssetId: takerBuys ? USDT : base,
    maker: true,
  };
  const taker: Fill = {
    ...common,
    orderId: trade.takerOrderId,
    side: trade.takerSide,
    fee: trade.takerFee,
    feeAssetId: takerBuys ? base : USDT,
    maker: false,
  };
  return [...(trade.makerUid === uid ? [maker] : []), ...(trade.takerUid === uid ? [taker] : [])];
}

const fills = (query: Partial<FillsQuery> & { uid: number }): Fill[] =>
  store.fills.find({ type: 'fills', size: 1000, ...query });

describe('a user’s fills', () => {
  test('pages of any size, order, instrument and window join to exactly the fills', () => {
    const first = trades.at(-1)!.transactTime;
    const time = fc.option(fc.integer({ min: first - 1, max: venue.time + 1 }), { nil: undefined });
    const orderId = fc.option(fc.constantFrom(...trades.map(({ makerOrderId }) => makerOrderId)), {
      nil: undefined,
      freq: 2,
    });
    const securityId = fc.option(fc.constantFrom(BTC_USDT, ETH_USDT), { nil: undefined });
    fc.assert(
      fc.property(
        fc.record({
          uid: fc.integer({ min: 1, max: USERS + 1 }),
          size: fc.integer({ min: 1, max: 300 }),
          orderId,
          securityId,
          start: time,
          end: time,
        }),
        (query) => {
          const found: Fill[] = [];
          let lastTradeId: number | undefined;
          for (;;) {
            const page = fills({ ...query, lastTradeId });
            found.push(...page);
            if (page.length < query.size) break;
            lastTradeId = page.at(-1)!.tradeId;
          }
          const asked = trades
            .filter(
              (trade) =>
                (query.securityId ?? trade.securityId) === trade.securityId &&
                trade.transactTime >= (query.start ?? 0) &&
                trade.transactTime < (query.end ?? Number.POSITIVE_INFINITY),
            )
            .flatMap((trade) => fillsOf(trade, query.uid))
            .filter((fill) => (query.orderId ?? fill.orderId) === fill.orderId);
          expect(found).toEqual(asked);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('a self trade is two fills, which are on one page', () => {
    const own = trades.find(({ makerUid, takerUid }) => makerUid === takerUid)!;
    const page = fills({ uid: own.makerUid, lastTradeId: own.tradeId + 1, size: 1 });
    expect(page).toEqual(fillsOf(own, own.makerUid));
    expect(page).toHaveLength(2);
  });
});

describe('public trades', () => {
  test('are an instrument’s newest, without names, and continue below a trade', () => {
    const all = trades.filter(({ securityId }) => securityId === ETH_USDT);
    const page = store.trades.publicTrades({
      type: 'publicTrades',
      securityId: ETH_USDT,
      beforeTradeId: all[3].tradeId,
      limit: 5,
    });
    expect(page.map(({ tradeId }) => tradeId)).toEqual(
      all.slice(4, 9).map(({ tradeId }) => tradeId),
    );
    const { tradeId, aggTradeId, securityId, price, quantity } = all[4];
    const { quoteAmount, takerSide, transactTime } = all[4];
    expect(page[0]).toEqual({
      tradeId,
      aggTradeId,
      securityId,
      price,
      quantity,
      quoteAmount,
      takerSide,
      transactTime,
    });
  });
});

/** All aggregates of an instrument, oldest first, from the list of events. */
function aggregatesOf(securityId: number): AggTrade[] {
  const own = trades.filter((trade) => trade.securityId === securityId).reverse();
  return [...Map.groupBy(own, ({ aggTradeId }) => aggTradeId).values()].map((run) => ({
    aggTradeId: run[0].tradeId,
    lastTradeId: run.at(-1)!.tradeId,
    securityId,
    price: run[0].price,
    quantity: run.map(({ quantity }) => amount(quantity)).reduce(add),
    quoteAmount: run.map(({ quoteAmount }) => quoteAmount).reduce(add),
    takerSide: run[0].takerSide,
    transactTime: run[0].transactTime,
    tradeCount: run.length,
  }));
}

describe('aggregate trades', () => {
  const find = (query: Omit<AggTradesQuery, 'type' | 'securityId'>): AggTrade[] =>
    store.trades.aggTrades({ type: 'aggTrades', securityId: BTC_USDT, ...query });

  test('pages of any size join to all of them', () => {
    const all = aggregatesOf(BTC_USDT);
    expect(all.some(({ aggTradeId, lastTradeId }) => aggTradeId !== lastTradeId)).toBe(true);
    for (const limit of [1, 7, 1000]) {
      const found: AggTrade[] = [];
      for (let fromId = 1; ; fromId = found.at(-1)!.lastTradeId + 1) {
        const page = find({ fromId, limit });
        found.push(...page);
        if (page.length === 0) break;
      }
      expect(found).toEqual(all);
    }
  });

  test('without an id they are the newest; an id inside one finds the whole', () => {
    const all = aggregatesOf(BTC_USDT);
    expect(find({ limit: 6 })).toEqual(all.slice(-6));
    expect(find({ limit: 1000 })).toEqual(all.slice(-1000));
    const place = all.findLastIndex(({ aggTradeId, lastTradeId }) => aggTradeId !== lastTradeId);
    const { lastTradeId } = all[place];
    expect(find({ fromId: lastTradeId, limit: 2 })).toEqual(all.slice(place, place + 2));
    expect(find({ fromId: trades[0].tradeId + 1, limit: 5 })).toEqual([]);
  });

  test('of an order with thousands of makers have a thousand trades, in both directions', () => {
    using own = new TemporaryDirectory();
    const crowd = new Venue({ users: 2 });
    for (let i = 0; i < 2500; i++) crowd.sell(1, 100, 1);
    crowd.sell(1, 101, 1);
    crowd.buy(2, 101, 2501);
    while (crowd.exchange.isBusy) crowd.must({ type: 'runTimers' });
    const views = storeOf(crowd, own.path, 10_000);
    const query = { type: 'aggTrades', securityId: BTC_USDT } as const;
    const quantities = [
      views.trades.aggTrades({ ...query, limit: 4 }),
      views.trades.aggTrades({ ...query, fromId: 2000, limit: 2 }),
    ].map((page) => page.map(({ quantity }) => quantity as number));
    expect(quantities).toEqual([
      [1000, 1000, 500, 1],
      [1000, 500],
    ]);
    views.close();
  });
});
