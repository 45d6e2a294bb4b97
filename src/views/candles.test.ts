// Candles and tickers against sums over all trades, in one random history and at many moments of
// it.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Prng } from '../../test/support/prng.ts';
import { ETH_USDT, tradedVenue } from '../../test/support/trading-workload.ts';
import { BTC_USDT, VENUE_START, Venue } from '../../test/support/venue.ts';
import { eventsOf, storeOf, TemporaryDirectory, TWO_PAIRS } from '../../test/support/view-files.ts';
import { CANDLE_INTERVALS, type CandleInterval } from '../core/calendar.ts';
import type { Trade } from '../core/event.ts';
import { add, amount, ticks } from '../core/units.ts';
import type { Candle } from './candles.ts';
import type { Ticker } from './tickers.ts';
import { ViewStore } from './view-store.ts';

const DAY = 86_400_000;

/** The candle of these trades, which are in order of time and not empty. */
function candleOf(openTime: number, trades: readonly Trade[]): Candle {
  const prices = trades.map(({ price }) => price);
  return {
    openTime,
    open: prices[0],
    high: prices.reduce((a, b) => (a > b ? a : b)),
    low: prices.reduce((a, b) => (a < b ? a : b)),
    close: prices.at(-1)!,
    baseVolume: trades.map(({ baseAmount }) => baseAmount).reduce(add),
    quoteVolume: trades.map(({ quoteAmount }) => quoteAmount).reduce(add),
    tradeCount: trades.length,
  };
}

/** Midnight (UTC) of the Monday of a week. */
function mondayOf(time: number): number {
  const date = new Date(time);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.setUTCHours(0, 0, 0, 0);
}

function candlesOf(trades: readonly Trade[], interval: number): Candle[] {
  const byOpenTime = Map.groupBy(trades, ({ transactTime }) =>
    interval === 7 * DAY ? mondayOf(transactTime) : Math.trunc(transactTime / interval) * interval,
  );
  return [...byOpenTime].map(([openTime, part]) => candleOf(openTime, part));
}

function tickerOf(trades: readonly Trade[], securityId: number, now: number): Ticker {
  const openTime = Math.trunc(now / 60_000) * 60_000 - DAY + 60_000;
  const recent = trades.filter(({ transactTime }) => transactTime >= openTime);
  const candle = recent.length === 0 ? null : candleOf(openTime, recent);
  return {
    securityId,
    openTime,
    open: candle?.open ?? null,
    high: candle?.high ?? null,
    low: candle?.low ?? null,
    last: trades.at(-1)?.price ?? null,
    change: candle === null ? null : candle.close - candle.open,
    baseVolume: candle?.baseVolume ?? amount(0),
    quoteVolume: candle?.quoteVolume ?? amount(0),
    tradeCount: candle?.tradeCount ?? 0,
    lastTradeTime: trades.at(-1)?.transactTime ?? null,
  };
}

const isTrade = (event: { type: string }): event is Trade => event.type === 'trade';

describe('candles', () => {
  test('are those of all trades, in every interval, whatever the batches', () => {
    const venue = tradedVenue(3, 4000);
    const trades = eventsOf(venue.log).flat().filter(isTrade);
    for (const batch of [1, 7, 10_000]) {
      using directory = new TemporaryDirectory();
      const store = storeOf(venue, directory.path, batch);
      for (const [name, length] of Object.entries(CANDLE_INTERVALS)) {
        for (const securityId of [BTC_USDT, ETH_USDT]) {
          const interval = name as CandleInterval;
          const found: Candle[] = [];
          for (let start = 0; ; ) {
            const limit = 50;
            const page = store.candles.find({
              type: 'candles',
              securityId,
              interval,
              start,
              limit,
            });
            found.push(...page);
            if (page.length < limit) break;
            start = page.at(-1)!.openTime + 1;
          }
          const own = trades.filter((trade) => trade.securityId === securityId);
          expect(found).toEqual(candlesOf(own, length));
        }
      }
      store.close();
    }
  });

  test('without a start they are the newest before the end, oldest first', () => {
    using directory = new TemporaryDirectory();
    const venue = tradedVenue(4, 3000);
    const store = storeOf(venue, directory.path);
    const trades = eventsOf(venue.log).flat().filter(isTrade);
    const all = candlesOf(
      trades.filter(({ securityId }) => securityId === BTC_USDT),
      60_000,
    );
    const query = { type: 'candles', securityId: BTC_USDT, interval: '1m' } as const;
    expect(store.candles.find({ ...query, limit: 3 })).toEqual(all.slice(-3));
    const end = all.at(-2)!.openTime;
    expect(store.candles.find({ ...query, end, limit: 3 })).toEqual(all.slice(-5, -2));
    store.close();
  });

  test('joined ones start and end as the others, in windows and pages', () => {
    using directory = new TemporaryDirectory();
    const venue = tradedVenue(8, 3000);
    const store = storeOf(venue, directory.path);
    const trades = eventsOf(venue.log).flat().filter(isTrade);
    const own = trades.filter(({ securityId }) => securityId === BTC_USDT);
    for (const interval of ['3m', '2h', '1w'] as const) {
      const length = CANDLE_INTERVALS[interval];
      const all = candlesOf(own, length);
      const query = { type: 'candles', securityId: BTC_USDT, interval } as const;
      expect(store.candles.find({ ...query, limit: 2 })).toEqual(all.slice(-2));
      const { openTime } = all[0];
      // From inside a candle on: the next one. Up to its opening: without it.
      expect(store.candles.find({ ...query, start: openTime + 1, limit: 3 })).toEqual(
        all.slice(1, 4),
      );
      expect(store.candles.find({ ...query, end: openTime, limit: 3 })).toEqual([]);
      expect(store.candles.find({ ...query, end: openTime + 1, limit: 3 })).toEqual([all[0]]);
    }
    store.close();
  });

  test('a candle that began before the store was opened continues', () => {
    using directory = new TemporaryDirectory();
    const venue = new Venue();
    venue.sell(1, 100, 30);
    venue.buy(2, 100, 10);
    const before = venue.log.length;
    storeOf(venue, directory.path).close();
    venue.buy(2, 100, 20);
    const store = ViewStore.open(`${directory.path}/views.db`, TWO_PAIRS);
    eventsOf(venue.log)
      .slice(before)
      .forEach((events, index) => {
        store.apply(events, before + index + 1);
      });
    store.commit(new Uint8Array(32), '');
    const query = { type: 'candles', securityId: BTC_USDT, interval: '1d', limit: 10 } as const;
    expect(store.candles.find(query)).toMatchObject([{ openTime: VENUE_START, tradeCount: 2 }]);
    store.close();
  });
});

describe('tickers', () => {
  test('are the sums of the last day at any moment, while trades come in', () => {
    using directory = new TemporaryDirectory();
    const venue = tradedVenue(5, 2500);
    const events = eventsOf(venue.log);
    const store = ViewStore.open(
      `${directory.path}/views.db`,
      () => venue.exchange.state.instruments,
    );
    const trades: Trade[] = [];
    const random = new Prng(6);
    venue.log.forEach(({ time }, index) => {
      store.apply(events[index], index + 1);
      trades.push(...events[index].filter(isTrade));
      if (!random.oneIn(5)) return;
      store.commit(new Uint8Array(32), '');
      const now = time + (random.oneIn(3) ? random.below(2 * DAY) : 0);
      for (const securityId of [BTC_USDT, ETH_USDT]) {
        const own = trades.filter((trade) => trade.securityId === securityId);
        const [found] = store.tickers.find({ type: 'tickers', securityId, now });
        // Not listed yet.
        if (found === undefined) continue;
        expect(found).toEqual(tickerOf(own, securityId, now));
      }
    });
    const all = store.tickers.find({ type: 'tickers', now: venue.time });
    expect(all.map(({ securityId }) => securityId)).toEqual([BTC_USDT, ETH_USDT]);
    expect(store.tickers.find({ type: 'tickers', securityId: 9, now: venue.time })).toEqual([]);
    store.close();
  });

  test('an average price has the trades of the last five minutes', () => {
    using directory = new TemporaryDirectory();
    const venue = new Venue();
    const trade = (price: number, quantity: number) => {
      venue.sell(1, price, quantity);
      venue.buy(2, price, quantity);
    };
    trade(90, 1);
    venue.time += 60_000;
    trade(100, 3);
    venue.time += 4 * 60_000 + 59_999;
    trade(107, 4);
    const store = storeOf(venue, directory.path);
    const average = (now: number) =>
      store.tickers.average({ type: 'averagePrice', securityId: BTC_USDT, now });
    const minute = VENUE_START + 60_000;
    expect(average(minute + 299_999)).toEqual({
      openTime: minute,
      last: ticks(107),
      baseVolume: amount(700),
      quoteVolume: amount(728),
      tradeCount: 2,
    });
    expect(average(minute + 300_000)).toMatchObject({ tradeCount: 1, openTime: minute + 60_000 });
    const later = { tradeCount: 0, baseVolume: amount(0), last: ticks(107) };
    expect(average(minute + DAY)).toMatchObject(later);
    store.close();
  });

  test('volumes beyond 2^53 stay exact', () => {
    using directory = new TemporaryDirectory();
    const venue = new Venue();
    const store = ViewStore.open(`${directory.path}/views.db`, TWO_PAIRS);
    const volumes = fc.array(fc.bigInt({ min: 1n, max: 10n ** 30n }), {
      minLength: 1,
      maxLength: 9,
    });
    const [sample] = fc.sample(volumes, { numRuns: 1, seed: 1 });
    eventsOf(venue.log).forEach((events, index) => {
      store.apply(events, index + 1);
    });
    sample.forEach((volume, index) => {
      const trade: Trade = {
        type: 'trade',
        tradeId: index + 1,
        aggTradeId: index + 1,
        securityId: BTC_USDT,
        price: 1 as Trade['price'],
        quantity: 1 as Trade['quantity'],
        baseAmount: amount(1),
        quoteAmount: amount(volume),
        takerSide: 1,
        makerOrderId: 1,
        takerOrderId: 2,
        makerUid: 1,
        takerUid: 1,
        makerFee: amount(0),
        takerFee: amount(0),
        transactTime: venue.time,
      };
      // Any owner will do, so the statement is left out.
      store.candles.record(trade);
      store.trades.record(trade);
    });
    store.commit(new Uint8Array(32), '');
    const [ticker] = store.tickers.find({ type: 'tickers', now: venue.time });
    expect(ticker.quoteVolume).toBe(amount(sample.reduce((a, b) => a + b)));
    store.close();
  });
});
