// Tickers and candles while the views fail: waiting connections are closed, and members get the
// newest state after the next successful query, without another trade.
import { describe, expect, test } from 'bun:test';
import { BTC_USDT, Venue } from '../../test/support/venue.ts';
import type { Trade } from '../core/event.ts';
import { amount, ticks } from '../core/units.ts';
import type { Candle } from '../views/candles.ts';
import type { Ticker } from '../views/tickers.ts';
import type { ViewReader } from '../views/views.ts';
import type { Connection } from './connection.ts';
import type { Waiting } from './outbox.ts';
import { CandleTopic, TickerTopic } from './polled-topics.ts';
import type { Topic, TopicHost } from './topic.ts';
import { Turns } from './turns.ts';

const CANDLE: Candle = {
  openTime: Date.UTC(2026, 0, 1),
  open: ticks(100),
  high: ticks(100),
  low: ticks(100),
  close: ticks(100),
  baseVolume: amount(1),
  quoteVolume: amount(1),
  tradeCount: 1,
};
const TICKER: Ticker = {
  securityId: BTC_USDT,
  openTime: Date.UTC(2026, 0, 1),
  open: ticks(100),
  high: ticks(100),
  low: ticks(100),
  last: ticks(100),
  change: 0,
  baseVolume: amount(1),
  quoteVolume: amount(1),
  tradeCount: 1,
  lastTradeTime: Date.UTC(2026, 0, 1),
};

const BTC = { symbol: 'BTC-USDT', depth: null, interval: null } as const;

/** The host of a topic whose views fail on demand, and a connection that subscribes to it. */
class Surroundings {
  readonly venue = new Venue();
  readonly instrument = this.venue.exchange.state.instruments[BTC_USDT]!;
  readonly heard: string[] = [];
  readonly warnings: unknown[] = [];
  readonly closed: string[] = [];
  fails = false;
  rows: unknown[] = [];
  #woken: () => void = () => undefined;

  readonly host: TopicHost = {
    state: this.venue.exchange.state,
    now: this.venue.time,
    views: { query: () => this.#answer() } as unknown as ViewReader,
    publish: (_topic, text) => this.#note(this.heard, text),
    turns: new Turns((error) => this.#note(this.warnings, error)),
    warn: (error) => this.#note(this.warnings, error),
  };

  readonly connection = {
    spend: () => undefined,
    countSnapshot: () => undefined,
    withdraw: () => undefined,
    outbox: {
      sendInTurn: ({ text, sent }: Waiting) => {
        this.#note(this.heard, text);
        sent?.();
      },
      sendNow: (text: string) => this.#note(this.heard, text),
    },
    join: () => undefined,
    leave: () => undefined,
    close: (_code: number, reason: string) => this.#note(this.closed, reason),
  } as unknown as Connection;

  async #answer(): Promise<unknown> {
    if (this.fails) throw new Error('the views are busy');
    return this.rows;
  }

  #note<T>(list: T[], what: T): void {
    list.push(what);
    this.#woken();
  }

  /** Waits for the next message, warning or closing. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#woken = resolve;
    });
  }
}

async function goesOnAfterFailure(
  around: Surroundings,
  topic: Topic,
  first: unknown,
  then: unknown,
  trade: () => void,
): Promise<void> {
  around.rows = [first];
  const snapshot = around.next();
  topic.add(around.connection);
  await snapshot;
  expect(around.heard).toHaveLength(1);
  around.fails = true;
  const warned = around.next();
  trade();
  await warned;
  expect(around.warnings).toHaveLength(1);
  around.fails = false;
  around.rows = [then];
  await around.next();
  expect(around.heard.length).toBeGreaterThan(1);
  const { type, prevSeq } = JSON.parse(around.heard.at(-1)!);
  expect({ type, prevSeq }).toEqual({
    type: 'update',
    prevSeq: JSON.parse(around.heard.at(-2)!).seq,
  });
  expect(around.heard.at(-1)).toContain('"tradeCount":2');
  expect(around.closed).toEqual([]);
  topic.close();
}

describe('rows that the views did not return', () => {
  test('of candles follow after the next query, without another trade', async () => {
    const around = new Surroundings();
    const subject = { ...BTC, channel: 'candles', interval: '1m' } as const;
    const topic = new CandleTopic(around.host, subject, around.instrument);
    const trade = (): void => topic.receive({ securityId: BTC_USDT } as Trade);
    await goesOnAfterFailure(around, topic, CANDLE, { ...CANDLE, tradeCount: 2 }, trade);
  });

  test('of tickers follow after the next query, without another change of the book', async () => {
    const around = new Surroundings();
    const subject = { ...BTC, channel: 'ticker' } as const;
    const topic = new TickerTopic(around.host, subject, around.instrument);
    const trade = (): void => void around.venue.buy(1, 100, 1);
    await goesOnAfterFailure(around, topic, TICKER, { ...TICKER, tradeCount: 2 }, trade);
  });

  test('is not sent to a connection that left while it waited', async () => {
    const around = new Surroundings();
    around.rows = [TICKER];
    const subject = { ...BTC, channel: 'ticker' } as const;
    const topic = new TickerTopic(around.host, subject, around.instrument);
    const stays = around.next();
    const told: string[] = [];
    const leaver = { send: (text: string) => told.push(text) } as unknown as Connection;
    topic.add(leaver);
    topic.remove(leaver);
    topic.add(around.connection);
    await stays;
    expect(around.heard).toHaveLength(1);
    expect(told).toEqual([]);
    topic.close();
  });

  test('ends the connections that wait for a snapshot, with a reason', async () => {
    const around = new Surroundings();
    around.fails = true;
    const subject = { ...BTC, channel: 'ticker' } as const;
    const topic = new TickerTopic(around.host, subject, around.instrument);
    const closed = around.next();
    topic.add(around.connection);
    await closed;
    await Promise.resolve();
    expect(around.closed).toEqual(['no snapshot of ticker just now']);
    topic.close();
  });
});
